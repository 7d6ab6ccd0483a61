import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  EventSplitter,
  jsonValues,
  streamEvents,
  type StreamEvent,
} from '../../../../src/models/exchange/event-stream';
import { splitText } from '../../../support/protocols/run-parser';

function split(stream: string, size: number): readonly StreamEvent[] {
  const splitter = new EventSplitter();
  return [...splitText(stream, size).flatMap((piece) => splitter.push(piece)), ...splitter.end()];
}

describe('the events of a stream', () => {
  const rows: readonly (readonly [name: string, stream: string, events: readonly StreamEvent[]])[] = [
    ['a line', 'data: x\n\n', [{ data: 'x' }]],
    ['no blank behind the colon', 'data:x\n\n', [{ data: 'x' }]],
    ['a name', 'event: ping\ndata: x\n\n', [{ name: 'ping', data: 'x' }]],
    ['several lines', 'data: x\ndata: y\n\n', [{ data: 'x\ny' }]],
    ['empty data', 'data:\n\ndata: \n\n', [{ data: '' }, { data: '' }]],
    ['a name without data', 'event: ping\n\n', []],
    ['comments and other fields', ': hi\n\nid: 1\nretry: 5\nhello\n\n', []],
    ['carriage returns', 'data: x\r\n\r\ndata: y\r\r', [{ data: 'x' }, { data: 'y' }]],
    ['no empty line at the end', 'data: x\n\ndata: y', [{ data: 'x' }, { data: 'y' }]],
    ['a byte order mark', '\ufeffdata: x\n\n', [{ data: 'x' }]],
  ];
  for (const [name, stream, events] of rows) {
    it(`are found wherever the stream is cut: ${name}`, () => {
      for (let size = 1; size <= stream.length; size++) assert.deepEqual(split(stream, size), events);
    });
  }

  it('are found wherever any stream is cut', () => {
    const line = fc.constantFrom(
      'data: ä',
      'data:',
      'event: ping',
      ': c',
      'id: 1',
      'x',
      '',
      '',
      'data: {"a":1}',
    );
    const stream = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')))
      .map((all) => all.flat().join(''));
    fc.assert(
      fc.property(stream, fc.integer({ min: 1, max: 12 }), (text, size) => {
        assert.deepEqual(split(text, size), split(text, text.length + 1));
      }),
    );
  });

  it('are decoded from bytes that are cut inside of characters', async () => {
    const bytes = new TextEncoder().encode('\ufeffdata: {"a":"ü€😀"}\n\n');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const all: StreamEvent[] = [];
    for await (const events of streamEvents(body)) all.push(...events);
    assert.deepEqual(all, [{ data: '{"a":"ü€😀"}' }]);
  });
});

describe('the JSON in an event', () => {
  const rows: readonly (readonly [data: string, values: readonly unknown[]])[] = [
    ['{"a":1}', [{ a: 1 }]],
    ['{"a":\n1}', [{ a: 1 }]],
    ['{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }]],
    ['[{"a":1}]', [[{ a: 1 }]]],
    ...['', ' ', 'keepalive', '[PING]', 'null', '1', '"ping"', '{"a":', '-'].map(
      (data) => [data, []] as const,
    ),
  ];
  for (const [data, values] of rows)
    it(JSON.stringify(data), () => assert.deepEqual(jsonValues({ data }), values));
});
