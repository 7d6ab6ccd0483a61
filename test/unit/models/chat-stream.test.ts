import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelDelta } from '../../../src/core/words/model';
import { ChatStream } from '../../../src/models/chat-stream';
import { replyDeltas } from '../../../src/models/recorded-reply';
import { native } from '../../../src/protocols/native/native';
import { parseDeltas } from '../../support/protocols/run-parser';

const chunk = (delta: object, finish: string | null = null, index = 0): object => ({
  choices: [{ index, delta, finish_reason: finish }],
});
const event = (value: object | string): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const text = event(chunk({ content: 'Hello.' }));
const call = event(
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"x"}' } }] }),
);
const stop = event(chunk({}, 'stop'));
const DONE = event('[DONE]');

function read(...events: readonly string[]): readonly ModelDelta[] {
  return [...replyDeltas('native', events.join(''), 0)];
}

/** How a reply ended: its reason, `unclear`, a failure, or nothing. */
function endOf(...events: readonly string[]): string {
  const [last] = read(...events).filter(({ type }) => type === 'end' || type === 'failure');
  if (last?.type === 'failure') return `${last.failure.code}: ${last.failure.message}`;
  return last?.type === 'end' ? (last.unclear ?? last.reason) : 'nothing';
}

const KEEP_ALIVES = [
  ...['data:\n\n', 'data: \n\n', 'data:\r\n\r\n', ': comment\n\n', 'event: ping\n\n', 'id: 7\n\n', '\n\n'],
  ...['event: ping\ndata:\n\n', 'event: ping\ndata: {"type":"ping"}\n\n', 'event: heartbeat\ndata: {}\n\n'],
  ...[
    'keepalive',
    '[PING]',
    'ping',
    '1',
    'null',
    '"x"',
    '[]',
    '{}',
    '{"type":"ping"}',
    '{"status":"processing"}',
  ].map(event),
  ...['{"type":"heartbeat","message":"still here"}', '{"status":"queued","msg":"third in line"}'].map(event),
  ...['{"code":0,"msg":"success"}', '{"choices":[]}', '{"error":null}', '{"error":""}'].map(event),
];

describe('a streamed reply', () => {
  it('is the same with any keep-alives at any place', () => {
    const parts = [text, call, event(chunk({}, 'tool_calls'))];
    const plain = read(...parts, DONE);
    for (const sign of KEEP_ALIVES)
      for (let at = 0; at <= parts.length; at++)
        assert.deepEqual(
          read(...parts.slice(0, at), sign, ...parts.slice(at), DONE),
          plain,
          JSON.stringify(sign),
        );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.constantFrom(...KEEP_ALIVES))), (signs) => {
        const all = [...parts, ''].flatMap((part, place) => [
          ...signs.flatMap(([at, sign]) => (at === place ? [sign] : [])),
          part,
        ]);
        assert.deepEqual(read(...all, DONE), plain);
      }),
    );
  });

  const unclear = 'The server ended the reply without a finish reason. It is whole, so it counts.';
  const ends: readonly (readonly [name: string, events: readonly string[], end: string])[] = [
    ['a reason and [DONE]', [text, stop, DONE], 'stop'],
    ['a reason alone', [text, stop], 'stop'],
    ['[DONE] alone', [text, DONE], unclear],
    ['an empty reason and [DONE]', [text, event(chunk({}, '')), DONE], unclear],
    ['neither', [text], 'nothing'],
    [
      'an unknown reason and [DONE]',
      [text, event(chunk({}, 'weird')), DONE],
      'The server ended the reply with the unknown finish reason "weird". It is whole, so it counts.',
    ],
    [
      'an unknown reason alone',
      [text, event(chunk({}, 'weird'))],
      'cut-off: The reply was cut off: the server ended it with the reason "weird". Send the message again.',
    ],
    [
      'a reason that says that it broke off',
      [text, event(chunk({}, 'network_error')), DONE],
      'cut-off: The reply was cut off: the server ended it with the reason "network_error". Send the message again.',
    ],
    ['an error behind a reason', [text, stop, event({ error: { message: 'late' } })], 'stop'],
    ['an event of an error behind a reason', [text, stop, 'event: error\ndata: late\n\n', DONE], 'stop'],
    ['an error', [text, event({ error: { message: 'early' } }), stop], 'server-error: early'],
    ['an event of an error that is no JSON', [text, 'event: error\ndata: early\n\n'], 'server-error: early'],
    [
      'half a chunk',
      [text, event('{"choices":[{"del'), stop, DONE],
      'cut-off: The connection broke in the middle of the reply. Send the message again.',
    ],
    ['two reasons', [text, event(chunk({}, 'length')), stop], 'length'],
  ];
  for (const [name, events, end] of ends) it(`ends with ${name}`, () => assert.equal(endOf(...events), end));

  it('says nothing behind its last event', () => {
    const stream = new ChatStream();
    stream.push({ data: '[DONE]' });
    assert.deepEqual(stream.push({ data: JSON.stringify(chunk({ content: 'x' })) }), []);
  });

  const first = chunk({ content: 'first' });
  const second = chunk({ content: 'second' }, null, 1);
  const choices: readonly (readonly [name: string, chunks: readonly object[], isNamed: boolean])[] = [
    ['in one chunk', [{ choices: [...choicesOf(first), ...choicesOf(second)] }], true],
    ['in one chunk, the other first', [{ choices: [...choicesOf(second), ...choicesOf(first)] }], true],
    ['in chunks of their own', [first, second, second], true],
    ['that has another number', [chunk({ content: 'first' }, null, 3)], false],
  ];
  for (const [name, chunks, isNamed] of choices) {
    it(`has one choice that counts: ${name}`, () => {
      const deltas = read(...chunks.map(event), event(chunk({}, 'stop', name.includes('number') ? 3 : 0)));
      assert.deepEqual(
        deltas.flatMap((delta) => (delta.type === 'text' ? [delta.text] : [])),
        ['first'],
      );
      const notices = deltas.flatMap((delta) => (delta.type === 'notice' ? [delta.code] : []));
      assert.deepEqual(notices, isNamed ? ['other-choices'] : []);
    });
  }

  it('has its calls also where the API had them before, and in a single object', () => {
    const old = [
      chunk({ function_call: { name: 'read', arguments: '{"path"' } }),
      chunk({ function_call: { arguments: ':"x"}' } }),
    ];
    const single = [chunk({ tool_calls: { id: 'a', name: 'read', arguments: { path: 'x' } } })];
    for (const chunks of [old, single]) {
      const { calls } = parseDeltas(native, read(...chunks.map(event), stop));
      assert.deepEqual(
        calls.map(({ name, arguments: args }) => [name, args]),
        [['read', { path: 'x' }]],
      );
    }
  });

  it('reports the tokens that llama.cpp had cached', () => {
    const numbers = {
      usage: { prompt_tokens: 9, completion_tokens: 2 },
      timings: { cache_n: 7, prompt_n: 2 },
    };
    const [usage] = read(text, stop, event({ choices: [], ...numbers })).filter(
      ({ type }) => type === 'usage',
    );
    assert.deepEqual(usage, { type: 'usage', usage: { inputTokens: 9, outputTokens: 2, cachedTokens: 7 } });
  });
});

function choicesOf(value: object): readonly unknown[] {
  return (value as { choices: unknown[] }).choices;
}

describe('arguments that repeat what has already come', () => {
  const args = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.array(fc.string())), {
    minKeys: 1,
    noNullPrototype: true,
  });
  const HOW = ['in pieces', 'cumulative', 'once more at the end'] as const;

  it('are read once, in each of several calls', () => {
    fc.assert(
      fc.property(
        fc.array(args, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...HOW),
        fc.nat(6),
        fc.boolean(),
        (all, how, size, hasIds) => {
          fc.pre(!/__proto__|constructor|prototype/.test(JSON.stringify(all)));
          const chunks = all.flatMap((each, index) =>
            streamed(JSON.stringify(each), how, size + 2).map((piece, at) => {
              const head = {
                ...(hasIds && { id: `c${index}` }),
                ...(at === 0 && { index, function: { name: 'note', arguments: piece } }),
              };
              return chunk({ tool_calls: [{ index, function: { arguments: piece }, ...head }] });
            }),
          );
          assert.deepEqual(
            parseDeltas(native, read(...chunks.map(event), stop)).calls.map((each) => each.arguments),
            all,
          );
        },
      ),
    );
  });

  function streamed(json: string, how: (typeof HOW)[number], size: number): readonly string[] {
    const pieces: string[] = [];
    for (let at = 0; at < json.length; at += size) pieces.push(json.slice(at, at + size));
    if (how === 'in pieces') return pieces;
    if (how === 'once more at the end') return [...pieces, json];
    return pieces.map((_, at) => pieces.slice(0, at + 1).join(''));
  }

  const nested: readonly (readonly [pieces: readonly string[], args: unknown])[] = [
    [['{"a":', '{"a":1}', '}'], { a: { a: 1 } }],
    [['{"a":', '{"a":', '{"a":', '1}}}'], { a: { a: { a: 1 } } }],
    [['{"a":', '{"a":1}'], { a: 1 }],
    [['{"a":', '{"a":', '{"a":1', '{"a":1}'], { a: 1 }],
  ];
  for (const [pieces, args] of nested) {
    it(`may hold an object that begins as they do: ${pieces.join(' ')}`, () => {
      const chunks = pieces.map((piece) =>
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: piece } }] }),
      );
      assert.deepEqual(parseDeltas(native, read(...chunks.map(event), stop)).calls[0]?.arguments, args);
    });
  }
});
