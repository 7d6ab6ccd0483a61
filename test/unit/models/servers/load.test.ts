import assert from 'node:assert/strict';
import { loadIntoLmStudio, windowsToOffer } from '../../../../src/models/servers/load';
import { JsonServer, type JsonAnswer } from '../../../support/servers/json-server';
import { answerFrom, lmStudio } from '../../../support/servers/recorded-answers';

const never = new AbortController().signal;

describe('loading a model with a larger window', () => {
  let server: JsonServer;
  let loaded: JsonAnswer;
  beforeEach(async () => {
    loaded = { status: 200, json: { status: 'loaded', load_config: { context_length: 30000 } } };
    const told = answerFrom(lmStudio(4096));
    server = await new JsonServer((question) =>
      question.url.pathname === '/api/v1/models/load' ? loaded : told(question),
    ).listen();
  });
  afterEach(() => server.stop());

  const load = (model: string): ReturnType<typeof loadIntoLmStudio> =>
    loadIntoLmStudio({ baseUrl: `${server.origin}/v1`, key: 'k' }, model, 32768, never);

  it('unloads what is loaded of it, and says the window that it got', async () => {
    assert.deepEqual(await load('qwen/qwen3-8b'), { type: 'loaded', window: 30000 });
    assert.deepEqual(
      server.requests.map(({ method, url, body }) => [
        method,
        url.pathname,
        body && (JSON.parse(body) as unknown),
      ]),
      [
        ['GET', '/api/v1/models', ''],
        ['POST', '/api/v1/models/unload', { instance_id: 'qwen/qwen3-8b' }],
        [
          'POST',
          '/api/v1/models/load',
          { model: 'qwen/qwen3-8b', context_length: 32768, echo_load_config: true },
        ],
      ],
    );
    for (const { headers } of server.requests) assert.equal(headers.authorization, 'Bearer k');
  });

  it('loads one that is not there yet, and unloads nothing else', async () => {
    assert.equal((await load('other')).type, 'loaded');
    assert.deepEqual(
      server.requests.map(({ url }) => url.pathname),
      ['/api/v1/models', '/api/v1/models/load'],
    );
  });

  for (const [json, said] of [
    [{ error: { message: 'Insufficient memory' } }, 'Insufficient memory'],
    [{ error: 'no such model' }, 'no such model'],
    [undefined, ''],
  ] as const) {
    it(`says why it was not loaded: ${said || 'nothing'}`, async () => {
      loaded = { status: 500, json };
      assert.deepEqual(await load('other'), { type: 'failed', said });
    });
  }

  it('offers larger windows up to what the model was trained for', () => {
    assert.deepEqual(windowsToOffer(4096, 40960), [8192, 16384, 32768, 40960]);
    assert.deepEqual(windowsToOffer(undefined, 8192), [8192]);
    assert.deepEqual(windowsToOffer(16384, undefined), [32768, 65536, 131072]);
    assert.deepEqual(windowsToOffer(40960, 40960), []);
  });
});
