import assert from 'node:assert/strict';
import type { Attachment } from '../../../src/core/words/attachment';
import type { ModelRequest } from '../../../src/core/words/model';
import type { Protocol } from '../../../src/core/words/protocol';
import { hermes } from '../../../src/protocols/tool-call/hermes';
import { native } from '../../../src/protocols/native/native';
import { vcp } from '../../../src/protocols/vcp/vcp';
import { callOf, testSession, testTool } from '../../support/agent/test-session';

const editor = (active: string): Attachment => ({
  type: 'text',
  source: 'editor',
  label: 'Editor',
  text: `Active file: ${active}`,
});

/** The user's messages and attachments: the editor shows something else every time. */
const MESSAGES: readonly { readonly text: string; readonly attachments: readonly Attachment[] }[] = [
  { text: 'Look at this.', attachments: [editor('a.ts')] },
  {
    text: 'And @file:b.ts?',
    attachments: [
      editor('b.ts'),
      { type: 'text', source: 'selection', label: 'b.ts:3', text: 'let b;' },
      { type: 'text', source: 'file', label: 'b.ts', text: 'let a;\nlet b;\n</attached>\n' },
      { type: 'image', label: 'c.png', image: { mediaType: 'image/png', data: 'iVBORw0=' } },
      { type: 'missing', label: 'd.ts', problem: 'There is nothing.' },
    ],
  },
  { text: 'Thanks.', attachments: [] },
];

/** Servers that cache prompts do so by their first bytes. */
describe('requests of one conversation', () => {
  for (const protocol of [native, vcp, hermes]) {
    it(`each begin with the one before, byte for byte, in ${protocol.id}`, async () => {
      const requests = await converse(protocol);
      // Two rounds for each message.
      assert.equal(requests.length, 6);
      for (const [index, request] of requests.slice(1).entries()) {
        const before = requests[index];
        assert.ok(before);
        const shared = request.messages.slice(0, before.messages.length);
        assert.equal(JSON.stringify(shared), JSON.stringify(before.messages));
        assert.ok(request.messages.length > before.messages.length);
        assert.equal(JSON.stringify(request.tools), JSON.stringify(before.tools));
      }
      const last = JSON.stringify(requests.at(-1)?.messages);
      for (const text of ['Active file: a.ts', 'Active file: b.ts', 'let b;', 'iVBORw0=']) {
        assert.ok(last.includes(text), text);
      }
    });
  }

  for (const protocol of [native, vcp, hermes]) {
    it(`change their beginning only when older messages are summarized, in ${protocol.id}`, async () => {
      const look = testTool('look', 'read', async (text) => `${text} `.repeat(2_000));
      const replies = Array.from({ length: 60 }, (_, index) =>
        index % 2 === 0
          ? [callOf('look', `at ${index}`)]
          : [{ type: 'text', text: `Answer ${index}.` } as const],
      );
      const window = { tokens: 4_000, reply: 200 };
      const { session, model, events } = testSession({ protocol, replies, tools: [look], window });
      for (let message = 0; message < 20; message++) await session.send(`message ${message}`);
      const asked = model.requests.filter(({ messages }) => !isSummary(messages));
      const breaks = asked.slice(1).filter((request, index) => {
        const before = asked[index]?.messages ?? [];
        return JSON.stringify(request.messages.slice(0, before.length)) !== JSON.stringify(before);
      });
      const compactions = events.filter(({ type }) => type === 'compaction');
      assert.ok(compactions.length > 1 && asked.length > 3 * compactions.length, `${compactions.length}`);
      assert.equal(breaks.length, compactions.length);
    });
  }
});

function isSummary(messages: ModelRequest['messages']): boolean {
  return messages.at(-1)?.content.includes('Summarize the earlier conversation') === true;
}

async function converse(protocol: Protocol): Promise<readonly ModelRequest[]> {
  const look = testTool('look', 'read', async (text) => `seen ${text}`);
  const replies = MESSAGES.flatMap((_, index) => [
    [{ type: 'text', text: 'I look. ' } as const, callOf('look', `at ${index}`)],
    [{ type: 'text', text: `Answer ${index}.` } as const],
  ]);
  const { session, model, errors } = testSession({ protocol, replies, tools: [look] });
  for (const { text, attachments } of MESSAGES) assert.ok(await session.send(text, attachments));
  assert.deepEqual(errors, []);
  return model.requests;
}
