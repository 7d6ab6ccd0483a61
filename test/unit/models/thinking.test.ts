import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import type { AgentEvent } from '../../../src/core/words/events';
import type { Model } from '../../../src/core/words/model';
import type { Protocol } from '../../../src/core/words/protocol';
import { requestBody } from '../../../src/models/body';
import { ModelFacts } from '../../../src/models/model-facts';
import { learnRequirements } from '../../../src/models/reasoning-requirements';
import type { ReasoningRequirements } from '../../../src/models/fact-types';
import { openModel } from '../../../src/models/open-model';
import type { ModelProfile } from '../../../src/models/profiles';
import type { ServerKind } from '../../../src/models/server-facts';
import { native } from '../../../src/protocols/native/native';
import { vcp } from '../../../src/protocols/vcp/vcp';
import { eventLine, readLine } from '../../../src/sessions/record';
import { testSession, testTool } from '../../support/agent/test-session';
import { modelAccess } from '../../support/servers/model-access';
import { FakeEndpoint } from '../../support/servers/fake-endpoint';
import { ThinkingServer, thinkingVendors, type ThinkingVendor } from '../../support/servers/thinking-servers';
import { factInMemory } from '../../support/servers/fact-in-memory';

const echo = testTool('echo', 'read', async (text) => `said ${text}`);

/** As restored from a session file. */
function reloaded(events: readonly AgentEvent[]): AgentEvent[] {
  return events.map((event) => {
    const record = readLine(eventLine(JSON.stringify(event)).trimEnd());
    assert.equal(record?.type, 'event');
    return record.event;
  });
}

describe('thinking', () => {
  let endpoint: FakeEndpoint;
  before(async () => (endpoint = await FakeEndpoint.start()));
  beforeEach(() => endpoint.reset());
  after(() => endpoint.stop());

  interface Talk {
    readonly vendor: ThinkingVendor;
    readonly server?: ThinkingServer;
    readonly model?: string;
    readonly facts?: ModelFacts;
    readonly reasoning?: NonNullable<ModelProfile['reasoning']>;
    readonly past?: readonly AgentEvent[];
    readonly protocol?: Protocol;
  }

  function profileOf(model: string, reasoning?: Talk['reasoning']): ModelProfile {
    return {
      id: 'test',
      provider: 'openai',
      baseUrl: endpoint.baseUrl,
      model,
      ...(reasoning && { reasoning }),
    };
  }

  /** Sends one message, which takes five rounds, and returns all events. */
  async function talk({
    vendor,
    server,
    protocol = native,
    past = [],
    facts = new ModelFacts(),
    model = vendor.model,
    reasoning,
  }: Talk): Promise<readonly AgentEvent[]> {
    const { reply } = server ?? new ThinkingServer(vendor, vcp);
    endpoint.always(reply);
    const profile = profileOf(model, reasoning);
    const client = await openModel(profile, modelAccess({ facts }), 'test');
    const { session, errors } = testSession({ protocol, tools: [echo], model: client, past });
    await session.send('Go.');
    assert.deepEqual(errors, []);
    return reloaded(session.events);
  }

  for (const vendor of thinkingVendors) {
    it(`goes back to ${vendor.name} over 20 rounds, a reload after each message and other protocols in between`, async () => {
      const server = new ThinkingServer(vendor, vcp);
      let past: readonly AgentEvent[] = [];
      for (const protocol of [native, vcp, native, native])
        past = await talk({ vendor, server, protocol, past });
      assert.deepEqual(server.refused, []);
      assert.equal(server.rounds, 20);
      assert.equal(past.filter(({ type }) => type === 'tool-end').length, 16);
      const ends = past.flatMap((event) => (event.type === 'run-end' ? [event.outcome.type] : []));
      assert.deepEqual(ends, ['done', 'done', 'done', 'done']);
    });
  }

  const deepSeek = thinkingVendors[0]!;

  it('goes back to the endpoint it came from and to no other, and to no other model', async () => {
    for (const vendor of thinkingVendors) {
      const past = await talk({ vendor });
      const isGemini = vendor.name === 'Gemini';
      for (const other of [{ model: 'other' }, {}]) {
        const own = past.map((event) =>
          event.type === 'reply-end' && event.carried && other.model === undefined
            ? { ...event, carried: { ...event.carried, origin: 'https://elsewhere.example' } }
            : event,
        );
        endpoint.reset();
        await talk({ vendor: { ...vendor, accepts: () => undefined }, past: own, ...other });
        const sent = JSON.stringify(endpoint.requests[0]?.body.messages);
        assert.doesNotMatch(sent, /Thought|sig\+|enc\d|"s\d"|<think>/, vendor.name);
        if (isGemini && other.model === undefined) assert.match(sent, /skip_thought_signature_validator/);
      }
    }
  });

  it('is learned from a refusal of an unknown endpoint, with one failed request', async () => {
    for (const name of ['DeepSeek', 'Kimi', 'Gemini']) {
      const vendor = thinkingVendors.find((each) => each.name === name)!;
      const [server, facts] = [new ThinkingServer(vendor, vcp), new ModelFacts()];
      let past = await talk({ vendor, protocol: vcp });
      // Calls in text have neither a signature nor reasoning.
      past = await talk({ vendor, server, facts, model: 'corp-large', past });
      past = await talk({ vendor, server, facts, model: 'corp-large', past });
      assert.equal(server.refused.length, 1, name);
      assert.equal(server.rounds, 10);
      assert.ok(past.every((event) => event.type !== 'run-end' || event.outcome.type === 'done'));
    }
  });

  it('is left out after an endpoint has refused the field', async () => {
    const vendor: ThinkingVendor = {
      ...deepSeek,
      accepts: (message) => assert.equal(message['reasoning_content'], undefined),
      refusal: "messages[1]: 'reasoning_content' is not allowed in the input",
    };
    const [server, facts] = [new ThinkingServer(vendor, vcp), new ModelFacts()];
    await talk({ vendor, server, facts });
    assert.equal(server.refused.length, 1);
    assert.equal(server.rounds, 5);
    assert.deepEqual(facts.of(profileOf(vendor.model)).requirements.read(), { refusesReasoning: true });
  });

  it('is learned from nothing else, and asked again twice at most', async () => {
    const refusal = 'Missing `reasoning_content` field in the assistant message at message index 1';
    const never: ThinkingVendor = { ...deepSeek, accepts: () => assert.fail(), refusal };
    const server = new ThinkingServer(never, vcp);
    const past = await talk({ vendor: deepSeek });
    await talk({ vendor: never, server, past });
    assert.equal(server.refused.length, 2);
    const other = new ThinkingServer({ ...never, refusal: 'reasoning_effort "max" is not supported' }, vcp);
    await talk({ vendor: never, server: other, past });
    assert.equal(other.refused.length, 1);
  });

  it('is omitted or filled in if the profile says so', async () => {
    const vendor: ThinkingVendor = { ...deepSeek, accepts: () => undefined };
    const past = await talk({ vendor });
    const sent = async (reasoning: 'echo' | 'drop', protocol: Protocol): Promise<unknown[]> => {
      endpoint.reset();
      await talk({ vendor, model: 'plain', reasoning, past, protocol });
      const messages = endpoint.requests[0]?.body.messages ?? [];
      return messages.flatMap((each) => ('reasoning_content' in each ? [each.reasoning_content] : []));
    };
    assert.deepEqual(await sent('drop', native), []);
    assert.deepEqual(await sent('echo', native), ['', '', '', '', '']);
    assert.deepEqual(await sent('echo', vcp), ['', '', '', '', '']);
  });

  it('of a text protocol contains no unneeded fields', async () => {
    const past = await talk({ vendor: deepSeek, protocol: vcp });
    endpoint.reset();
    await talk({ vendor: deepSeek, protocol: vcp, past });
    assert.doesNotMatch(JSON.stringify(endpoint.requests[0]?.body.messages), /reasoning_content/);
  });

  it('G31.carried: of a session of version 0.1.0 is missing without trouble', async () => {
    const past = (await talk({ vendor: deepSeek })).map((event) => {
      if (event.type !== 'reply-end') return event;
      const { carried: _, ...older } = event;
      return older;
    });
    endpoint.reset();
    await talk({
      vendor: deepSeek,
      server: new ThinkingServer({ ...deepSeek, accepts: () => undefined }, vcp),
      past,
    });
    const [first] = endpoint.requests;
    assert.match(JSON.stringify(first?.body.messages), /"reasoning_content":""/);
  });

  it('needs special tokens in the text: they are requested for calls in text if a server omits them', () => {
    const asks = (protocol: Protocol, kind: ServerKind | undefined, tools = [echo.spec]): boolean => {
      const request = protocol.request({ instructions: '', turns: [], tools });
      const body = requestBody({ baseUrl: 'http://127.0.0.1/v1', model: 'm', server: () => kind }, request);
      return JSON.stringify(body).includes('"skip_special_tokens":false');
    };
    for (const kind of ['vllm', 'sglang'] as const) {
      assert.ok(asks(vcp, kind));
      assert.ok(!asks(native, kind));
      assert.ok(!asks(vcp, kind, []));
    }
    for (const kind of ['llamacpp', 'ollama', 'openrouter', undefined] as const) assert.ok(!asks(vcp, kind));
  });
});

describe('a requirement about reasoning', () => {
  const failure = { code: 'rejected', message: 'The reasoning_content is missing.' } as const;
  const request = vcp.request({ instructions: '', turns: [], tools: [] });

  for (const isTaken of [false, true]) {
    it(
      isTaken ? 'sends nothing again that a server has taken, and is kept' : 'is tried at once',
      async () => {
        let requests = 0;
        const known = factInMemory<ReasoningRequirements>({});
        const model: Model = {
          name: 'm',
          async *stream() {
            requests++;
            if (isTaken) yield { type: 'progress', stage: 'taken' };
            yield known.read().needsReasoning
              ? { type: 'end', reason: 'stop' }
              : { type: 'failure', failure };
          },
        };
        const told: string[] = [];
        for await (const { type } of learnRequirements(known)(model).stream(
          request,
          new AbortController().signal,
        ))
          told.push(type);
        assert.deepEqual([requests, told], isTaken ? [1, ['progress', 'failure']] : [2, ['end']]);
        assert.ok(known.read().needsReasoning);
      },
    );
  }
});

describe('a request after a reply that only repeated itself', () => {
  const request = { ...vcp.request({ instructions: '', turns: [], tools: [] }), isVaried: true } as const;
  const address = { baseUrl: 'http://127.0.0.1/v1', model: 'm' };
  const varied = (kind: ServerKind | undefined, extraBody: JsonObject = {}): unknown => {
    const body = requestBody({ ...address, server: () => kind, extraBody }, request);
    const {
      temperature,
      repeat_penalty: one,
      repetition_penalty: other,
    } = JSON.parse(JSON.stringify(body)) as JsonObject;
    return [temperature, one ?? other];
  };

  it('varies more if the server is known to support it', () => {
    assert.deepEqual(varied('llamacpp'), [1, 1.15]);
    assert.deepEqual(varied('vllm', { temperature: 0.5 }), [0.8, 1.15]);
    assert.deepEqual(varied('openrouter'), [1, undefined]);
    assert.deepEqual(varied(undefined), [undefined, undefined]);
    assert.deepEqual(varied(undefined, { temperature: 0 }), [0.3, undefined]);
  });
});
