import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { Protocol } from '../../../../src/core/words/protocol';
import type { Api } from '../../../../src/models/apis/api-name';
import { ModelFacts } from '../../../../src/models/model-facts';
import { openModel } from '../../../../src/models/open-model';
import type { ModelProfile } from '../../../../src/models/profiles';
import { native } from '../../../../src/protocols/native/native';
import { vcp } from '../../../../src/protocols/vcp/vcp';
import { eventLine, readLine } from '../../../../src/sessions/record';
import { testSession, testTool } from '../../../support/agent/test-session';
import { modelAccess } from '../../../support/servers/model-access';
import { StrictServer, type Imitation } from '../../../support/servers/strict-api';
import { StrictChat } from '../../../support/servers/strict-chat';
import { StrictMessages } from '../../../support/servers/strict-messages';
import { StrictResponses } from '../../../support/servers/strict-responses';

const echo = testTool('echo', 'read', async (text) => `said ${text}`);

const imitations: Readonly<Record<Api, () => Imitation>> = {
  chat: () => new StrictChat(),
  responses: () => new StrictResponses(),
  messages: () => new StrictMessages(),
};
const APIS: readonly Api[] = ['chat', 'responses', 'messages'];

/** As restored from a session file. */
function reloaded(events: readonly AgentEvent[]): AgentEvent[] {
  return events.map((event) => {
    const record = readLine(eventLine(JSON.stringify(event)).trimEnd());
    assert.equal(record?.type, 'event');
    return record.event;
  });
}

describe('the APIs of endpoints', () => {
  const running: StrictServer[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()));
  });

  async function start(imitation: Imitation): Promise<StrictServer> {
    const server = await StrictServer.start(imitation);
    running.push(server);
    return server;
  }

  interface Talk {
    readonly server: StrictServer;
    readonly api: Api;
    readonly past?: readonly AgentEvent[];
    readonly more?: Partial<ModelProfile>;
    readonly protocol?: Protocol;
    readonly key?: string;
    readonly facts?: ModelFacts;
  }

  /** Sends one message, and returns all events as they are in the session file. */
  async function talk({
    server,
    api,
    past = [],
    more,
    protocol = native,
    key,
    facts = new ModelFacts(),
  }: Talk): Promise<AgentEvent[]> {
    const profile: ModelProfile = {
      ...{ id: 'test', provider: 'openai', baseUrl: server.baseUrl, model: 'large', api },
      ...more,
    };
    const access = modelAccess({
      facts,
      credentials: () => ({
        apiKey: async () => key,
        headers: async () => ({ type: 'filled', headers: profile.headers ?? {}, secrets: [] }),
      }),
    });
    const model = await openModel(profile, access, 'chat');
    const { session, errors } = testSession({ protocol, tools: [echo], model, past });
    await session.send('Go.');
    assert.deepEqual(errors, []);
    return reloaded(session.events);
  }

  function outcomes(events: readonly AgentEvent[]): readonly string[] {
    return events.flatMap((event) => (event.type === 'run-end' ? [event.outcome.type] : []));
  }

  for (const api of APIS) {
    it(`carry ten turns with thinking and parallel calls over ${api}`, async () => {
      const server = await start(imitations[api]());
      let past: AgentEvent[] = [];
      for (let turn = 0; turn < 10; turn++) past = await talk({ server, api, past });
      assert.deepEqual(server.refusals, []);
      assert.equal(server.requests.length, 20);
      assert.deepEqual(outcomes(past), Array(10).fill('done'));
      assert.equal(past.filter(({ type }) => type === 'tool-end').length, 20);
    });

    for (const other of APIS.filter((each) => each !== api)) {
      it(`move from ${api} to ${other} and back in the middle of a conversation`, async () => {
        const servers = { [api]: await start(imitations[api]()), [other]: await start(imitations[other]()) };
        let past: AgentEvent[] = [];
        for (const each of [api, api, other, other, api, other, api, other, other, api]) {
          past = await talk({ server: servers[each]!, api: each, past });
        }
        for (const server of Object.values(servers)) assert.deepEqual(server.refusals, []);
        assert.deepEqual(outcomes(past), Array(10).fill('done'));
      });
    }
  }

  for (const api of ['responses', 'messages'] as const) {
    it(`carry text protocols over ${api} as plain text`, async () => {
      const server = await start(imitations[api]());
      const past = await talk({ server, api, protocol: vcp });
      await talk({ server, api, protocol: vcp, past });
      assert.deepEqual(server.refusals, []);
      assert.ok(server.requests.every(({ body }) => body['tools'] === undefined));
    });

    it(`show thinking, and count all input tokens, over ${api}`, async () => {
      const server = await start(imitations[api]());
      const events = await talk({ server, api });
      const ends = events.flatMap((event) => (event.type === 'reply-end' ? [event] : []));
      assert.deepEqual(
        ends.map(({ usage }) => [usage?.inputTokens, usage?.cachedTokens, usage?.outputTokens]),
        [
          [3210, 3000, 42],
          [3210, 3000, 42],
        ],
      );
      const thinking = events.flatMap((event) => (event.type === 'reasoning' ? [event.text] : [])).join('');
      assert.equal(thinking, 'Thought 1.Thought 2.');
    });

    it(`keep thinking from another model of ${api}`, async () => {
      const server = await start(imitations[api]());
      const past = await talk({ server, api });
      await talk({ server, api, past, more: { model: 'other' } });
      assert.deepEqual(server.refusals, []);
      assert.doesNotMatch(
        JSON.stringify(server.requests.find(({ body }) => body['model'] === 'other')?.body),
        /Thought 1|encrypted_content":|signature/,
      );
    });
  }

  interface Refusal {
    readonly name: string;
    readonly imitation: Imitation;
    readonly api: Api;
    readonly more?: Partial<ModelProfile>;
    readonly key?: string;
    /** Refused requests before the first answer. */
    readonly refusals: number;
    readonly sent: (body: JsonObject) => unknown;
    readonly expected: unknown;
  }

  const refusals: readonly Refusal[] = [
    {
      name: 'a lower limit of tokens',
      imitation: new StrictMessages({ mostTokens: 4096 }),
      api: 'messages',
      refusals: 1,
      sent: ({ max_tokens: most }) => most,
      expected: 4096,
    },
    {
      name: 'a key as a bearer token',
      imitation: new StrictMessages({ key: 'k1', isBearer: true }),
      api: 'messages',
      key: 'k1',
      refusals: 1,
      sent: ({ max_tokens: most }) => most,
      expected: 8192,
    },
    {
      name: 'a budget of thinking',
      imitation: new StrictMessages({ isOlder: true }),
      api: 'messages',
      more: { effort: 'low', temperature: 0.3 },
      refusals: 2,
      sent: ({ thinking, output_config: config, max_tokens: most }) => ({ thinking, config, most }),
      expected: { thinking: { type: 'enabled', budget_tokens: 2048 }, config: undefined, most: 10_240 },
    },
    {
      name: 'a model without reasoning',
      imitation: new StrictResponses({ isPlain: true }),
      api: 'responses',
      more: { effort: 'high' },
      refusals: 2,
      sent: ({ include, reasoning }) => ({ include, reasoning }),
      expected: { include: undefined, reasoning: undefined },
    },
  ];

  for (const { name, imitation, api, more = {}, key, refusals: count, sent, expected } of refusals) {
    it(`learn ${name} from a refusal`, async () => {
      const [server, facts] = [await start(imitation), new ModelFacts()];
      const past = await talk({ server, api, more, facts, ...(key !== undefined && { key }) });
      await talk({ server, api, more, facts, past, ...(key !== undefined && { key }) });
      assert.equal(server.refusals.length, count, JSON.stringify(server.refusals));
      assert.deepEqual(sent(server.requests.at(-1)!.body), expected);
    });
  }

  for (const [api, effort, expected] of [
    ['chat', 'high', { reasoning_effort: 'high' }],
    ['responses', 'medium', { reasoning: { effort: 'medium', summary: 'auto' } }],
    ['responses', 'none', { reasoning: { effort: 'none' } }],
    ['messages', 'low', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    ['messages', 'none', { thinking: { type: 'disabled' } }],
  ] as const) {
    it(`name the effort ${effort} in their own way: ${api}`, async () => {
      const server = await start(imitations[api]());
      await talk({ server, api, more: { effort } });
      const { body } = server.requests[0]!;
      const fields = ['reasoning_effort', 'reasoning', 'thinking', 'output_config'];
      const named = Object.entries(body).filter(([field]) => fields.includes(field));
      assert.deepEqual(Object.fromEntries(named), expected);
    });
  }

  it('reach a deployment of Azure with its version and key, and without a bearer token', async () => {
    const server = await start(new StrictChat({ azureKey: 'k2' }));
    const baseUrl = `${server.baseUrl.replace('/v1', '/openai/deployments/large')}?api-version=2026-01-01`;
    const events = await talk({
      server,
      api: 'chat',
      more: { baseUrl, headers: { 'api-key': 'k2' } },
      key: 'another key of this origin',
    });
    assert.deepEqual(outcomes(events), ['done']);
    assert.match(
      server.requests.at(-1)!.url,
      /deployments\/large\/chat\/completions\?api-version=2026-01-01$/,
    );
  });
});
