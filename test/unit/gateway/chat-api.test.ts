import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/base/json';
import { chatApi, ChatChunks, chatReply, readChatRequest, usesTools } from '../../../src/gateway/chat-api';
import type { Api, ApiRequest, ReplyWriter } from '../../../src/gateway/api';
import { messagesApi } from '../../../src/gateway/messages-api';
import { BadRequest } from '../../../src/gateway/gateway-request';
import type { ClientEvent } from '../../../src/gateway/relay';
import { responsesApi } from '../../../src/gateway/responses-api';
import { clientCall, turnLine } from '../../support/agent/gateway-harness';

const QUESTION = { role: 'user', content: 'Go.' };
const called = (call: JsonObject, content: Json = 'Done.'): readonly Json[] => [
  QUESTION,
  { role: 'assistant', content: null, tool_calls: [{ id: 'c', ...call }] },
  { role: 'tool', tool_call_id: 'c', content },
];
const read = (args: Json): JsonObject => ({ type: 'function', function: { name: 'read', arguments: args } });

const conversations: readonly {
  readonly name: string;
  readonly messages: readonly Json[];
  readonly expect: readonly string[];
}[] = [
  {
    name: 'arguments as an object',
    messages: called(read({ path: 'a' })),
    expect: ['user "Go."', 'reply call c read {"path":"a"}', 'results c read success "Done."'],
  },
  {
    name: 'arguments that are null',
    messages: called(read(null)),
    expect: ['user "Go."', 'reply call c read {}', 'results c read success "Done."'],
  },
  {
    name: 'a call with free text',
    messages: called({ type: 'custom', custom: { name: 'patch', input: '*** "x"' } }),
    expect: ['user "Go."', 'reply call c patch {"input":"*** \\"x\\""}', 'results c patch success "Done."'],
  },
  {
    name: 'calls and results of the older API',
    messages: [
      QUESTION,
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{"path":"a"}' } },
      { role: 'function', name: 'read', content: 'one' },
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{"path":"b"}' } },
      { role: 'function', name: 'read', content: 'two' },
    ],
    expect: [
      'user "Go."',
      'reply call function_1 read {"path":"a"}',
      'results function_1 read success "one"',
      'reply call function_3 read {"path":"b"}',
      'results function_3 read success "two"',
    ],
  },
  {
    name: 'a result of the older API without its call',
    messages: [QUESTION, { role: 'function', name: 'read', content: 'one' }],
    expect: ['user "Go."', 'results   success "one"'],
  },
  {
    name: 'text in the parts of other APIs, each on its own line but in replies, and no reasoning',
    messages: [
      { role: 'user', content: [{ type: 'input_text', text: 'Go' }, '.'] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 's' },
          { type: 'output_text', text: 'So.' },
          { type: 'refusal', refusal: ' No.' },
        ],
      },
      { role: 'user', content: { type: 'text', text: 'And?' } },
    ],
    expect: ['user "Go\\n."', 'reply text "So. No."', 'user "And?"'],
  },
  {
    name: 'images in every spelling',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'https://a.example/1.png', detail: 'low' } },
          { type: 'image_url', image_url: 'https://a.example/2.png' },
          { type: 'input_image', image_url: 'https://a.example/3.png', detail: 'low' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'image', source: { type: 'url', url: 'https://a.example/5.png' } },
          { type: 'image', mimeType: 'image/gif', data: 'BBBB' },
        ],
      },
    ],
    expect: [
      `user "" ${[
        'image/png https://a.example/1.png low',
        'image/png https://a.example/2.png',
        'image/png https://a.example/3.png low',
        'image/png AAAA',
        'image/png https://a.example/5.png',
        'image/gif BBBB',
      ].join(', ')}`,
    ],
  },
  {
    name: 'notes for files and sounds',
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'file',
            file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' },
          },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          { type: 'text', text: 'Sum up.' },
        ],
      },
    ],
    expect: [
      'user "[file: a.pdf, application/pdf, content not shown]\\n[input audio: wav, content not shown]\\nSum up."',
    ],
  },
];

describe('a request of the Chat Completions API', () => {
  for (const { name, messages, expect } of conversations) {
    it(`holds ${name}`, () => {
      assert.deepEqual(readChatRequest({ messages }).turns.map(turnLine), expect);
    });
  }

  for (const [body, sentence] of [
    [{}, /"messages" must be a list/],
    [{ messages: ['x'] }, /"messages\[0\]" must be an object/],
    [{ messages: [{ role: 'x' }] }, /"messages\[0\]\.role"/],
    [{ messages: [{ role: 'user', content: 7 }] }, /"messages\[0\]\.content" needs text/],
    [{ messages: [{ role: 'tool', content: 'x' }] }, /"messages\[0\]\.tool_call_id" is missing/],
    [{ messages: [{ role: 'assistant', tool_calls: [{ id: 'c' }] }] }, /A call of "messages\[0\]"/],
    [{ messages: [QUESTION], tools: 7 }, /"tools" must be a list/],
    [{ messages: [QUESTION], n: 2 }, /"n"/],
  ] as const) {
    it(`is not ${JSON.stringify(body).slice(0, 80)}`, () => {
      assert.throws(
        () => readChatRequest(body),
        (error) => error instanceof BadRequest && sentence.test(error.message),
      );
    });
  }
});

const HEAD = { id: 'r1', created: 0, model: 'm' };

describe('a reply of the Chat Completions API', () => {
  it('calls a custom tool with free text', () => {
    const request = readChatRequest({
      messages: [QUESTION],
      tools: [{ type: 'custom', custom: { name: 'patch' } }],
    });
    const events: readonly ClientEvent[] = [
      clientCall('c1', 'patch', { input: '*** "x"' }),
      clientCall('c2', 'read', { input: 'x' }),
      { type: 'end', reason: 'tool-calls' },
    ];
    const calls = [
      { id: 'c1', type: 'custom', custom: { name: 'patch', input: '*** "x"' } },
      { id: 'c2', type: 'function', function: { name: 'read', arguments: '{"input":"x"}' } },
    ];
    const [choice] = chatReply(HEAD, request, events)['choices'] as unknown as [{ message: JsonObject }];
    assert.deepEqual(choice.message['tool_calls'], calls);
    const writer = new ChatChunks(HEAD, request);
    const streamed = events
      .flatMap((event) => writer.of(event))
      .flatMap(({ choices }) => {
        const [{ delta }] = choices as unknown as [{ delta: JsonObject }];
        return (delta['tool_calls'] ?? []) as readonly JsonObject[];
      });
    assert.deepEqual(
      streamed,
      calls.map((call, index) => ({ index, ...call })),
    );
  });
});

describe('a request with the older fields for tools', () => {
  const FUNCTIONS = [{ name: 'read', description: 'R.', parameters: { type: 'object' } }, { name: 'stat' }];
  const request = readChatRequest({ messages: [QUESTION], functions: FUNCTIONS, function_call: 'auto' });

  it('offers functions, and sends their fields on to no one', () => {
    assert.deepEqual(
      request.tools.map(({ name }) => name),
      ['read', 'stat'],
    );
    assert.deepEqual([request.needsCall, request.isSingle, request.rest], [false, true, {}]);
    assert.ok(usesTools({ messages: [QUESTION], functions: FUNCTIONS }));
    const chosen = readChatRequest({
      messages: [QUESTION],
      functions: FUNCTIONS,
      function_call: { name: 'stat' },
    });
    assert.deepEqual([chosen.tools.map(({ name }) => name), chosen.needsCall], [['stat'], true]);
  });

  it('is answered in these fields', () => {
    const events: readonly ClientEvent[] = [
      clientCall('c1', 'read', { path: 'a' }),
      { type: 'end', reason: 'tool-calls' },
    ];
    const call = { name: 'read', arguments: '{"path":"a"}' };
    const [whole] = chatReply(HEAD, request, events)['choices'] as unknown as [JsonObject];
    assert.deepEqual(whole['message'], { role: 'assistant', content: null, function_call: call });
    const writer = new ChatChunks(HEAD, request);
    const choices = events.flatMap((event) => writer.of(event)).map((chunk) => chunk['choices']);
    const [[first], [last]] = choices as unknown as [[JsonObject], [JsonObject]];
    assert.deepEqual(first['delta'], { role: 'assistant', function_call: call });
    for (const choice of [whole, last]) assert.equal(choice['finish_reason'], 'function_call');
  });
});

describe('usage', () => {
  const event = (hidden?: { count: number; inputTokens: number }): ClientEvent => ({
    type: 'usage',
    usage: { inputTokens: 10, outputTokens: 9, cachedTokens: 4 },
    isEstimated: false,
    ...(hidden && { hidden }),
  });
  const end: ClientEvent = { type: 'end', reason: 'stop' };
  const usageIn = (data: JsonObject): JsonObject | undefined =>
    (data['usage'] ?? (data['response'] as JsonObject | undefined)?.['usage']) as JsonObject | undefined;

  function both<Request extends ApiRequest>(
    api: Api<Request>,
    body: JsonObject,
  ): (events: readonly ClientEvent[]) => readonly (JsonObject | undefined)[] {
    const request = api.read(body);
    return (events) => {
      const writer: ReplyWriter = api.writer(HEAD, request);
      const streamed = events.flatMap((each) => writer.of(each));
      return [usageIn(api.whole(HEAD, request, events)), streamed.map(usageIn).findLast((each) => each)];
    };
  }

  const conversation = { messages: [QUESTION], stream_options: { include_usage: true } };
  for (const [name, usageOf] of [
    ['Chat Completions', both(chatApi, conversation)],
    ['Responses', both(responsesApi, { input: 'Go.' })],
    ['Messages', both(messagesApi, { messages: [QUESTION] })],
  ] as const) {
    it(`names hidden attempts in an extra field, in ${name}`, () => {
      const plain = usageOf([event(), end]);
      for (const usage of plain) assert.equal(usage?.['hidden_attempts'], undefined);
      for (const [at, usage] of usageOf([event({ count: 2, inputTokens: 20 }), end]).entries()) {
        assert.deepEqual(usage, { ...plain[at], hidden_attempts: { count: 2, input_tokens: 20 } });
      }
    });
  }
});
