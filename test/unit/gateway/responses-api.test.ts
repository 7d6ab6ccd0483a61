import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import { BadRequest } from '../../../src/gateway/gateway-request';
import { readResponsesRequest, ResponsesEvents, responsesReply } from '../../../src/gateway/responses-api';
import { readTools } from '../../../src/gateway/offered-tools';
import type { ClientEvent } from '../../../src/gateway/relay';
import { clientCall, turnLine } from '../../support/agent/gateway-harness';

const user = (text: string): JsonObject => ({ role: 'user', content: text });
const call = (id: string, name = 'read'): JsonObject => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: '{"path":"a"}',
});
const output = (id: string, text = 'x'): JsonObject => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
});
const assistant = (text: string): JsonObject => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});

const conversations: readonly {
  readonly name: string;
  readonly body: JsonObject;
  readonly instructions?: string;
  readonly expect: readonly string[];
}[] = [
  { name: 'plain text', body: { input: 'Go.' }, expect: ['user "Go."'] },
  {
    name: 'instructions and what a developer says at the beginning',
    body: {
      instructions: 'Be brief.',
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be kind.' }] },
        user('Go.'),
      ],
    },
    instructions: 'Be brief.\n\nBe kind.',
    expect: ['user "Go."'],
  },
  {
    name: 'text and calls in several items as one reply',
    body: {
      input: [
        user('Go.'),
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
        assistant('So:'),
        call('1'),
        call('2'),
        output('2', 'two'),
        output('1', 'one'),
      ],
    },
    expect: [
      'user "Go."',
      'reply text "So:", call 1 read {"path":"a"}, call 2 read {"path":"a"}',
      'results 1 read success "one", 2 read success "two"',
    ],
  },
  {
    name: 'one call after the other',
    body: { input: [user('Go.'), call('1'), output('1'), call('2'), output('2')] },
    expect: [
      'user "Go."',
      'reply call 1 read {"path":"a"}',
      'results 1 read success "x"',
      'reply call 2 read {"path":"a"}',
      'results 2 read success "x"',
    ],
  },
  {
    name: 'two messages in one reply',
    body: { input: [user('Go.'), assistant('One. '), assistant('Two.')] },
    expect: ['user "Go."', 'reply text "One. Two."'],
  },
  {
    name: 'a custom tool as a function with one argument',
    body: {
      input: [
        user('Go.'),
        { type: 'custom_tool_call', call_id: '1', name: 'apply_patch', input: '*** Begin\n"x"' },
        { type: 'custom_tool_call_output', call_id: '1', output: [{ type: 'input_text', text: 'Done.' }] },
      ],
    },
    expect: [
      'user "Go."',
      'reply call 1 apply_patch {"input":"*** Begin\\n\\"x\\""}',
      'results 1 apply_patch success "Done."',
    ],
  },
  {
    name: 'calls of a namespace, of tools of the API, and with arguments that are no text',
    body: {
      tools: [
        { type: 'namespace', name: 'mcp__docs', tools: [{ type: 'function', name: 'query' }] },
        { type: 'tool_search', execution: 'client' },
      ],
      input: [
        user('Go.'),
        { ...call('1', 'query'), namespace: 'mcp__docs' },
        { ...call('2', 'gone'), namespace: 'mcp__old__', arguments: { a: 1 } },
        { ...call('3', 'none'), arguments: null },
        { type: 'tool_search_call', call_id: '4', execution: 'client', arguments: { query: 'x' } },
        { type: 'shell_call', call_id: '5', action: { commands: ['ls'], max_output_length: 9 } },
        { type: 'local_shell_call', id: '6', action: { type: 'exec', command: ['ls'], env: {} } },
        { type: 'apply_patch_call', call_id: '7', operation: { type: 'delete_file', path: 'a' } },
        ...[1, 2, 3].map((id) => output(String(id))),
        {
          type: 'tool_search_output',
          call_id: '4',
          tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'found' }] }],
        },
        {
          type: 'shell_call_output',
          call_id: '5',
          output: [{ stdout: 'out', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
        },
        { type: 'local_shell_call_output', id: '6', output: 'out' },
        { type: 'apply_patch_call_output', call_id: '7', status: 'completed', output: 'Done.' },
      ],
    },
    expect: [
      'user "Go."',
      `reply ${[
        'call 1 mcp__docs__query {"path":"a"}',
        'call 2 mcp__old__gone {"a":1}',
        'call 3 none {}',
        'call 4 tool_search {"query":"x"}',
        'call 5 shell {"commands":["ls"]}',
        'call 6 local_shell {"command":["ls"]}',
        'call 7 apply_patch {"type":"delete_file","path":"a"}',
      ].join(', ')}`,
      `results ${[
        '1 mcp__docs__query success "x"',
        '2 mcp__old__gone success "x"',
        '3 none success "x"',
        '4 tool_search success "These tools can be called now: n__found."',
        '5 shell success "out\\n{\\"type\\":\\"exit\\",\\"exit_code\\":0}"',
        '6 local_shell success "out"',
        '7 apply_patch success "Done."',
      ].join(', ')}`,
    ],
  },
  {
    name: 'notes for files and sounds',
    body: {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'See' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          ],
        },
      ],
    },
    expect: [
      'user "See\\n[input file: a.pdf, application/pdf, content not shown]\\n[input audio: wav, content not shown]"',
    ],
  },
  {
    name: 'images',
    body: {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'See.' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
            { type: 'input_image', image_url: 'https://example.com/a.png' },
          ],
        },
      ],
    },
    expect: ['user "See." image/png AAAA low, image/png https://example.com/a.png'],
  },
  {
    name: 'no items that do not belong to a chat',
    body: {
      input: [user('Go.'), { type: 'web_search_call', id: 'w', status: 'completed' }, assistant('Yes.')],
    },
    expect: ['user "Go."', 'reply text "Yes."'],
  },
];

describe('a request of the Responses API', () => {
  it('offers deferred tools once they were found', () => {
    const later = { type: 'function', name: 'later', defer_loading: true };
    const docs = { type: 'namespace', name: 'docs', tools: [later] };
    const found = { type: 'tool_search_output', call_id: '1', execution: 'client', tools: [docs] };
    for (const [input, names] of [
      [[user('Go.')], ['tool_search']],
      [
        [user('Go.'), found],
        ['tool_search', 'docs__later'],
      ],
    ] as const) {
      const tools = [{ type: 'tool_search', execution: 'client' }, later, docs];
      const request = readResponsesRequest({ input, tools });
      assert.deepEqual(
        request.tools.map(({ name }) => name),
        names,
      );
    }
  });

  for (const { name, body, instructions = '', expect } of conversations) {
    it(`holds ${name}`, () => {
      const request = readResponsesRequest(body);
      assert.deepEqual(request.turns.map(turnLine), expect);
      assert.equal(request.instructions, instructions);
    });
  }

  const tools = [
    { type: 'function', name: 'read', description: 'Reads.', parameters: { type: 'object' }, strict: false },
    {
      type: 'custom',
      name: 'apply_patch',
      description: 'Patches.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
    },
    { type: 'web_search' },
    { type: 'namespace', name: 'n', tools: [] },
  ];

  it('offers functions, and custom tools as functions', () => {
    const { tools: offered, offered: known, leftOut } = readResponsesRequest({ input: 'Go.', tools });
    assert.deepEqual(
      offered.map(({ name, description }) => [name, description]),
      [
        ['read', 'Reads.'],
        ['apply_patch', 'Patches.\n\nThe input has this form (lark):\nstart: "x"'],
      ],
    );
    assert.deepEqual(offered[1]!.parameters.required, ['input']);
    assert.deepEqual(
      known.all.flatMap(({ name, isCustom = false }) => (isCustom ? [name] : [])),
      ['apply_patch'],
    );
    assert.deepEqual(leftOut, ['web_search']);
  });

  for (const [choice, names, needsCall] of [
    [null, ['read', 'apply_patch'], false],
    ['auto', ['read', 'apply_patch'], false],
    ['none', [], false],
    ['required', ['read', 'apply_patch'], true],
    [{ type: 'function', name: 'read' }, ['read'], true],
    [{ type: 'custom', name: 'apply_patch' }, ['apply_patch'], true],
    [{ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'read' }] }, ['read'], false],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'read' }] },
      ['read'],
      true,
    ],
  ] as const) {
    it(`takes ${JSON.stringify(choice)} as a choice of tools`, () => {
      const request = readResponsesRequest({ input: 'Go.', tools, tool_choice: choice });
      assert.deepEqual(
        request.tools.map(({ name }) => name),
        names,
      );
      assert.equal(request.needsCall, needsCall);
    });
  }

  it('carries over what the Chat Completions API knows, and nothing else', () => {
    const { rest, isStreamed, isSingle } = readResponsesRequest({
      model: 'gpt',
      input: 'Go.',
      max_output_tokens: 9,
      temperature: 0.1,
      top_p: null,
      stream: true,
      parallel_tool_calls: false,
      ...{ store: false, include: ['reasoning.encrypted_content'], prompt_cache_key: 'k' },
      ...{ reasoning: { effort: 'high', summary: 'auto' }, text: { verbosity: 'low' }, service_tier: 'auto' },
      previous_response_id: null,
    });
    assert.deepEqual(rest, { max_tokens: 9, temperature: 0.1 });
    assert.deepEqual([isStreamed, isSingle], [true, true]);
  });

  for (const [body, sentence] of [
    [{ input: 'Go.', previous_response_id: 'resp_1' }, /"previous_response_id".*stores nothing/],
    [{ input: 'Go.', conversation: 'conv_1' }, /"conversation".*stores nothing/],
    [{ input: [{ type: 'item_reference', id: 'x' }] }, /"input\[0\]".*stores nothing/],
    [{}, /"input" must be text or a list/],
    [{ input: [] }, /"input" must be text or a list/],
    [{ input: ['x'] }, /"input\[0\]" must be an object/],
    [{ input: [{ role: 'tool', content: 'x' }] }, /"input\[0\]\.role"/],
    [{ input: [{ type: 'function_call', name: 'read' }] }, /"input\[0\]" must be a call/],
    [{ input: [{ type: 'function_call_output', output: 'x' }] }, /"input\[0\]\.call_id" is missing/],
    [{ input: [{ role: 'user', content: 7 }] }, /"input\[0\]" needs text/],
    [{ input: 'Go.', tools: [{ type: 'function' }] }, /"tools\[0\]" has no name/],
    [{ input: 'Go.', tools, tool_choice: { type: 'function', name: 'fly' } }, /"tool_choice"/],
    [{ input: 'Go.', tools: {} }, /"tools" must be a list/],
  ] as const) {
    it(`refuses ${JSON.stringify(body).slice(0, 80)}`, () => {
      assert.throws(
        () => readResponsesRequest(body),
        (error) => error instanceof BadRequest && sentence.test(error.message),
      );
    });
  }
});

const HEAD = { id: 'resp_1', created: 5, model: 'm' };
const REQUEST = {
  offered: readTools([
    { type: 'custom', name: 'apply_patch' },
    { type: 'namespace', name: 'mcp__docs__', tools: [{ type: 'function', name: 'query' }] },
    { type: 'tool_search', execution: 'client' },
    { type: 'shell' },
  ]),
  echo: { tool_choice: 'auto' },
};
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
  const { name = '', namespace = '', arguments: given = '', input = '', call_id: callId = '' } = rest;
  const { commands } = (rest['action'] ?? {}) as JsonObject;
  const args = typeof given === 'string' ? given : JSON.stringify(given);
  const action = commands === undefined ? '' : JSON.stringify(commands);
  const parts = ((summary ?? content ?? []) as readonly JsonObject[]).map(({ text: said }) =>
    JSON.stringify(said),
  );
  const words = [type, id, status, callId, namespace, name, args, action, input, ...parts];
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
    name: 'a call of a tool in a namespace',
    events: [clientCall('c1', 'mcp__docs__query', { q: 'x' }), USED, end('tool-calls')],
    expect: [
      'output_item.added 0 function_call fc_1_0 in_progress c1 mcp__docs__ query',
      'function_call_arguments.delta 0 "{\\"q\\":\\"x\\"}"',
      'function_call_arguments.done 0 "{\\"q\\":\\"x\\"}"',
      'output_item.done 0 function_call fc_1_0 completed c1 mcp__docs__ query {"q":"x"}',
      'completed completed',
    ],
    output: ['function_call fc_1_0 completed c1 mcp__docs__ query {"q":"x"}'],
  },
  {
    name: 'calls of tools that the API defines',
    events: [
      clientCall('c1', 'tool_search', { query: 'x' }),
      clientCall('c2', 'shell', { commands: ['ls'] }),
      USED,
      end('tool-calls'),
    ],
    expect: [
      'output_item.added 0 tool_search_call bc_1_0 in_progress c1 {"query":"x"}',
      'output_item.done 0 tool_search_call bc_1_0 completed c1 {"query":"x"}',
      'output_item.added 1 shell_call bc_1_1 in_progress c2 ["ls"]',
      'output_item.done 1 shell_call bc_1_1 completed c2 ["ls"]',
      'completed completed',
    ],
    output: ['tool_search_call bc_1_0 completed c1 {"query":"x"}', 'shell_call bc_1_1 completed c2 ["ls"]'],
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
