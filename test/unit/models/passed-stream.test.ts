import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json';
import { isBroken, PassedStream, withStandardReason } from '../../../src/models/passed-stream';
import { caseCount } from '../../hosts/random-cases';

const chunk = (delta: object, finish: string | null = null): object => ({
  ...{ id: 'x', object: 'chat.completion.chunk' },
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const event = (value: object | string): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;

const TEXT = event(chunk({ role: 'assistant', content: 'Hello.' }));
const STOP = event(chunk({}, 'stop'));
const USAGE = event({ ...chunk({}), choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } });
const DONE = event('[DONE]');
const WHOLE = [TEXT, STOP, USAGE, DONE];
const ALIVE = ': keep-alive\n\n';

/** What a client gets; an error is only its message. */
function passed(pieces: readonly string[]): string {
  const stream = new PassedStream((said) => said?.text ?? 'cut off');
  const all = pieces.map((piece) => stream.push(piece)).join('') + stream.end();
  return all.replace(/data: (\{"error":.*\})\n\n/g, (_, json: string) => {
    const { error } = JSON.parse(json) as { error: { message: string; code: string } };
    return `${error.code}: ${error.message}\n`;
  });
}

const rows: readonly (readonly [name: string, events: readonly string[], expected: readonly string[]])[] = [
  ['a whole reply as it is', WHOLE, WHOLE],
  ['a reply without [DONE]', [TEXT, STOP], [TEXT, STOP]],
  ['a reply without a reason', [TEXT, DONE], [TEXT, DONE]],
  ['comments', [': OPENROUTER PROCESSING\n\n', ...WHOLE], [': OPENROUTER PROCESSING\n\n', ...WHOLE]],
  ['names and ids of events', [`event: x\nid: 1\n${TEXT}`, STOP], [`event: x\nid: 1\n${TEXT}`, STOP]],
  ['lines that end with CR LF', [TEXT, STOP].map((each) => each.replaceAll('\n', '\r\n')), [TEXT, STOP]],
  ['lines that end with CR', [TEXT, STOP].map((each) => each.replaceAll('\n', '\r')), [TEXT, STOP]],
  ['events without an empty line between', WHOLE.map((each) => each.slice(0, -1)), WHOLE],
  ['an end without a line feed', [TEXT, STOP.trimEnd()], [TEXT, STOP]],
  [
    'JSON in several lines as one',
    [`data: ${JSON.stringify(chunk({ content: 'a' })).replace(',', ',\ndata: ')}\n\n`, STOP],
    [event(chunk({ content: 'a' })), STOP],
  ],
  ['a word before an event', [`data: keepalive\n${TEXT}`, STOP], [TEXT, STOP]],
  [
    'an error behind the reply as nothing',
    [TEXT, STOP, event({ error: 'late' }), DONE],
    [TEXT, STOP, ALIVE, DONE],
  ],
  ['the end of a broken stream as an error', [TEXT], [TEXT, 'cut-off: cut off\n']],
  ['nothing as an error', [], ['cut-off: cut off\n']],
  [
    'a reply that broke off without [DONE]',
    [TEXT, event(chunk({}, 'network_error')), DONE],
    [TEXT, event(chunk({})), 'cut-off: cut off\n'],
  ],
  ...(
    [
      ['MAX_TOKENS', 'length'],
      ['end_turn', 'stop'],
      ['tool-calls', 'tool_calls'],
      ['SAFETY', 'content_filter'],
      ['function_call', 'function_call'],
    ] as const
  ).map(([reason, standard]): (typeof rows)[number] => [
    `the reason ${reason} as ${standard}`,
    [TEXT, event(chunk({}, reason))],
    [TEXT, event(chunk({}, standard))],
  ]),
  [
    'an unknown reason as it is',
    [TEXT, event(chunk({}, 'odd')), DONE],
    [TEXT, event(chunk({}, 'odd')), DONE],
  ],
  ...[
    { error: { message: 'Bad.' } },
    { error: 'Bad.' },
    { object: 'error', message: 'Bad.' },
    { success: false, msg: 'Bad.' },
    { base_resp: { status_code: 1008, status_msg: 'Bad.' } },
    { choices: null, errorMessage: 'Bad.' },
    { error: { message: 'Provider', metadata: { raw: '{"error":{"message":"Bad."}}' } } },
  ].map((error): (typeof rows)[number] => [
    `${JSON.stringify(error)} as an error of the API, and nothing behind it`,
    [TEXT, event(error), STOP, DONE],
    [TEXT, 'server-error: Bad.\n'],
  ]),
  ['an event named error', [`event: error\ndata: Bad.\n\n`, DONE], ['server-error: Bad.\n']],
];

const SIGNS = [
  ...['data:\n\n', 'data: \n\n', 'data:\r\n\r\n', 'event: ping\n\n', 'event: ping\ndata:\n\n', 'id: 7\n\n'],
  ...['event: ping\ndata: {"type":"ping"}\n\n', 'retry: 5\n\n'],
  ...['keepalive', '[PING]', '1', 'null', '{}', '[]', '{"type":"ping"}', '{"status":"processing"}'].map(
    event,
  ),
];

describe('a stream that is passed on', () => {
  for (const [name, events, expected] of rows) {
    it(`holds ${name}`, () => assert.equal(passed(events), expected.join('')));
  }

  for (const sign of SIGNS) {
    it(`has a comment in place of ${JSON.stringify(sign)}, wherever it is`, () => {
      for (let at = 0; at <= WHOLE.length; at++) {
        const [before, after] = [WHOLE.slice(0, at), WHOLE.slice(at)];
        assert.equal(passed([...before, sign, ...after]), [...before, ALIVE, ...after].join(''));
      }
    });
  }

  it('is the same wherever it is cut', () => {
    const all = fc.array(fc.constantFrom(...SIGNS, ...rows.flatMap(([, events]) => events)), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(all, fc.array(fc.nat(500)), (events, cuts) => {
        const text = events.join('');
        const places = [
          0,
          ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b),
          text.length,
        ];
        const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
        assert.equal(passed(pieces), passed([text]));
      }),
      { numRuns: caseCount(500) },
    );
  });

  it('says of a whole reply whether it broke off', () => {
    const reply = (finish: string | null): JsonObject => ({
      choices: [{ message: {}, finish_reason: finish }],
    });
    assert.deepEqual(
      ['stop', 'odd', null, 'ERROR_FINISH', 'abort'].map((each) => isBroken(reply(each))),
      [false, false, false, true, true],
    );
    assert.deepEqual(withStandardReason(reply('max_new_tokens')), reply('length'));
  });

  it('comes as soon as an event is whole', () => {
    const stream = new PassedStream(() => '');
    assert.equal(stream.push(TEXT.slice(0, -1)), TEXT);
    assert.equal(stream.push('\n'), '');
  });
});
