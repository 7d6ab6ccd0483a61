import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Gateway } from '../../src/host/services/gateway/gateway';
import { ModelFacts } from '../../src/models/model-facts';
import type { ModelProfile } from '../../src/models/profiles';
import { findProtocol } from '../../src/protocols';
import { FakeEndpoint, streamParts } from '../support/servers/fake-endpoint';
import { NeedsReasoning } from '../support/servers/needs-reasoning';

const TOOLS = [
  {
    type: 'function',
    function: { name: 'note', parameters: { type: 'object', properties: { text: { type: 'string' } } } },
  },
];

describe('the gateway of a window', () => {
  let endpoint: FakeEndpoint;
  let gateway: Gateway;
  before(async () => {
    endpoint = await FakeEndpoint.start();
  });
  after(() => endpoint.stop());
  beforeEach(() => endpoint.reset());
  afterEach(() => gateway.dispose());

  function gatewayOver(more: Partial<ModelProfile> = {}): Gateway {
    const { baseUrl } = endpoint;
    const profile: ModelProfile = {
      id: 'own',
      provider: 'openai',
      baseUrl,
      model: 'm',
      protocol: 'hermes',
      ...more,
    };
    const facts = new ModelFacts();
    const parts = {
      secrets: { keyFor: async () => undefined },
      servers: { facts },
      output: { info: () => undefined, warn: () => undefined, error: () => undefined },
      choices: { profile },
      settings: { get: () => [profile] },
    };
    facts.of(profile).forms.write({ grammar: 'refused' });
    // SAFETY: nothing else of them is used here.
    return (gateway = new Gateway(parts as unknown as ConstructorParameters<typeof Gateway>[0]));
  }

  it('gives another program tools, and stops on request', async () => {
    const started = gatewayOver();
    void started.start();
    const { address, token } = await running(started);
    const call = { id: 'k', name: 'note', arguments: { text: 'a "b"\n' } };
    endpoint.next(streamParts(findProtocol('hermes')!, [{ type: 'call', call }]));
    const ask = (): Promise<Response> =>
      fetch(`${address}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'Go.' }], tools: TOOLS }),
      });
    const reply = (await (await ask()).json()) as Reply;
    const [made] = reply.choices[0]?.message.tool_calls ?? [];
    assert.deepEqual(
      [made?.function.name, JSON.parse(made?.function.arguments ?? '')],
      ['note', call.arguments],
    );
    const [{ calls, state, model } = {}] = started.served.requests;
    assert.deepEqual({ calls, state, model }, { calls: 1, state: 'done', model: 'm' });
    // Starting it again copies the token.
    await vscode.env.clipboard.writeText('');
    void started.start();
    while ((await vscode.env.clipboard.readText()) !== token);
    await started.stop();
    await assert.rejects(ask());
  });

  it('meets what the endpoint requires after one refusal', async () => {
    const started = gatewayOver();
    void started.start();
    const { address, token } = await running(started);
    const rule = new NeedsReasoning();
    endpoint.always(rule.answer);
    const user = { role: 'user', content: 'Go.' };
    const messages = [user, { role: 'assistant', content: 'Where?' }, user];
    for (let time = 0; time < 3; time++) {
      const reply = await fetch(`${address}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ messages, tools: TOOLS }),
      });
      assert.match(await reply.text(), /Fine\./);
    }
    assert.equal(rule.refusals, 1);
    await started.stop();
  });

  it('does not start with an unusable profile', async () => {
    const started = gatewayOver({ model: undefined });
    await started.start();
    assert.equal(started.state, undefined);
  });
});

interface Reply {
  readonly choices: readonly {
    readonly message: {
      readonly tool_calls?: readonly { readonly function: { name: string; arguments: string } }[];
    };
  }[];
}

async function running(gateway: Gateway): Promise<NonNullable<Gateway['state']>> {
  for (;;) {
    if (gateway.state) return gateway.state;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
