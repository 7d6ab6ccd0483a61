import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import type { ClientEvent } from '../../../src/gateway/relay';
import { ResponsesEvents, responsesReply } from '../../../src/gateway/responses-reply';
import { clientCall } from '../../support/agent/gateway-harness';

const HEAD = { id: 'resp_1', created: 5, model: 'm' };
const REQUEST = { customTools: new Set(['apply_patch']), echo: { tool_choice: 'auto' } };
const text = (said: string): ClientEvent => ({ type: 'text', text: said });
const thought = (said: string): ClientEvent => ({ type: 'reasoning', text: said });
const USED: ClientEvent = {
  type: 'usage',
  usage: { inputTokens: 10, outputTokens: 3, cachedTokens: 4 },
  isEstimated: false,
};
const end = (reason: 'stop' | 'length' | 'tool-calls' | 'content-filter'): ClientEvent => ({
  type: 'end',
  reason,
});

/** An item in one line. */
function itemLine({ id, type, status = '', summary, content, ...rest }: JsonObject): string {
  const { name = '', arguments: args = '', input = '', call_id: callId = '' } = rest;
  const parts = ((summary ?? content ?? []) as readonly JsonObject[]).map(({ text: said }) =>
    JSON.stringify(said),
  );
  const words = [type, id, status, callId, name, args, input, ...parts];
  return words.flatMap((word) => (typeof word === 'string' && word !== '' ? [word] : [])).join(' ');
}

/** An event in one line. */
function line({ type, item, response, delta, text: said, output_index: at, ...rest }: JsonObject): string {
  const name = (type as string).replace('response.', '');
  if (item) return `${name} ${at as number} ${itemLine(item as JsonObject)}`;
  if (response) return `${name} ${(response as JsonObject)['status'] as string}`;
  const shown = delta ?? said ?? rest['arguments'] ?? rest['input'] ?? (rest['part'] as JsonObject)['text'];
  return `${name} ${at as number} ${JSON.stringify(shown)}`;
}

const rows: readonly {
  readonly name: string;
  readonly events: readonly ClientEvent[];
  readonly expect: readonly string[];
  /** Of the whole response. */
  readonly output: readonly string[];
  readonly status?: string;
}[] = [
  {
    name: 'text',
    events: [text('So'), text(' be it.'), USED, end('stop')],
    expect: [
      'output_item.added 0 message msg_1_0 in_progress',
      'content_part.added 0 ""',
      'output_text.delta 0 "So"',
      'output_text.delta 0 " be it."',
      'output_text.done 0 "So be it."',
      'content_part.done 0 "So be it."',
      'output_item.done 0 message msg_1_0 completed "So be it."',
      'completed completed',
    ],
    output: ['message msg_1_0 completed "So be it."'],
  },
  {
    name: 'thoughts, text and calls',
    events: [thought('Hm.'), text('So:'), clientCall('c1', 'read', { path: 'a' }), USED, end('tool-calls')],
    expect: [
      'output_item.added 0 reasoning rs_1_0',
      'reasoning_summary_part.added 0 ""',
      'reasoning_summary_text.delta 0 "Hm."',
      'reasoning_summary_text.done 0 "Hm."',
      'reasoning_summary_part.done 0 "Hm."',
      'output_item.done 0 reasoning rs_1_0 "Hm."',
      'output_item.added 1 message msg_1_1 in_progress',
      'content_part.added 1 ""',
      'output_text.delta 1 "So:"',
      'output_text.done 1 "So:"',
      'content_part.done 1 "So:"',
      'output_item.done 1 message msg_1_1 completed "So:"',
      'output_item.added 2 function_call fc_1_2 in_progress c1 read',
      'function_call_arguments.delta 2 "{\\"path\\":\\"a\\"}"',
      'function_call_arguments.done 2 "{\\"path\\":\\"a\\"}"',
      'output_item.done 2 function_call fc_1_2 completed c1 read {"path":"a"}',
      'completed completed',
    ],
    output: [
      'reasoning rs_1_0 "Hm."',
      'message msg_1_1 completed "So:"',
      'function_call fc_1_2 completed c1 read {"path":"a"}',
    ],
  },
  {
    name: 'a call of a custom tool',
    events: [clientCall('c1', 'apply_patch', { input: '*** "x"' }), USED, end('tool-calls')],
    expect: [
      'output_item.added 0 custom_tool_call ctc_1_0 in_progress c1 apply_patch',
      'custom_tool_call_input.delta 0 "*** \\"x\\""',
      'custom_tool_call_input.done 0 "*** \\"x\\""',
      'output_item.done 0 custom_tool_call ctc_1_0 completed c1 apply_patch *** "x"',
      'completed completed',
    ],
    output: ['custom_tool_call ctc_1_0 completed c1 apply_patch *** "x"'],
  },
  {
    name: 'a reply at the length limit',
    events: [text('So'), USED, end('length')],
    expect: [
      'output_item.added 0 message msg_1_0 in_progress',
      'content_part.added 0 ""',
      'output_text.delta 0 "So"',
      'output_text.done 0 "So"',
      'content_part.done 0 "So"',
      'output_item.done 0 message msg_1_0 incomplete "So"',
      'incomplete incomplete',
    ],
    output: ['message msg_1_0 incomplete "So"'],
    status: 'incomplete',
  },
  {
    name: 'text that turns out to be thoughts',
    events: [text('Maybe'), { type: 'reasoning-end', text: 'Maybe' }, text('No.'), USED, end('stop')],
    expect: [
      'output_item.added 0 message msg_1_0 in_progress',
      'content_part.added 0 ""',
      'output_text.delta 0 "Maybe"',
      'output_text.delta 0 "No."',
      'output_text.done 0 "MaybeNo."',
      'content_part.done 0 "MaybeNo."',
      'output_item.done 0 message msg_1_0 completed "MaybeNo."',
      'completed completed',
    ],
    output: ['reasoning rs_1_0 "Maybe"', 'message msg_1_1 completed "No."'],
  },
  { name: 'nothing', events: [USED, end('stop')], expect: ['completed completed'], output: [] },
];

describe('a reply of the Responses API', () => {
  for (const { name, events, expect, output, status = 'completed' } of rows) {
    it(`streams ${name}`, () => {
      const writer = new ResponsesEvents(HEAD, REQUEST);
      const sent = events.flatMap((event) => writer.of(event));
      assert.deepEqual(sent.map(line), ['created in_progress', 'in_progress in_progress', ...expect]);
      assert.deepEqual(
        sent.map(({ sequence_number: number }) => number),
        sent.map((_, at) => at),
      );
    });

    it(`gives ${name} as a whole`, () => {
      const response = responsesReply(HEAD, REQUEST, events);
      assert.deepEqual((response['output'] as readonly JsonObject[]).map(itemLine), output);
      assert.equal(response['status'], status);
    });
  }

  it("contains the client's parameters and the token usage", () => {
    const { output: _, ...response } = responsesReply(HEAD, REQUEST, [USED, end('content-filter')]);
    assert.deepEqual(response, {
      id: 'resp_1',
      object: 'response',
      created_at: 5,
      status: 'incomplete',
      model: 'm',
      error: null,
      incomplete_details: { reason: 'content_filter' },
      tool_choice: 'auto',
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 3,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 13,
      },
    });
  });

  for (const [code, said] of [
    ['cut-off', 'server_error'],
    ['too-long', 'context_length_exceeded'],
    ['rate-limited', 'rate_limit_exceeded'],
  ] as const) {
    it(`says of ${code} in the middle that it failed`, () => {
      const writer = new ResponsesEvents(HEAD, REQUEST);
      const events = [text('So'), { type: 'failure', failure: { code, message: 'It failed.' } } as const];
      const last = events.flatMap((event) => writer.of(event)).at(-1)!;
      assert.equal(last['type'], 'response.failed');
      const { status, error } = last['response'] as JsonObject;
      assert.deepEqual([status, error], ['failed', { code: said, message: 'It failed.' }]);
    });
  }
});
