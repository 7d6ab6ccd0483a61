import assert from 'node:assert/strict';
import type { ModelDelta, ModelRequest } from '../../../src/core/words/model';
import { openAiModel } from '../../../src/models/openai';
import { refreshKey } from '../../../src/models/refresh-key';
import { createTransport } from '../../../src/node/endpoint/transport';
import { KeyCommand } from '../../../src/node/endpoint/key-command';
import { native } from '../../../src/protocols/native/native';
import { answerWith, FakeEndpoint } from '../../support/servers/fake-endpoint';

const request: ModelRequest = native.request({
  instructions: '',
  turns: [{ type: 'user', text: 'hi' }],
  tools: [],
});

describe('a key that is refused', () => {
  let endpoint: FakeEndpoint;
  before(async () => (endpoint = await FakeEndpoint.start()));
  beforeEach(() => endpoint.reset());
  after(() => endpoint.stop());

  async function ask(
    keys: string[],
    renew: () => Promise<boolean>,
    signal = new AbortController().signal,
  ): Promise<ModelDelta[]> {
    const model = openAiModel({
      name: 'test',
      baseUrl: endpoint.baseUrl,
      model: 'm',
      apiKey: async () => keys.shift(),
      fetch: createTransport(),
    });
    const deltas: ModelDelta[] = [];
    for await (const delta of refreshKey(renew)(model).stream(request, signal)) deltas.push(delta);
    return deltas;
  }

  const refused = answerWith(401, 'application/json', '{"error":{"message":"expired"}}');
  const sentKeys = (): unknown[] => endpoint.requests.map(({ headers }) => headers.authorization);

  it('is requested again, and the same request continues', async () => {
    endpoint.next(refused);
    const deltas = await ask(['old', 'new'], async () => true);
    assert.ok(deltas.every(({ type }) => type !== 'failure'));
    assert.deepEqual(sentKeys(), ['Bearer old', 'Bearer new']);
    assert.deepEqual(endpoint.requests[0]?.body, endpoint.requests[1]?.body);
  });

  it('is asked for once only', async () => {
    endpoint.next(refused, refused, refused);
    const last = (await ask(['a', 'b', 'c'], async () => true)).at(-1);
    assert.ok(last?.type === 'failure' && last.failure.code === 'unauthorized');
    assert.equal(endpoint.requests.length, 2);
  });

  it('ends the run if there is no other key', async () => {
    endpoint.next(refused);
    const last = (await ask(['a', 'b'], async () => false)).at(-1);
    assert.ok(last?.type === 'failure' && last.failure.code === 'unauthorized');
    assert.equal(endpoint.requests.length, 1);
  });

  it('is asked for by no other failure', async () => {
    endpoint.next(answerWith(403, 'text/plain', 'no'));
    await ask(['a', 'b'], () => Promise.reject(new Error('not asked')));
    assert.equal(endpoint.requests.length, 1);
  });

  it('sends nothing more after a stop', async () => {
    endpoint.next(refused);
    const stop = new AbortController();
    const renew = async (): Promise<boolean> => {
      stop.abort();
      return true;
    };
    assert.deepEqual(await ask(['a', 'b'], renew, stop.signal), []);
    assert.equal(endpoint.requests.length, 1);
  });

  it('sends nothing if a command gives no key, and says why', async () => {
    const model = openAiModel({
      name: 'test',
      baseUrl: endpoint.baseUrl,
      model: 'm',
      apiKey: (signal) => new KeyCommand({ command: 'exit 3' }).key(signal),
    });
    const deltas: ModelDelta[] = [];
    for await (const delta of model.stream(request, new AbortController().signal)) deltas.push(delta);
    const [only] = deltas;
    assert.ok(only?.type === 'failure' && only.failure.code === 'not-configured');
    assert.match(only.failure.message, /"apiKeyCommand" failed \(3\)\. Run it in a terminal/);
    assert.deepEqual(endpoint.requests, []);
  });
});
