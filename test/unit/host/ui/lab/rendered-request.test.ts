import assert from 'node:assert/strict';
import { noBudget } from '../../../../support/agent/no-budget';
import type { ModelRequest } from '../../../../../src/core/words/model';
import { findReply, type ReplyRef } from '../../../../../src/core/transcript/references';
import type { RunSetup } from '../../../../../src/core/run/agent-options';
import { renderedRequest, renderedResults } from '../../../../../src/host/ui/lab/inspected-reply';
import { protocols } from '../../../../../src/protocols';
import {
  callOf,
  testConfig,
  ScriptedModel,
  testSession,
  testTool,
} from '../../../../support/agent/test-session';

const echo = testTool('echo', 'read', async (text) => `said ${text}`);

for (const protocol of protocols) {
  describe(`requests rendered once more over ${protocol.id}`, () => {
    const setup: RunSetup = {
      model: {
        client: new ScriptedModel(protocol, []),
        window: { reply: 0, count: (text) => Math.ceil(text.length / 4) },
      },
      prompt: { protocol, instructions: 'Be good.' },
      tools: {
        offer: { offered: () => [echo], whyUnavailable: () => undefined },
        config: () => testConfig,
      },
      limits: { rounds: () => testConfig.maxIterations, budget: () => noBudget },
    };
    const held = async () => {
      const sent: { readonly request: ModelRequest; readonly reply: ReplyRef }[] = [];
      const { session } = testSession({
        protocol,
        tools: [echo],
        replies: [[callOf('echo', 'one')], [callOf('echo', 'two'), callOf('no_such_tool', 'three')]],
        onRequest: (request, reply) => sent.push({ request, reply }),
      });
      await session.send('go');
      return { session, sent };
    };

    it('match those that were sent while the settings are the same', async () => {
      const { session, sent } = await held();
      assert.equal(sent.length, 3);
      for (const { request, reply } of sent) {
        const rendered = renderedRequest(session.events, reply.number, protocol, setup);
        assert.deepEqual(rendered, request);
      }
    });

    it('show what was sent back: each result, and nothing of what came before', async () => {
      const { session, sent } = await held();
      const reply = findReply(session.transcript, { number: 1 }) ?? assert.fail();
      const { isSent, messages } = renderedResults(reply, protocol, sent[2]?.request);
      assert.ok(isSent);
      const text = JSON.stringify(messages);
      assert.match(text, /said two[^]*no_such_tool/);
      assert.doesNotMatch(text, /said one|Be good/);
      const last = JSON.stringify(sent[2]?.request.messages);
      for (const message of messages) assert.ok(last.includes(JSON.stringify(message)), message.content);
      assert.deepEqual(renderedResults(reply, protocol, undefined), { isSent: false, messages });
      // A request of the part that took the place of this one does not hold them.
      assert.equal(renderedResults(reply, protocol, sent[0]?.request).isSent, false);
      const answer = findReply(session.transcript, { number: 2 }) ?? assert.fail();
      assert.deepEqual(renderedResults(answer, protocol, undefined).messages, []);
    });
  });
}
