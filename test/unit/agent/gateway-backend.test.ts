import assert from 'node:assert/strict';
import { gatewayBackend } from '../../../src/agent/gateway-backend';
import type { JsonObject } from '../../../src/base/json';
import { gatewayRoutes } from '../../../src/gateway/routes';
import { ServedRequests } from '../../../src/gateway/served-requests';
import { openPass } from '../../../src/models/open-model';
import { modelAccess } from '../../support/servers/model-access';
import { StrictServer } from '../../support/servers/strict-api';
import { StrictMessages } from '../../support/servers/strict-messages';
import { StrictResponses } from '../../support/servers/strict-responses';

const REQUEST: JsonObject = {
  model: 'any',
  messages: [{ role: 'user', content: 'Hello' }],
  max_completion_tokens: 100,
  temperature: 1.5,
  seed: 3,
  logit_bias: {},
  stop: ['END'],
  stream_options: { include_usage: true },
};

describe('a gateway over another API', () => {
  const rows = [
    {
      api: 'responses',
      imitation: () => new StrictResponses(),
      sent: { max_output_tokens: 100, temperature: 1.5 },
      dropped: /does not have it: seed, logit_bias, stop\.$/,
    },
    {
      api: 'messages',
      imitation: () => new StrictMessages(),
      sent: { max_tokens: 100, temperature: 1, stop_sequences: ['END'] },
      dropped: /does not have it: seed, logit_bias\.$/,
    },
  ] as const;
  for (const { api, imitation, sent, dropped } of rows) {
    it(`converts requests without tools to ${api}, and notes the fields that it does not have`, async () => {
      const server = await StrictServer.start(imitation());
      const notes: string[] = [];
      const served = new ServedRequests({ now: Date.now, note: (sentence) => notes.push(sentence) });
      const profile = { id: 'm', provider: 'openai', baseUrl: server.baseUrl, model: 'large', api } as const;
      const access = modelAccess();
      assert.equal(openPass(profile, access), undefined);
      const backend = gatewayBackend({
        ...{ profile, access, protocol: 'auto', served },
        countTokens: (text) => text.length,
        newId: () => 'x',
      });
      const answer = await gatewayRoutes(backend)['POST /v1/chat/completions']?.(
        REQUEST,
        new AbortController().signal,
        { rest: '', query: new Map() },
      );
      await server.stop();
      assert.deepEqual(server.refusals, []);
      assert.ok(answer?.type === 'whole');
      assert.match(JSON.stringify(answer.body), /Answer 1\./);
      const body = server.requests[0]?.body ?? {};
      const fields = Object.entries(body).filter(([name]) => Object.hasOwn(sent, name));
      assert.deepEqual(Object.fromEntries(fields), sent);
      assert.match(notes[0] ?? '', dropped);
    });
  }
});
