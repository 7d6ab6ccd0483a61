import assert from 'node:assert/strict';
import type { Attachment } from '../../../src/core/attachment';
import type { ModelRequest } from '../../../src/core/model';
import type { Protocol } from '../../../src/core/protocol';
import { native } from '../../../src/protocols/native';
import { hermes } from '../../../src/protocols/hermes';
import { vcp } from '../../../src/protocols/vcp';
import { callOf, testSession, testTool } from '../../support/agent';

const editor = (active: string): Attachment => ({
  type: 'text',
  source: 'editor',
  label: 'Editor',
  text: `Active file: ${active}`,
});

/** What a person says in turn, and what goes along each time: the editor shows something else every time. */
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
});

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
