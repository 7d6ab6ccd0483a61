import assert from 'node:assert/strict';
import type { ToolResult } from '../../../src/core/words/messages';
import type { Model, ModelDelta, ModelRequest } from '../../../src/core/words/model';
import { ModelFacts } from '../../../src/models/model-facts';
import { openModel, openPass, type Purpose } from '../../../src/models/open-model';
import type { ModelProfile } from '../../../src/models/profiles';
import { native } from '../../../src/protocols/native/native';
import { findProtocol } from '../../../src/protocols';
import { toolCall } from '../../support/agent/chat-events';
import {
  answerWith,
  FakeEndpoint,
  streamText,
  type EndpointReply,
} from '../../support/servers/fake-endpoint';
import { probeReplies, requestedForm } from '../../support/servers/form-probe';
import { modelAccess } from '../../support/servers/model-access';

const purposes: readonly Purpose[] = ['chat', 'gateway', 'test', 'doctor'];

const READ: ToolResult = {
  ...{ requestId: 'c1', toolName: 'read_file', status: 'success', result: 'Text.', durationMs: 1 },
};

/** Another model has made the call, without reasoning. */
const request: ModelRequest = native.request({
  instructions: '',
  turns: [
    { type: 'user', text: 'Look.' },
    { type: 'reply', parts: [{ type: 'call', call: toolCall('read_file', { path: 'a' }) }] },
    { type: 'results', results: [READ] },
  ],
  tools: [],
});

/** Its reply has a form that a server could enforce. */
const formRequest: ModelRequest = findProtocol('hermes')!.request({
  instructions: '',
  turns: [{ type: 'user', text: 'Look.' }],
  tools: [{ name: 'read_file', description: '', parameters: { type: 'object', properties: {} } }],
});

const refused = (message: string, status = 400): EndpointReply =>
  answerWith(status, 'application/json', JSON.stringify({ error: { message } }));

describe('a model', () => {
  let endpoint: FakeEndpoint;
  before(async () => (endpoint = await FakeEndpoint.start()));
  beforeEach(() => endpoint.reset());
  after(() => endpoint.stop());

  const profileOf = (given: Partial<ModelProfile> = {}): ModelProfile => ({
    ...{ id: 'p', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'corp-large' },
    ...given,
  });

  const bodies = (): readonly string[] => endpoint.requests.map(({ body }) => JSON.stringify(body));

  async function read(model: Model, sent = request): Promise<readonly ModelDelta[]> {
    const deltas: ModelDelta[] = [];
    for await (const delta of model.stream(sent, new AbortController().signal)) deltas.push(delta);
    return deltas;
  }

  /** Whether an answer came. */
  async function ask(purpose: Purpose, facts: ModelFacts): Promise<boolean> {
    const deltas = await read(await openModel(profileOf(), modelAccess({ facts }), purpose));
    return deltas.some(({ type }) => type === 'text') && deltas.every(({ type }) => type !== 'failure');
  }

  /** What an endpoint says, and by what its requests differ after that. */
  const lessons: readonly { readonly says: string; readonly accepts: (body: string) => boolean }[] = [
    {
      says: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
      accepts: (body) => body.includes('"reasoning_content":""'),
    },
    {
      says: 'Function call is missing a thought_signature in functionCall parts.',
      accepts: (body) => body.includes('skip_thought_signature_validator'),
    },
  ];

  for (const { says, accepts } of lessons) {
    for (const first of purposes) {
      it(`that refuses (${says.slice(0, 24)}…) costs one request if ${first} meets it first`, async () => {
        endpoint.always(({ body }) => (accepts(JSON.stringify(body)) ? streamText('Fine.') : refused(says)));
        const facts = new ModelFacts();
        for (const purpose of [first, ...purposes]) assert.ok(await ask(purpose, facts), purpose);
        const sent = bodies();
        assert.equal(sent.filter((body) => !accepts(body)).length, 1);
        assert.deepEqual([...new Set(sent.slice(1))], [sent[1]]);
      });
    }
  }

  it('answers all requests that were under way when its endpoint refused the first', async () => {
    const [lesson] = lessons;
    endpoint.always(({ body }) =>
      lesson!.accepts(JSON.stringify(body)) ? streamText('Fine.') : refused(lesson!.says),
    );
    const facts = new ModelFacts();
    const answered = await Promise.all(purposes.map((purpose) => ask(purpose, facts)));
    assert.deepEqual(answered, [true, true, true, true]);
  });

  for (const first of ['chat', 'gateway', 'doctor'] as const) {
    it(`is asked about the form of replies once, if ${first} meets its server first`, async () => {
      let probes = 0;
      endpoint.answerProbe = (probe) => {
        probes++;
        return probeReplies.takes(probe);
      };
      const access = modelAccess();
      for (const purpose of [first, 'chat', 'gateway', 'doctor'] as const)
        await read(await openModel(profileOf(), access, purpose), formRequest);
      assert.equal(probes, 1);
      const forms = endpoint.requests.map((each) => requestedForm(each)?.field);
      assert.deepEqual(forms, ['grammar', 'grammar', 'grammar', 'grammar']);
    });
  }

  const failing: readonly (readonly [Purpose, number])[] = [
    ['chat', 2],
    ['doctor', 2],
    // Whoever asked decides about another try.
    ['gateway', 1],
    ['test', 1],
  ];
  for (const [purpose, requests] of failing) {
    it(`that fails temporarily gets ${requests} from ${purpose}`, async () => {
      endpoint.next((response) => {
        response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '0' });
        response.end('{"error":{"message":"overloaded"}}');
      });
      endpoint.always(() => streamText('Fine.'));
      assert.equal(await ask(purpose, new ModelFacts()), requests > 1);
      assert.equal(endpoint.requests.length, requests);
    });
  }

  const refreshing: readonly (readonly [string, boolean])[] = [
    ...purposes.map((purpose) => [purpose, purpose !== 'test'] as const),
    ['a request that is passed on', true],
  ];
  for (const [way, isRefreshed] of refreshing) {
    it(`gets ${isRefreshed ? 'another key' : 'no other key'} if ${way} meets a refusal of the first`, async () => {
      endpoint.key = 'new';
      endpoint.always(() => streamText('Fine.'));
      let key = 'old';
      const access = modelAccess({
        credentials: () => ({
          apiKey: async () => key,
          refreshKey: async () => {
            key = 'new';
            return true;
          },
        }),
      });
      const purpose = purposes.find((each) => each === way);
      if (purpose) {
        const deltas = await read(await openModel(profileOf(), access, purpose));
        assert.equal(
          deltas.every(({ type }) => type !== 'failure'),
          isRefreshed,
        );
      } else {
        const passed = await openPass(profileOf(), access)!({ messages: [] }, new AbortController().signal);
        assert.ok(passed.type === 'passed');
        for await (const piece of passed.pieces) assert.ok(piece.length > 0);
      }
      assert.equal(key, isRefreshed ? 'new' : 'old');
      assert.equal(endpoint.requests.length, isRefreshed ? 1 : 0);
    });
  }

  const root = (): string => endpoint.baseUrl.replace('/v1', '');
  const addresses: readonly (readonly [name: string, written: () => string, urls: readonly string[]])[] = [
    ['without /v1', root, ['/v1/chat/completions']],
    ['of a request', () => `${endpoint.baseUrl}/chat/completions/`, ['/v1/chat/completions']],
    ['with a query', () => `${root()}/d/x?api-version=1`, ['/d/x/chat/completions?api-version=1']],
    [
      'that needs no /v1',
      () => `${root()}/?none=1`,
      ['/v1/chat/completions?none=1', '/chat/completions?none=1', '/chat/completions?none=1'],
    ],
    [
      'that needs /v1 behind its path',
      () => `${root()}/needs`,
      ['/needs/chat/completions', '/needs/v1/chat/completions', '/needs/v1/chat/completions'],
    ],
  ];
  for (const [name, written, urls] of addresses) {
    for (const way of [...purposes, 'a request that is passed on'] as const) {
      it(`is reached at an address ${name} by ${way}`, async () => {
        endpoint.always(({ url }) =>
          /^\/v1.*none|^\/needs\/chat/.test(url) ? refused('Not here.', 404) : streamText('Fine.'),
        );
        const profile = profileOf({ baseUrl: written() });
        const signal = new AbortController().signal;
        if (way === 'a request that is passed on') {
          const pass = openPass(profile, modelAccess())!;
          for (let time = 0; time < 2; time++) {
            const passed = await pass({ messages: [] }, signal);
            assert.ok(passed.type === 'passed');
            for await (const piece of passed.pieces) assert.ok(piece.length > 0);
          }
        } else {
          const model = await openModel(profile, modelAccess(), way);
          for (let time = 0; time < 2; time++)
            assert.ok((await read(model)).some(({ type }) => type === 'text'));
        }
        const expected = urls.length === 1 ? [...urls, ...urls] : urls;
        assert.deepEqual(
          endpoint.requests.map(({ url }) => url),
          expected,
        );
      });
    }
  }

  it('is sent the fields of one request without another way to it', async () => {
    const facts = new ModelFacts();
    for (const top_p of [0.5, 0.9]) {
      const model = await openModel(profileOf({ extraBody: { top_p } }), modelAccess({ facts }), 'gateway');
      await read(model);
    }
    assert.deepEqual(
      endpoint.requests.map(({ body }) => (body as unknown as { top_p: number }).top_p),
      [0.5, 0.9],
    );
  });

  it('of VS Code or of the demo has no key, no address and no learning', async () => {
    const access = modelAccess({
      credentials: () => assert.fail(),
      vsCodeModel: ({ model = '' }) => ({
        name: model,
        async *stream() {
          yield { type: 'failure', failure: { code: 'rejected', message: lessons[0]!.says } };
        },
      }),
    });
    for (const purpose of purposes) {
      const vsCode = await openModel({ id: 'v', provider: 'vscode', model: 'copilot/gpt' }, access, purpose);
      assert.equal((await read(vsCode)).length, 1);
      const demo = await openModel({ id: 'demo', provider: 'demo' }, access, purpose);
      assert.ok((await read(demo)).some(({ type }) => type === 'text'));
    }
  });
});
