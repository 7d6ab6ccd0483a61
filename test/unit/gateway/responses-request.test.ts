import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import { BadRequest } from '../../../src/gateway/gateway-request';
import { readResponsesRequest } from '../../../src/gateway/responses-request';
import { turnLine } from '../../support/agent/gateway-harness';

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
    { type: 'local_shell' },
    { type: 'namespace', name: 'n', tools: [] },
  ];

  it('offers functions, and custom tools as functions', () => {
    const { tools: offered, customTools } = readResponsesRequest({ input: 'Go.', tools });
    assert.deepEqual(
      offered.map(({ name, description }) => [name, description]),
      [
        ['read', 'Reads.'],
        ['apply_patch', 'Patches.\n\nThe input has this form (lark):\nstart: "x"'],
      ],
    );
    assert.deepEqual(offered[1]!.parameters.required, ['input']);
    assert.deepEqual([...customTools], ['apply_patch']);
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
    [
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'x' }] }] },
      /A part of "input\[0\]"/,
    ],
    [{ input: [{ role: 'user', content: 7 }] }, /"input\[0\]" needs text/],
    [{ input: 'Go.', tools: [{ type: 'function' }] }, /"tools\[0\]" has no name/],
    [{ input: 'Go.', tools, tool_choice: { type: 'function', name: 'fly' } }, /"tool_choice"/],
  ] as const) {
    it(`refuses ${JSON.stringify(body).slice(0, 80)}`, () => {
      assert.throws(
        () => readResponsesRequest(body),
        (error) => error instanceof BadRequest && sentence.test(error.message),
      );
    });
  }
});
