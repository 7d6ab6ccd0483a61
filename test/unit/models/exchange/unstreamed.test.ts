import assert from 'node:assert/strict';
import type { ModelDelta, ModelFailure } from '../../../../src/core/words/model';
import { openAiModel } from '../../../../src/models/openai';
import { asEvents } from '../../../../src/models/exchange/unstreamed';
import { createTransport } from '../../../../src/node/endpoint/transport';
import { native } from '../../../../src/protocols/native/native';
import { answerWith, FakeEndpoint } from '../../../support/servers/fake-endpoint';

async function pass(body: string, size: number): Promise<string> {
  const bytes = new TextEncoder().encode(body);
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return new Response(source.pipeThrough(asEvents())).text();
}

describe('a body that is not a stream', () => {
  const rows: readonly (readonly [name: string, body: string, events: string])[] = [
    ['JSON', '{"a":"ü"}', 'data: {"a":"ü"}\n\n'],
    ['JSON over lines', '\n {\n "a":\r\n 1 }\n', 'data: {  "a":  1 }\n\n'],
    ['a list', '[1]', 'data: [1]\n\n'],
    ['a line for each event', '{"a":1}\n{"b":2}\n', 'data: {"a":1}\n\ndata: {"b":2}\n\n'],
    ['half a JSON', '{"a":', 'data: {"a":\n\n'],
    ['nothing', '', ''],
    ['blank lines', ' \n', ''],
  ];
  for (const [name, body, events] of rows) {
    it(`becomes events: ${name}`, async () => {
      for (const size of [1, 3, 1_000]) assert.equal(await pass(body, size), events);
    });
  }

  it('leaves a stream unchanged', async () => {
    for (const body of [
      'data: {"a":1}\n\n',
      ': ping\n\ndata: [DONE]\n\n',
      '\ufeffdata: x\n\n',
      '\n\n: x\n\n',
    ])
      for (const size of [1, 4, 1_000]) assert.equal(await pass(body, size), body.replace('\ufeff', ''));
  });
});

describe('an endpoint that does not stream', () => {
  let endpoint: FakeEndpoint;
  before(async () => (endpoint = await FakeEndpoint.start()));
  beforeEach(() => endpoint.reset());
  after(() => endpoint.stop());

  async function ask(): Promise<ModelDelta[]> {
    const model = openAiModel({
      name: 'test',
      baseUrl: endpoint.baseUrl,
      model: 'm',
      apiKey: async () => undefined,
      fetch: createTransport(),
    });
    const request = native.request({ instructions: '', turns: [{ type: 'user', text: 'hi' }], tools: [] });
    const deltas: ModelDelta[] = [];
    for await (const delta of model.stream(request, new AbortController().signal)) deltas.push(delta);
    return deltas.filter(({ type }) => type !== 'progress' && type !== 'carried');
  }

  it('gives its whole reply, calls included', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
    const message = { role: 'assistant', content: 'Look:', reasoning_content: 'hm', tool_calls: [call] };
    const body = {
      id: 'x',
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 5, completion_tokens: 7 },
    };
    endpoint.next(answerWith(200, 'application/json', JSON.stringify(body, null, 2)));
    assert.deepEqual(await ask(), [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Look:' },
      { type: 'tool-call', id: 'c', name: 'f', arguments: '{"a":1}' },
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 7 } },
      { type: 'end', reason: 'tool-calls' },
    ]);
  });

  const errors: readonly (readonly [
    name: string,
    type: string,
    body: string,
    failure: Partial<ModelFailure>,
  ])[] = [
    [
      'an error with 200',
      'application/json',
      '{"error":{"message":"out of memory"}}',
      { code: 'server-error' },
    ],
    ['a text in error with 200', 'application/json', '{"error":"out of memory"}', { code: 'server-error' }],
    ['a detail with 200', 'application/json', '{"detail":"out of memory"}', { code: 'server-error' }],
    [
      'a list of errors with 200',
      'application/json',
      '[{"error":{"message":"out of memory"}}]',
      { code: 'server-error' },
    ],
    [
      'old vLLM in a stream',
      'text/event-stream',
      'data: {"object":"error","message":"out of memory","code":400}\n\n',
      { code: 'server-error' },
    ],
    [
      'a window that is full, in a stream',
      'text/event-stream',
      'data: {"error":"request (4480 tokens) exceeds the available context size (4096 tokens)"}\n\n',
      { code: 'too-long', figures: { prompt: 4_480, window: 4_096 } },
    ],
    [
      'words in msg with 200',
      'application/json',
      '{"code":500,"msg":"out of memory","success":false}',
      { code: 'server-error' },
    ],
    [
      'words in base_resp with 200',
      'application/json',
      '{"choices":null,"base_resp":{"status_code":1000,"status_msg":"out of memory"}}',
      { code: 'server-error' },
    ],
    [
      'words in errorMessage with 200, in a stream',
      'text/event-stream',
      'data: {"success":false,"errorMessage":"out of memory"}\n\n',
      { code: 'server-error' },
    ],
    [
      'a key refused with 200',
      'application/json',
      '{"error":{"message":"Invalid API key"}}',
      { code: 'unauthorized' },
    ],
  ];
  for (const [name, type, body, failure] of errors) {
    it(`names ${name} for what it is, and is not asked again`, async () => {
      endpoint.next(answerWith(200, type, body));
      const last = (await ask()).at(-1);
      assert.equal(last?.type, 'failure');
      assert.equal(last.failure.code, failure.code);
      assert.equal(last.failure.retry, undefined);
      assert.deepEqual(last.failure.figures, failure.figures);
      if (failure.code === 'server-error') assert.match(last.failure.message, /: out of memory\. Try/);
    });
  }

  const refusals: readonly (readonly [status: number, body: string, says: RegExp, tries?: number])[] = [
    [
      402,
      '{"error":{"message":"Insufficient Balance"}}',
      /no credit left \(402\): Insufficient Balance\. Top it up/,
    ],
    [
      413,
      '<html>413 Request Entity Too Large</html>',
      /larger than .* lets through \(413\)\. Leave out images/,
    ],
    [400, '{"error":{"message":"No connected db."}}', /refused the key \(400\)\. Set it/],
    [
      500,
      '{"error":"error parsing tool call: raw"}',
      /could not read a call that the model has written\./,
      3,
    ],
    [
      500,
      '{"error":{"message":"litellm.InternalServerError: InternalServerError: OpenAIException - Connection error."}}',
      /answers, but cannot reach the server behind it \(500\): Connection error\. Check that server\./,
      5,
    ],
    [
      400,
      '{"error":{"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - request (4480 tokens) exceeds the available context size (4096 tokens), try increasing it. Received Model Group=x"}}',
      /^The conversation is too long for "m": it has 4,480 tokens, the server takes 4,096\. Continue/,
    ],
    [401, '{"error":{"message":"token expired"}}', /refused the key \(401\): token expired\. Set it/],
    [
      429,
      '{"error":{"message":"Slow down."}}',
      /had too many requests \(429\): Slow down\. Wait a little/,
      5,
    ],
    [
      429,
      '{"error":{"message":"Too large: Limit 10, Requested 20"}}',
      /takes no request of this size \(429\): Too large: Limit 10, Requested 20\. Use fewer tools/,
    ],
    [
      429,
      '{"error":{"message":"Daily limit"}}',
      /has no quota left \(429\): Daily limit\. Wait until it is renewed/,
    ],
    [
      429,
      '{"error":{"message":"Daily limit","details":[{"retryDelay":"30s"}]}}',
      /has no quota left \(429\): Daily limit\. Wait until it is renewed/,
      2,
    ],
    [
      422,
      '{"detail":[{"loc":["body","seed"],"msg":"Extra inputs are not permitted"}]}',
      /\(422\): body\.seed: Extra/,
    ],
  ];
  for (const [status, body, says, tries] of refusals) {
    it(`says what to do after ${status}: ${body.slice(0, 60)}`, async () => {
      endpoint.next(answerWith(status, 'application/json', body));
      const last = (await ask()).at(-1);
      assert.equal(last?.type, 'failure');
      assert.match(last.failure.message, says);
      assert.equal(last.failure.retry === undefined ? undefined : (last.failure.retry.tries ?? 5), tries);
    });
  }
});
