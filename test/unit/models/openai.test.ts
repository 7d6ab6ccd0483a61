import assert from 'node:assert/strict';
import type { ModelDelta, ModelFailure, ModelRequest } from '../../../src/core/words/model';
import { fillHeaders } from '../../../src/models/headers';
import { openAiModel } from '../../../src/models/openai';
import { createTransport } from '../../../src/node/endpoint/transport';
import { native } from '../../../src/protocols/native/native';
import { vcp } from '../../../src/protocols/vcp/vcp';
import { callOf } from '../../support/agent/test-session';
import {
  answerWith,
  breakOff,
  FakeEndpoint,
  streamForever,
  streamParts,
} from '../../support/servers/fake-endpoint';
import { parseDeltas } from '../../support/protocols/run-parser';

const CANARY = 'sk-canary-5f1e9c';

describe('openai', () => {
  let endpoint: FakeEndpoint;
  before(async () => (endpoint = await FakeEndpoint.start()));
  beforeEach(() => endpoint.reset());
  after(() => endpoint.stop());

  const request: ModelRequest = native.request({
    instructions: 'Be good.',
    turns: [
      { type: 'user', text: 'hi' },
      {
        type: 'reply',
        parts: [
          {
            type: 'call',
            call: { id: 'a', name: 'echo', arguments: { n: 1 }, start: 0, end: 0, notes: [], mark: 'clean' },
          },
        ],
      },
      {
        type: 'results',
        results: [{ requestId: 'a', toolName: 'echo', status: 'success', result: 'one', durationMs: 1 }],
      },
    ],
    tools: [{ name: 'echo', description: 'Echoes.', parameters: { type: 'object' } }],
  });

  async function ask(
    signal = new AbortController().signal,
    baseUrl = endpoint.baseUrl,
    asked: ModelRequest = request,
  ): Promise<ModelDelta[]> {
    const model = openAiModel({
      name: 'test',
      baseUrl,
      model: 'm',
      apiKey: async () => CANARY,
      fetch: createTransport(),
      extraBody: { seed: 7 },
    });
    const deltas: ModelDelta[] = [];
    for await (const delta of model.stream(asked, signal)) deltas.push(delta);
    return deltas;
  }

  /** Without a key, with these headers and secrets. */
  async function askWith(
    headers: Record<string, string>,
    secrets: Record<string, string> = {},
  ): Promise<ModelDelta[]> {
    const model = openAiModel({
      name: 'test',
      baseUrl: endpoint.baseUrl,
      model: 'm',
      apiKey: async () => undefined,
      fetch: createTransport(),
      headers: () => fillHeaders(headers, async (name) => secrets[name]),
    });
    const deltas: ModelDelta[] = [];
    for await (const delta of model.stream(request, new AbortController().signal)) deltas.push(delta);
    return deltas;
  }

  it('G20.environment: reads no headers from the environment', async () => {
    process.env['OPENAI_CUSTOM_HEADERS'] = 'Authorization: Bearer other\nX-Other: one';
    try {
      await ask();
      assert.match(process.env['OPENAI_CUSTOM_HEADERS'], /other/, 'it is left to those it is for');
    } finally {
      delete process.env['OPENAI_CUSTOM_HEADERS'];
    }
    const [received] = endpoint.requests;
    assert.equal(received?.headers.authorization, `Bearer ${CANARY}`);
    assert.equal(received.headers['x-other'], undefined);
  });

  it('sends headers with their secrets, and no key if there is none', async () => {
    await askWith({ 'X-Team': 'blue', 'X-Key': 'k ${secret:K}' }, { K: CANARY });
    const [received] = endpoint.requests;
    assert.equal(received?.headers['x-team'], 'blue');
    assert.equal(received.headers['x-key'], `k ${CANARY}`);
    assert.equal(received.headers.authorization, undefined);
  });

  it('reports the body as it is sent, without the key', async () => {
    const told: { body: object; origin: ModelRequest['origin'] }[] = [];
    const model = openAiModel({
      name: 'test',
      baseUrl: endpoint.baseUrl,
      model: 'm',
      apiKey: async () => CANARY,
      fetch: createTransport(),
      onSend: (body, { origin }) => told.push({ body, origin }),
    });
    const deltas: ModelDelta[] = [];
    for await (const delta of model.stream(request, new AbortController().signal)) deltas.push(delta);
    assert.notDeepEqual(deltas, []);
    assert.deepEqual(
      told.map(({ body }) => body),
      endpoint.requests.map(({ body }) => body),
    );
    assert.equal(told[0]?.origin, request.origin);
    assert.ok(!JSON.stringify(told).includes(CANARY));
  });

  it('lets a header of the profile take the place of the key', async () => {
    await askWith({ authorization: 'Token ${secret:K}' }, { K: 'x' });
    assert.equal(endpoint.requests[0]?.headers.authorization, 'Token x');
  });

  it('sends nothing if a secret is missing, and says what to do', async () => {
    assert.deepEqual(failureOf(await askWith({ 'X-Key': '${secret:K}' })), {
      code: 'not-configured',
      message:
        'A header of test needs the secret "K", which is not set for this address. Set it with "Parley: Set API Key".',
    });
    assert.deepEqual(endpoint.requests, []);
  });

  it('G19.echo: repeats no secret of a header that the endpoint echoes', async () => {
    const secret = 'no-known-shape';
    endpoint.next(answerWith(400, 'text/plain', `bad ${secret} and Basic ${btoa(`u:${secret}`)}`));
    const { message } = failureOf(await askWith({ 'X-Key': 'k ${secret:K}' }, { K: secret }));
    assert.match(message, /bad \[key\] and Basic/);
    assert.ok(!message.includes('bm8ta25vd24'), message);
  });

  it('G20.redirect: sends no secret of a header anywhere else', async () => {
    const other = await FakeEndpoint.start();
    try {
      endpoint.next((response) => {
        response.writeHead(307, { location: `${other.baseUrl}/chat/completions` });
        response.end();
      });
      assert.equal(failureOf(await askWith({ 'X-Key': '${secret:K}' }, { K: CANARY })).code, 'rejected');
      assert.deepEqual(other.requests, []);
    } finally {
      await other.stop();
    }
  });

  function failureOf(deltas: readonly ModelDelta[]): ModelFailure {
    const last = deltas.at(-1);
    assert.equal(last?.type, 'failure');
    return last.failure;
  }

  it('streams a native call and sends the conversation in the form of the API', async () => {
    endpoint.next(streamParts(native, [{ type: 'text', text: 'Look:' }, callOf('echo', 'hi')]));
    const deltas = await ask();
    const parsed = parseDeltas(native, deltas);
    assert.deepEqual(
      parsed.calls.map(({ name, arguments: args }) => [name, args]),
      [['echo', { text: 'hi' }]],
    );
    assert.equal(parsed.text, 'Look:');
    assert.deepEqual(
      deltas.filter(({ type }) => type === 'end' || type === 'usage').map(({ type }) => type),
      ['end', 'usage'],
    );
    const [received] = endpoint.requests;
    assert.equal(received?.url, '/v1/chat/completions');
    assert.equal(received.headers.authorization, `Bearer ${CANARY}`);
    assert.deepEqual(received.body, {
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      seed: 7,
      messages: [
        { role: 'system', content: 'Be good.' },
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'echo', arguments: '{"n":1}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'one' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'echo', description: 'Echoes.', parameters: { type: 'object' } },
        },
      ],
    });
  });

  it('sends an image after the text of its message', async () => {
    const image = { mediaType: 'image/png', data: 'AAAA' } as const;
    const message = { role: 'user', content: 'what is this?', images: [image] } as const;
    endpoint.next(streamParts(native, [{ type: 'text', text: 'A cat.' }]));
    await ask(undefined, undefined, { ...request, messages: [message] });
    const [received] = endpoint.requests;
    assert.deepEqual(received?.body.messages, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ]);
  });

  it('streams a text protocol', async () => {
    endpoint.next(streamParts(vcp, [callOf('echo', '「末」')]));
    const parsed = parseDeltas(vcp, await ask());
    assert.deepEqual(
      parsed.calls.map(({ arguments: args }) => args),
      [{ text: '「末」' }],
    );
  });

  const failures: {
    name: string;
    reply: Parameters<FakeEndpoint['next']>[0];
    code: ModelFailure['code'];
    says: RegExp;
  }[] = [
    {
      name: 'a 401',
      reply: answerWith(401, 'application/json', `{"error":{"message":"bad key ${CANARY}"}}`),
      code: 'unauthorized',
      says: /Set API Key/,
    },
    {
      name: 'a 404',
      reply: answerWith(404, 'application/json', '{"error":{"message":"model not found"}}'),
      code: 'not-found',
      says: /no model "m".*model not found/,
    },
    {
      name: 'a 429',
      reply: answerWith(429, 'application/json', '{}'),
      code: 'rate-limited',
      says: /too many requests/,
    },
    {
      name: 'a 400 about tools',
      reply: answerWith(400, 'application/json', '{"error":{"message":"gemma:2b does not support tools"}}'),
      code: 'no-tools',
      says: /does not support native tools.*text protocol/,
    },
    {
      name: 'a 404 about tools',
      reply: answerWith(
        404,
        'application/json',
        '{"error":{"message":"No endpoints found that support tool use"}}',
      ),
      code: 'no-tools',
      says: /does not support native tools.*text protocol/,
    },
    {
      name: 'a 400',
      reply: answerWith(400, 'application/json', `{"error":{"message":"no ${CANARY} here"}}`),
      code: 'rejected',
      says: /no \[key\] here/,
    },
    {
      name: 'a 400 about the window',
      reply: answerWith(
        400,
        'application/json',
        `{"error":{"message":"This model's maximum context length is 8192 tokens, ${CANARY}"}}`,
      ),
      code: 'too-long',
      says: /too long for "m": .*8192 tokens, \[key\].*summary/,
    },
    {
      name: 'a 500 about the context size',
      reply: answerWith(
        500,
        'application/json',
        '{"error":{"message":"the request exceeds the available context size"}}',
      ),
      code: 'too-long',
      says: /too long.*larger window/,
    },
    {
      name: 'a 500',
      reply: answerWith(500, 'text/plain', 'boom'),
      code: 'server-error',
      says: /failed \(500\)/,
    },
    {
      name: 'a web page',
      reply: answerWith(200, 'text/html', '<html>hi</html>'),
      code: 'not-a-stream',
      says: /web page.*\/v1/,
    },
    {
      name: 'an empty answer',
      reply: answerWith(200, 'text/event-stream', ''),
      code: 'not-a-stream',
      says: /base URL/,
    },
    {
      name: 'an error inside the stream',
      reply: answerWith(200, 'text/event-stream', 'data: {"error":{"message":"out of memory"}}\n\n'),
      code: 'server-error',
      says: /out of memory/,
    },
  ];
  for (const { name, reply, code, says } of failures) {
    it(`explains ${name} in one sentence without the key`, async () => {
      endpoint.next(reply);
      const failure = failureOf(await ask());
      assert.equal(failure.code, code);
      assert.match(failure.message, says);
      assert.ok(!failure.message.includes(CANARY));
      assert.equal(endpoint.requests.length, 1);
    });
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`G20.redirect: sends the key nowhere else when the endpoint redirects with ${status}`, async () => {
      const other = await FakeEndpoint.start();
      try {
        endpoint.next((response) => {
          response.writeHead(status, {
            location: `${other.baseUrl}/chat/completions?${CANARY}`,
            'www-authenticate': CANARY,
          });
          response.end();
        });
        const failure = failureOf(await ask());
        assert.equal(failure.code, 'rejected');
        assert.ok(!failure.message.includes(CANARY));
        assert.equal(endpoint.requests.length, 1);
        assert.deepEqual(other.requests, []);
      } finally {
        await other.stop();
      }
    });
  }

  for (const { name, reply } of [
    {
      name: 'in a stream that is not JSON',
      reply: answerWith(200, 'text/event-stream', `data: ${CANARY}\n\n`),
    },
    { name: 'in an answer that is not JSON', reply: answerWith(200, 'application/json', CANARY) },
    {
      name: 'in the type of the error',
      reply: answerWith(
        400,
        'application/json',
        `{"error":{"message":"m","type":"${CANARY}","code":"${CANARY}"}}`,
      ),
    },
    {
      name: 'in Base64',
      reply: answerWith(403, 'text/plain', `Basic ${Buffer.from(`user:${CANARY}`).toString('base64')}`),
    },
    {
      name: 'in the middle of a stream',
      reply: answerWith(200, 'text/event-stream', `data: {"error":{"message":"${CANARY}"}}\n\n`),
    },
  ]) {
    it(`G19.echo: repeats no key that the endpoint echoes ${name}`, async () => {
      endpoint.next(reply);
      const { message } = failureOf(await ask());
      for (const form of [CANARY, 'c2stY2FuYXJ5', 'canary', 'Y2FuYXJ5'])
        assert.ok(!message.includes(form), message);
    });
  }

  it('G19.echo: repeats no key that stands in the query of the address', async () => {
    endpoint.next(answerWith(400, 'text/plain', 'no such key: abc123def456'));
    const { message } = failureOf(await ask(undefined, `${endpoint.baseUrl}?api-version=1&key=abc123def456`));
    assert.match(message, /no such key: \[key\]/);
    assert.equal(endpoint.requests[0]?.url, '/v1/chat/completions?api-version=1&key=abc123def456');
  });

  it('explains a connection that breaks in the middle', async () => {
    endpoint.next(breakOff(native, [{ type: 'text', text: 'half of an answer' }]));
    assert.equal(failureOf(await ask()).code, 'cut-off');
  });

  it('explains an address where nothing listens', async () => {
    const gone = await FakeEndpoint.start();
    const { baseUrl } = gone;
    await gone.stop();
    assert.equal(failureOf(await ask(undefined, baseUrl)).code, 'unreachable');
  });

  it('ends quietly when it is stopped, and closes the connection', async () => {
    const stop = new AbortController();
    const closed = new Promise<void>((resolve) =>
      endpoint.next((response, tokens) => {
        let pieces = 0;
        const more = (): string => {
          if (++pieces === 3) stop.abort();
          return 'more ';
        };
        return streamForever(more, resolve)(response, tokens);
      }),
    );
    const deltas = await ask(stop.signal);
    assert.ok(deltas.every(({ type }) => type === 'progress' || type === 'text'));
    await closed;
  });
});
