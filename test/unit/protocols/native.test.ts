import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelDelta, ToolCallDelta } from '../../../src/core/model';
import { RecordedStream } from '../../../src/models/recorded-stream';
import { native } from '../../../src/protocols/native';
import { parseDeltas, pieces } from '../../support/parse';

function piece(fields: Omit<ToolCallDelta, 'type'>): ModelDelta {
  return { type: 'tool-call', ...fields };
}

function outcome(deltas: readonly ModelDelta[], reason: 'stop' | 'length' | 'cut' = 'stop'): string {
  const parsed = parseDeltas(native, deltas, undefined, { reason });
  return [
    ...parsed.calls.map(
      (call) =>
        `${call.name} ${JSON.stringify(call.arguments)}${call.mark === 'clean' ? '' : ` ${call.mark}`}` +
        (call.notes.includes('guessed-call') ? ' guessed' : ''),
    ),
    ...parsed.errors.map((error) => `rejects ${error.name} ${error.code}`),
  ].join(' | ');
}

const rows: { name: string; deltas: ModelDelta[]; reason?: 'length' | 'cut'; expect: string }[] = [
  {
    name: 'joins the pieces of one call',
    deltas: [
      piece({ index: 0, id: 'a', name: 'read', arguments: '{"pa' }),
      piece({ index: 0, arguments: 'th":"x"}' }),
    ],
    expect: 'read {"path":"x"}',
  },
  {
    name: 'keeps calls apart that all say index 0 but have ids',
    deltas: [
      piece({ index: 0, id: 'a', name: 'read', arguments: '{"n":1}' }),
      piece({ index: 0, id: 'b', name: 'read', arguments: '{"n":2}' }),
    ],
    expect: 'read {"n":1} | read {"n":2}',
  },
  {
    name: 'continues the last call when neither index nor id come',
    deltas: [piece({ id: 'a', name: 'read' }), piece({ arguments: '{"n"' }), piece({ arguments: ':1}' })],
    expect: 'read {"n":1}',
  },
  {
    name: 'interleaves by index',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x', arguments: '{"n":' }),
      piece({ index: 1, id: 'b', name: 'y', arguments: '{"m":' }),
      piece({ index: 0, arguments: '1}' }),
      piece({ index: 1, arguments: '2}' }),
    ],
    expect: 'x {"n":1} | y {"m":2}',
  },
  {
    name: 'starts a new call when another name comes after complete arguments',
    deltas: [
      piece({ index: 0, name: 'x', arguments: '{"n":1}' }),
      piece({ index: 0, name: 'y', arguments: '{"n":2}' }),
    ],
    expect: 'x {"n":1} | y {"n":2}',
  },
  {
    name: 'ignores a name that is repeated on every piece',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x', arguments: '{"n"' }),
      piece({ index: 0, id: 'a', name: 'x', arguments: ':1}' }),
    ],
    expect: 'x {"n":1}',
  },
  {
    name: 'takes a name that comes after the arguments',
    deltas: [piece({ index: 0, id: 'a', arguments: '{}' }), piece({ index: 0, name: 'late' })],
    expect: 'late {}',
  },
  {
    name: 'continues the only call when the index changes without an id',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x', arguments: '{"n"' }),
      piece({ index: 1, arguments: ':1}' }),
    ],
    expect: 'x {"n":1} guessed',
  },
  {
    name: 'continues the only call that is open when the index changes without an id',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x', arguments: '{}' }),
      piece({ index: 1, id: 'b', name: 'y', arguments: '{"n"' }),
      piece({ index: 7, arguments: ':1}' }),
    ],
    expect: 'x {} | y {"n":1} guessed',
  },
  {
    name: 'rejects arguments that two open calls may own',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x' }),
      piece({ index: 1, id: 'b', name: 'y' }),
      piece({ index: 7, arguments: '{"n":1}' }),
    ],
    expect: 'x {} | y {} | rejects  orphan-arguments',
  },
  {
    name: 'keeps a complete call when more arguments come under another index',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x', arguments: '{}' }),
      piece({ index: 1, arguments: ' ' }),
      piece({ index: 1, arguments: '{"n":1}' }),
    ],
    expect: 'x {} | rejects  orphan-arguments',
  },
  {
    name: 'starts a new call when another name comes before any arguments',
    deltas: [
      piece({ index: 0, name: 'a' }),
      piece({ index: 0, name: 'b' }),
      piece({ index: 0, arguments: '{"n":1}' }),
    ],
    expect: 'a {} | b {"n":1}',
  },
  {
    name: 'keeps to the first name while the arguments come',
    deltas: [
      piece({ index: 0, name: 'a', arguments: '{"n"' }),
      piece({ index: 0, name: 'b', arguments: ':1}' }),
    ],
    expect: 'a {"n":1}',
  },
  {
    name: 'reads empty arguments as none',
    deltas: [piece({ index: 0, id: 'a', name: 'x' })],
    expect: 'x {}',
  },
  {
    name: 'decodes arguments that were encoded twice',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: '"{\\"n\\":1}"' })],
    expect: 'x {"n":1} repaired',
  },
  {
    name: 'reads the name out of the id',
    deltas: [piece({ index: 0, id: 'functions.read_file:3', arguments: '{}' })],
    expect: 'read_file {}',
  },
  {
    name: "cuts a model's own markers off the name",
    deltas: [piece({ index: 0, id: 'a', name: 'x<|channel|>commentary', arguments: '{}' })],
    expect: 'x {}',
  },
  {
    name: 'rejects arguments that end in the middle, whatever the reason says',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: '{"content":"half' })],
    expect: 'rejects x unfinished',
  },
  {
    name: 'mends what has one reading, and marks the call',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: "{'path': 'C:\\\\dir', ok: True,}" })],
    expect: 'x {"path":"C:\\\\dir","ok":true} repaired',
  },
  {
    name: 'rejects a key that is given twice',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: '{"n":1,"n":2}' })],
    expect: 'rejects x invalid-json',
  },
  {
    name: 'rejects arguments that are no JSON',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: '{"n": oops}' })],
    expect: 'rejects x invalid-json',
  },
  {
    name: 'rejects complete calls of a stream that broke off',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: '{}' })],
    reason: 'cut',
    expect: 'rejects x unfinished',
  },
];

describe('native', () => {
  for (const { name, deltas, reason, expect } of rows) {
    it(name, () => {
      assert.equal(outcome(deltas, reason), expect);
    });
  }

  it('says the same of arguments that are no JSON however they are cut', () => {
    for (const text of ['{"a":1}}', '{"a":1} x', '{"a":', '[1]', '{]}', '"a"b']) {
      const head = piece({ index: 0, id: 'a', name: 'x' });
      const read = (size: number): string =>
        outcome([head, ...pieces(text, size).map((part) => piece({ index: 0, arguments: part }))]);
      for (let size = 1; size < text.length; size++) assert.equal(read(size), read(text.length), text);
    }
  });

  it('reads the same calls however the arguments are cut', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 5 }), (args, size) => {
        // SAFETY: JSON text is parsed right back.
        const text = JSON.stringify(args);
        fc.pre(!/__proto__|constructor|prototype/.test(text));
        const head = piece({ index: 0, id: 'a', name: 'x' });
        const parsed = parseDeltas(native, [
          head,
          ...pieces(text, size).map((part) => piece({ index: 0, arguments: part })),
        ]);
        assert.deepEqual(
          parsed.calls.map((call) => call.arguments),
          [JSON.parse(text)],
        );
        assert.deepEqual(
          parsed.calls.map(({ start, end }) => [start, end]),
          [[0, text.length]],
        );
      }),
    );
  });

  it('shows the text of string arguments as they stream', () => {
    const parser = native.createParser({ ids: { take: (id = 'x') => id } as never });
    const text = JSON.stringify({ path: 'a.txt', content: 'one\n"two" \u00e9', edits: [{ old: 'x' }] });
    const shown = new Map<string, string>();
    for (const part of [
      piece({ index: 0, id: 'a', name: 'w' }),
      ...pieces(text, 1).map((each) => piece({ index: 0, arguments: each })),
    ]) {
      for (const event of parser.push(part)) {
        if (event.type === 'call-delta') shown.set(event.key, (shown.get(event.key) ?? '') + event.text);
      }
    }
    assert.deepEqual(Object.fromEntries(shown), {
      path: 'a.txt',
      content: 'one\n"two" é',
      edits: '[{"old":"x"}]',
    });
  });

  it('reads recorded data lines cut anywhere', () => {
    const chunk = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const lines = [
      ': comment\r\n\r\n',
      chunk({ role: 'assistant', content: 'Hi' }),
      chunk({
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'x', arguments: { n: 1 } } }],
      }),
      chunk({ reasoning_content: 'hm' }),
      chunk({}, 'tool_calls'),
      'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n',
      'data: [DONE]\n\n',
    ].join('');
    const read = (size: number): ModelDelta[] => {
      const stream = new RecordedStream();
      return [...pieces(lines, size).flatMap((text) => stream.push(text)), ...stream.end()];
    };
    const whole = read(lines.length);
    assert.deepEqual(
      whole.map(({ type }) => type),
      ['text', 'tool-call', 'reasoning', 'end', 'usage'],
    );
    for (let size = 1; size < 20; size++) assert.deepEqual(read(size), whole);
    assert.equal(outcome(whole), 'x {"n":1}');
  });
});
