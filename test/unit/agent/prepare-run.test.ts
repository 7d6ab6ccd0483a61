import assert from 'node:assert/strict';
import { prepareRun } from '../../../src/agent/prepare-run';
import { Session } from '../../../src/core/session';
import type { AgentEvent } from '../../../src/core/words/events';
import { ModelFacts } from '../../../src/models/model-facts';
import type { ModelProfile } from '../../../src/models/profiles';
import { countTokens } from '../../../src/node/tokens';
import { judgeCall } from '../../../src/policy/approvals';
import { findProtocol } from '../../../src/protocols';
import { callSubAgent } from '../../../src/tools/call-sub-agent';
import { noBudget } from '../../support/agent/no-budget';
import { callOf, testConfig, testTool } from '../../support/agent/test-session';
import {
  FakeEndpoint,
  streamParts,
  streamText,
  type EndpointReply,
  type EndpointRequest,
} from '../../support/servers/fake-endpoint';
import { probeReplies, requestedForm } from '../../support/servers/form-probe';
import { modelAccess } from '../../support/servers/model-access';
import { NeedsReasoning } from '../../support/servers/needs-reasoning';

/** Who sends a request to the model of a conversation. */
type Sender = 'chat' | 'sub-agent' | 'summary';

function senderOf({ body: { messages } }: EndpointRequest): Sender {
  if (messages.at(-1)?.content.includes('Summarize the earlier conversation')) return 'summary';
  return messages.some(({ content }) => content.includes('You are a sub-agent')) ? 'sub-agent' : 'chat';
}

/** Delegates a task when asked to, in which a tool is called. */
function answer(protocolId: string, request: EndpointRequest): EndpointReply {
  if (senderOf(request) === 'summary') return streamText('They said hello.');
  // SAFETY: the rows name protocols that there are.
  const protocol = findProtocol(protocolId)!;
  const last = request.body.messages.at(-1)?.content ?? '';
  if (last.includes('Delegate.')) {
    const call = { id: 's', name: 'call_sub_agent', arguments: { task: 'Look there.' } };
    return streamParts(protocol, [{ type: 'call', call }]);
  }
  return last.includes('Look there.') ? streamParts(protocol, [callOf('echo', 'x')]) : streamText('Fine.');
}

/** Longer than its summary. */
const LONG = 'Hello, and hello again. '.repeat(100);

interface Refusal {
  readonly name: string;
  readonly protocol: string;
  /** Those who can meet it. A summary has no messages of the model, so nothing in it lacks reasoning. */
  readonly senders: readonly Sender[];
  /** What is known before. */
  readonly known?: (facts: ModelFacts, profile: ModelProfile) => void;
  /** Nothing if it accepts the request. */
  readonly refuse: (request: EndpointRequest) => EndpointReply | undefined;
}

const refusals: readonly Refusal[] = [
  {
    name: 'missing reasoning',
    protocol: 'native',
    senders: ['chat', 'sub-agent'],
    refuse: (request) => {
      const rule = new NeedsReasoning();
      const reply = rule.answer(request);
      return rule.refusals === 0 ? undefined : reply;
    },
  },
  {
    name: 'the form of replies',
    protocol: 'hermes',
    senders: ['chat', 'sub-agent', 'summary'],
    known: (facts, profile) => facts.of(profile).forms.write({ grammar: 'works' }),
    refuse: (request) => (requestedForm(request) ? probeReplies.refuses(request) : undefined),
  },
];

describe('a prepared run', () => {
  let endpoint: FakeEndpoint;
  before(async () => (endpoint = await FakeEndpoint.start()));
  beforeEach(() => endpoint.reset());
  after(() => endpoint.stop());

  const profileOf = (given: Partial<ModelProfile> = {}): ModelProfile => ({
    ...{ id: 'p', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'corp-large' },
    ...given,
  });

  const tools = [testTool('echo', 'read', async (text) => text)];
  tools.push(callSubAgent(() => tools));

  const prepared = (facts: ModelFacts, protocol: string, profile = profileOf()) =>
    prepareRun({
      ...{ profile, protocol, countTokens },
      access: modelAccess({ facts }),
      facts: { roots: ['project'], platform: 'linux', instructions: '' },
      tools: {
        offer: { offered: () => tools, whyUnavailable: () => undefined },
        config: () => testConfig,
      },
      budget: () => noBudget,
    });

  /** Chat, sub-agent and summary each send requests. Returns the bodies. */
  async function converse(facts: ModelFacts, protocol: string): Promise<readonly string[]> {
    endpoint.requests.length = 0;
    const errors: unknown[] = [];
    const session = new Session({
      prepareRun: () => prepared(facts, protocol),
      judge: (request, granted) => judgeCall(request, { ...testConfig, isTrusted: true }, granted),
      onError: (error) => errors.push(error),
    });
    for (const message of [LONG, 'Delegate.']) await session.send(message);
    await session.summarize();
    await session.send('Go on.');
    assert.deepEqual(errors, []);
    assert.deepEqual(outcomes(session.events), ['done', 'done', 'done', 'done']);
    return endpoint.requests.map(({ body }) => JSON.stringify(body));
  }

  for (const { name, protocol, senders, known, refuse } of refusals) {
    it(`meets a refusal of ${name} once, whoever meets it first`, async () => {
      const later: (readonly string[])[] = [];
      for (const first of senders) {
        const facts = new ModelFacts();
        known?.(facts, profileOf());
        const met: Sender[] = [];
        let isStrict = false;
        endpoint.always((request) => {
          isStrict ||= senderOf(request) === first;
          const refused = isStrict ? refuse(request) : undefined;
          if (refused) met.push(senderOf(request));
          return refused ?? answer(protocol, request);
        });
        await converse(facts, protocol);
        assert.deepEqual(met, [first]);
        // How a model counts tokens depends on what it was sent.
        await facts.forget('context');
        later.push(await converse(facts, protocol));
        assert.deepEqual(met, [first]);
      }
      const sent = new Set(endpoint.requests.map(senderOf));
      assert.deepEqual([...sent], ['chat', 'sub-agent', 'summary']);
      for (const bodies of later) assert.deepEqual(bodies, later[0]);
    });
  }

  it('warns once in a run that the server drops the markers of the protocol', async () => {
    for (const [protocol, warnings] of [
      ['hermes', 1],
      ['json', 0],
    ] as const) {
      endpoint.reset();
      endpoint.next(streamParts(findProtocol(protocol)!, [callOf('echo', 'x')]));
      const session = new Session({
        prepareRun: () => prepared(new ModelFacts(), protocol, profileOf({ lostProtocols: ['hermes'] })),
        judge: (request, granted) => judgeCall(request, { ...testConfig, isTrusted: true }, granted),
        onError: (error) => assert.fail(String(error)),
      });
      await session.send('Go.');
      const lost = session.events.filter(
        (event) => event.type === 'warning' && event.diagnostic.code === 'markers-lost',
      );
      assert.deepEqual([endpoint.requests.length, lost.length], [2, warnings], protocol);
    }
  });

  const rows: readonly { readonly given: Partial<ModelProfile>; readonly expect: object }[] = [
    {
      given: { model: 'qwen3-coder', contextWindow: 8_192, facts: { tools: false } },
      expect: { window: 8_192, ends: true, drops: true, form: 'short', isChosen: false },
    },
    {
      given: { model: 'llama-3', contextWindow: 65_536, prompt: 'short' },
      expect: { window: 65_536, ends: false, drops: false, form: 'short', isChosen: true },
    },
  ];
  for (const { given, expect } of rows) {
    it(`has what is known of ${given.model}`, async () => {
      const { model, prompt } = await prepared(new ModelFacts(), 'json', profileOf(given));
      assert.deepEqual(
        {
          window: model.window.tokens,
          ends: model.callsEndThinking,
          drops: model.dropsTools,
          form: prompt.promptForm,
          isChosen: prompt.isFormChosen,
        },
        expect,
      );
      assert.equal(prompt.protocol.id, 'json');
    });
  }
});

function outcomes(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'run-end' ? [event.outcome.type] : []));
}
