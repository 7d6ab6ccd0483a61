import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { CarriedReplies } from '../../../src/gateway/carried-replies';
import type { ToolCall, Turn } from '../../../src/core/words/messages';
import { gatewayBackend } from '../../../src/agent/gateway-backend';
import { gatewayRoutes } from '../../../src/gateway/routes';
import { ServedRequests } from '../../../src/gateway/served-requests';
import { GatewayServer } from '../../../src/node/endpoint/gateway-server';
import { modelAccess } from '../../support/servers/model-access';
import { StrictServer } from '../../support/servers/strict-api';
import { StrictMessages } from '../../support/servers/strict-messages';
import { StrictResponses } from '../../support/servers/strict-responses';

const call = (id: string): ToolCall => ({
  ...{ id, name: 'echo', arguments: {}, start: 0, end: 0, notes: [], mark: 'clean' },
});
const reply = (id: string): Turn => ({ type: 'reply', parts: [{ type: 'call', call: call(id) }] });

describe('what came with replies for clients', () => {
  const imitations = {
    messages: () => new StrictMessages(),
    responses: () => new StrictResponses(),
  } as const;
  for (const api of ['messages', 'responses'] as const) {
    it(`goes back over ${api}, although OpenAI's client does not send it`, async () => {
      const upstream = await StrictServer.start(imitations[api]());
      const { baseUrl } = upstream;
      const profile = { id: 'm', provider: 'openai', baseUrl, model: 'large', api, effort: 'low' } as const;
      const served = new ServedRequests({ now: Date.now, note: () => undefined });
      const backend = gatewayBackend({
        ...{ profile, access: modelAccess(), protocol: 'native', served },
        countTokens: (text) => text.length,
        newId: () => 'x',
      });
      const server = await GatewayServer.start({
        port: 0,
        token: 't',
        routes: gatewayRoutes(backend),
        onError: assert.ifError,
      });
      const client = new OpenAI({ baseURL: server.address, apiKey: 't', maxRetries: 0 });
      const tools = [
        { type: 'function', function: { name: 'echo', parameters: { type: 'object' } } },
      ] as const;
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go.' }];
      for (let round = 0; round < 2; round++) {
        const { choices } = await client.chat.completions.create({ model: 'x', messages, tools: [...tools] });
        const message = choices[0]!.message;
        messages.push(message);
        for (const { id } of message.tool_calls ?? [])
          messages.push({ role: 'tool', tool_call_id: id, content: 'r' });
      }
      await server.stop();
      await upstream.stop();
      assert.deepEqual(upstream.refusals, []);
      const sent = JSON.stringify(upstream.requests[1]?.body);
      assert.match(sent, /"signature":"|"encrypted_content":"/);
    });
  }

  it('is forgotten for old replies, and only added to the reply with that call', () => {
    const carried = new CarriedReplies();
    const output = { api: 'messages', items: [] } as const;
    const metadata = { origin: 'https://a.example', model: 'm', output };
    for (let number = 0; number < 300; number++) carried.add([call(`c${number}`)], metadata);
    carried.add([call('plain')], { origin: 'https://a.example', model: 'm', fields: { reasoning: 'x' } });
    const turns = [reply('c0'), reply('c299'), reply('plain'), reply('other')];
    assert.deepEqual(
      carried.addTo(turns).map((turn) => turn.type === 'reply' && turn.carried),
      [undefined, metadata, undefined, undefined],
    );
  });
});
