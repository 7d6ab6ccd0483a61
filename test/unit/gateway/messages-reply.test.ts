import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import { MessagesEvents, messagesError, messagesReply } from '../../../src/gateway/messages-reply';
import type { ClientEvent } from '../../../src/gateway/relay';
import { clientCall } from '../../support/agent/gateway-harness';

const HEAD = { id: 'msg_1', created: 5, model: 'm' };
const text = (said: string): ClientEvent => ({ type: 'text', text: said });
const USED: ClientEvent = {
  type: 'usage',
  usage: { inputTokens: 10, outputTokens: 3, cachedTokens: 4 },
  isEstimated: false,
};
const end = (reason: 'stop' | 'length' | 'tool-calls' | 'content-filter'): ClientEvent => ({
  type: 'end',
  reason,
});

/** An event in one line. */
function line({ type, index, content_block: block, delta }: JsonObject): string {
  const { type: what = '', ...said } = (block ?? delta ?? {}) as JsonObject;
  const place = index === undefined ? '' : ` ${index as number}`;
  const rest = Object.keys(said).length === 0 ? '' : ` ${JSON.stringify(said)}`;
  return `${type as string}${place}${what === '' ? '' : ` ${what as string}`}${rest}`;
}

const rows: readonly {
  readonly name: string;
  readonly events: readonly ClientEvent[];
  readonly expect: readonly string[];
  /** Of the whole message. */
  readonly content: readonly JsonObject[];
  readonly reason: string;
}[] = [
  {
    name: 'text',
    events: [text('So'), text(' be it.'), USED, end('stop')],
    expect: [
      'content_block_start 0 text {"text":""}',
      'content_block_delta 0 text_delta {"text":"So"}',
      'content_block_delta 0 text_delta {"text":" be it."}',
      'content_block_stop 0',
    ],
    content: [{ type: 'text', text: 'So be it.' }],
    reason: 'end_turn',
  },
  {
    name: 'thoughts, text and calls',
    events: [
      { type: 'reasoning', text: 'Hm.' },
      text('So:'),
      clientCall('c1', 'read', { path: 'a' }),
      clientCall('c2', 'stat', {}),
      USED,
      end('tool-calls'),
    ],
    expect: [
      'content_block_start 0 thinking {"thinking":"","signature":""}',
      'content_block_delta 0 thinking_delta {"thinking":"Hm."}',
      'content_block_stop 0',
      'content_block_start 1 text {"text":""}',
      'content_block_delta 1 text_delta {"text":"So:"}',
      'content_block_stop 1',
      'content_block_start 2 tool_use {"id":"c1","name":"read","input":{}}',
      'content_block_delta 2 input_json_delta {"partial_json":"{\\"path\\":\\"a\\"}"}',
      'content_block_stop 2',
      'content_block_start 3 tool_use {"id":"c2","name":"stat","input":{}}',
      'content_block_delta 3 input_json_delta {"partial_json":"{}"}',
      'content_block_stop 3',
    ],
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      { type: 'text', text: 'So:' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
      { type: 'tool_use', id: 'c2', name: 'stat', input: {} },
    ],
    reason: 'tool_use',
  },
  {
    name: 'a reply at the length limit',
    events: [text('So'), USED, end('length')],
    expect: [
      'content_block_start 0 text {"text":""}',
      'content_block_delta 0 text_delta {"text":"So"}',
      'content_block_stop 0',
    ],
    content: [{ type: 'text', text: 'So' }],
    reason: 'max_tokens',
  },
  {
    name: 'a reply that a filter ended',
    events: [USED, end('content-filter')],
    expect: [],
    content: [],
    reason: 'refusal',
  },
  {
    name: 'text that turns out to be thoughts',
    events: [text('Maybe'), { type: 'reasoning-end', text: 'Maybe' }, text('No.'), USED, end('stop')],
    expect: [
      'content_block_start 0 text {"text":""}',
      'content_block_delta 0 text_delta {"text":"Maybe"}',
      'content_block_delta 0 text_delta {"text":"No."}',
      'content_block_stop 0',
    ],
    content: [
      { type: 'thinking', thinking: 'Maybe', signature: '' },
      { type: 'text', text: 'No.' },
    ],
    reason: 'end_turn',
  },
];

describe('a reply of the Messages API', () => {
  for (const { name, events, expect, content, reason } of rows) {
    it(`streams ${name}`, () => {
      const writer = new MessagesEvents(HEAD);
      const sent = events.flatMap((event) => writer.of(event));
      assert.deepEqual(sent.map(line), [
        'message_start',
        'ping',
        ...expect,
        `message_delta {"stop_reason":"${reason}","stop_sequence":null}`,
        'message_stop',
      ]);
      assert.deepEqual(sent.at(-2)!['usage'], USAGE);
    });

    it(`gives ${name} as a whole`, () => {
      assert.deepEqual(messagesReply(HEAD, events), {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content,
        stop_reason: reason,
        stop_sequence: null,
        usage: USAGE,
      });
    });
  }

  it('ends with an error if it fails in the middle', () => {
    const writer = new MessagesEvents(HEAD);
    const failure = { code: 'cut-off', message: 'It stopped.' } as const;
    const events: readonly ClientEvent[] = [text('So'), { type: 'failure', failure }];
    assert.deepEqual(events.flatMap((event) => writer.of(event)).at(-1), {
      type: 'error',
      error: { type: 'api_error', message: 'It stopped.' },
    });
  });

  for (const [failure, type, message] of [
    [{ code: 'unauthorized', message: 'M.' }, 'authentication_error', 'M.'],
    [{ code: 'rate-limited', message: 'M.' }, 'rate_limit_error', 'M.'],
    [{ code: 'server-error', message: 'M.', status: 529 }, 'overloaded_error', 'M.'],
    [{ code: 'too-long', message: 'M.' }, 'invalid_request_error', 'prompt is too long: M.'],
    [
      { code: 'too-long', message: 'M.', figures: { prompt: 9, window: 8 } },
      'invalid_request_error',
      'prompt is too long: 9 tokens > 8 maximum. M.',
    ],
  ] as const) {
    it(`names ${JSON.stringify(failure)} as Anthropic does`, () => {
      assert.deepEqual(messagesError(failure), { type: 'error', error: { type, message } });
    });
  }
});

const USAGE = {
  input_tokens: 6,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 4,
  output_tokens: 3,
};
