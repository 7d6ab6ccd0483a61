import assert from 'node:assert/strict';
import type { ServerFacts } from '../../../../src/models/server-facts';
import { rootOf } from '../../../../src/models/api-address';
import { askServer, lookAt, untilLoaded } from '../../../../src/models/servers/ask';
import { JsonServer } from '../../../support/servers/json-server';
import * as told from '../../../support/servers/recorded-answers';

const never = new AbortController().signal;

describe('asking a server what it is', () => {
  const servers: JsonServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });

  async function serve(answer: ConstructorParameters<typeof JsonServer>[0]): Promise<JsonServer> {
    const server = new JsonServer(answer);
    servers.push(server);
    return server.listen();
  }

  const llamaCpp = told.llamaCpp(4096, true);
  const sized = { id: 'coder', owned_by: 'llamacpp', meta: { n_ctx: 4096, n_params: 1_543_714_304 } };
  const ollama = told.ollama({ loaded: 4096 });
  const families: [string, told.RecordedAnswers, string, ServerFacts][] = [
    [
      'llama.cpp that tells the number of weights',
      { ...llamaCpp, 'GET /v1/models': { data: [sized] } },
      'coder',
      {
        ...{ kind: 'llamacpp', window: 4096, vision: false, tools: true, isLoaded: true },
        parameters: 1_543_714_304,
      },
    ],
    [
      'Ollama that tells the size of the model',
      {
        ...ollama,
        'POST /api/show': { ...(ollama['POST /api/show'] as object), details: { parameter_size: '1.5B' } },
      },
      'qwen3:8b',
      {
        ...{ kind: 'ollama', window: 4096, trainedWindow: 40960, vision: false, tools: true, thinks: true },
        ...{ isLoaded: true, parameters: 1_500_000_000 },
      },
    ],
    [
      'llama.cpp whose template drops tools',
      told.llamaCpp(4096, false),
      'smollm2-135m',
      { kind: 'llamacpp', window: 4096, trainedWindow: 8192, vision: false, tools: false, isLoaded: true },
    ],
    [
      'llama.cpp with tools, under any name',
      told.llamaCpp(8192, true),
      'default',
      { kind: 'llamacpp', window: 8192, trainedWindow: 8192, vision: false, tools: true, isLoaded: true },
    ],
    [
      'Ollama with the model loaded: the window in force, not the one in its file',
      told.ollama({ loaded: 4096, set: 16384 }),
      'qwen3:8b',
      {
        kind: 'ollama',
        window: 4096,
        trainedWindow: 40960,
        vision: false,
        tools: true,
        thinks: true,
        isLoaded: true,
      },
    ],
    [
      'Ollama with the model not loaded, and a window in its file',
      told.ollama({ set: 16384 }),
      'qwen3:8b',
      {
        kind: 'ollama',
        window: 16384,
        trainedWindow: 40960,
        vision: false,
        tools: true,
        thinks: true,
        isLoaded: false,
      },
    ],
    [
      'Ollama that hides its window',
      told.ollama({ capabilities: ['completion'] }),
      'qwen3:8b',
      { kind: 'ollama', trainedWindow: 40960, vision: false, tools: false, thinks: false, isLoaded: false },
    ],
    [
      'LM Studio',
      told.lmStudio(4096),
      'qwen/qwen3-8b',
      {
        kind: 'lmstudio',
        window: 4096,
        trainedWindow: 40960,
        vision: false,
        tools: true,
        isLoaded: true,
        canLoad: true,
      },
    ],
    [
      'LM Studio with nothing loaded',
      told.lmStudio(undefined, false),
      'qwen/qwen3-8b',
      { kind: 'lmstudio', trainedWindow: 40960, vision: false, tools: false, isLoaded: false, canLoad: true },
    ],
    [
      'older LM Studio',
      told.oldLmStudio(8192),
      'qwen3-8b',
      { kind: 'lmstudio', window: 8192, trainedWindow: 40960, vision: true, isLoaded: true },
    ],
    ['vLLM', told.vllm, 'Qwen/Qwen3-8B', { kind: 'vllm', window: 32768 }],
    [
      'SGLang without a parser',
      told.sglang,
      'Qwen/Qwen3-8B',
      { kind: 'sglang', window: 32768, tools: false },
    ],
    ['LocalAI', told.localAi, 'gemma', { kind: 'localai', window: 8192, vision: true }],
    [
      'OpenRouter',
      told.openRouter,
      'z-ai/glm-5',
      { kind: 'openrouter', window: 131072, maxOutput: 65536, vision: true, tools: true, thinks: true },
    ],
    ['LiteLLM', told.liteLlm, 'house', { kind: 'litellm', window: 128000, tools: true }],
    ['one that tells nothing', told.namesOnly, 'm', {}],
  ];
  for (const [name, answers, model, facts] of families) {
    it(`learns from ${name}`, async () => {
      const server = await serve(told.answerFrom(answers));
      assert.deepEqual(await askServer({ baseUrl: `${server.origin}/v1` }, model, never), facts);
    });
  }

  it('asks a llama.cpp with many models without loading one', async () => {
    const server = await serve(
      told.answerFrom({
        'GET /v1/models': {
          data: [{ id: 'a', status: { value: 'unloaded' }, owned_by: 'llamacpp' }, { id: 'b' }],
        },
      }),
    );
    await askServer({ baseUrl: `${server.origin}/v1` }, 'a', never);
    assert.deepEqual(
      server.requests.map(({ url }) => url.pathname + url.search),
      ['/v1/models', '/props?model=a&autoload=false'],
    );
  });

  it('asks nothing else of a server that did not answer, and gives up in time', async () => {
    const server = await serve(() => new Promise(() => undefined));
    const stop = new AbortController();
    const asked = askServer({ baseUrl: `${server.origin}/v1` }, 'm', stop.signal);
    stop.abort();
    assert.equal(await asked, undefined);
  });

  it('sends the key to its own address and follows no redirect', async () => {
    const stranger = await serve(() => ({ status: 200, json: { data: [{ id: 'm', max_model_len: 4096 }] } }));
    const server = await serve(() => ({
      status: 307,
      headers: { location: `${stranger.origin}/v1/models` },
    }));
    const address = { baseUrl: `${server.origin}/v1`, key: 'sk-1', headers: { 'x-team': 'a' } };
    assert.deepEqual(await askServer(address, 'm', never), {});
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer sk-1');
    assert.equal(server.requests[0].headers['x-team'], 'a');
    assert.deepEqual(stranger.requests, []);
  });

  it('sends no key if there is none', async () => {
    const server = await serve(told.answerFrom(told.vllm));
    await askServer({ baseUrl: `${server.origin}/v1` }, 'm', never);
    assert.deepEqual(
      new Set(server.requests.map(({ headers }) => headers.authorization)),
      new Set([undefined]),
    );
  });

  it('says what a look at an address shows', async () => {
    const look = async (status: number, json: unknown): Promise<string> => {
      const server = await serve(() => ({ status, json }));
      return (await lookAt({ baseUrl: `${server.origin}/v1/` }, never)).type;
    };
    assert.equal(await look(200, { data: [{ id: 'm' }] }), 'found');
    assert.equal(await look(200, { hello: 'world' }), 'none');
    assert.equal(await look(401, { error: 'no key' }), 'locked');
    assert.equal(await look(403, {}), 'locked');
    assert.equal(await look(503, { error: { message: 'Loading model' } }), 'loading');
    assert.equal(await look(500, { data: [{ id: 'm' }] }), 'none');
  });

  it('waits while a server loads, of which nothing is known meanwhile', async () => {
    let asked = 0;
    const server = await serve(() =>
      ++asked <= 2
        ? { status: 503, json: { error: 'Loading model' } }
        : { status: 200, json: { data: [sized] } },
    );
    const address = { baseUrl: `${server.origin}/v1` };
    assert.equal(await askServer(address, 'coder', never), undefined);
    let told = 0;
    assert.equal(await untilLoaded(address, never, () => told++), true);
    assert.deepEqual([asked, told], [3, 1]);
    assert.equal(await untilLoaded(address, never, () => told++), false);
    assert.equal((await askServer(address, 'coder', never))?.kind, 'llamacpp');
  });

  it('finds the root of a server', () => {
    const roots = [
      'http://a:1/v1',
      'http://a:1/v1/',
      'http://a:1',
      'http://a:1/llama/v1',
      'http://a:1/api/v0',
      'http://a:1/api/v1',
    ];
    assert.deepEqual(roots.map(rootOf), [
      'http://a:1',
      'http://a:1',
      'http://a:1',
      'http://a:1/llama',
      'http://a:1',
      'http://a:1',
    ]);
  });
});
