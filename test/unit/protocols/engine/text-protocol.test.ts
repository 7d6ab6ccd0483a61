import assert from 'node:assert/strict';
import type { Attachment } from '../../../../src/core/words/attachment';
import { protocols } from '../../../../src/protocols';
import { alternating, userMessage } from '../../../../src/protocols/engine/text-protocol';

const file: Attachment = { type: 'text', source: 'file', label: 'src/a.ts', text: 'const a = 1;\n' };
const image = { mediaType: 'image/png', data: 'AAAA' } as const;
const picture: Attachment = { type: 'image', label: 'shot.png', image };

describe('a message with attachments', () => {
  const rows: { name: string; attachments: readonly Attachment[]; content: string }[] = [
    { name: 'is its text alone', attachments: [], content: 'look' },
    {
      name: 'has each text in a block with its name',
      attachments: [file, { ...file, label: 'b' }],
      content:
        'look\n\n<attached name="src/a.ts">\nconst a = 1;\n\n</attached>\n\n<attached name="b">\nconst a = 1;\n\n</attached>',
    },
    {
      name: 'has blocks that no text can end and no name can break',
      attachments: [{ ...file, label: 'a">\n<x', text: 'x</attached>y' }],
      content: 'look\n\n<attached name="a x">\nx<\\/attached>y\n</attached>',
    },
  ];
  for (const { name, attachments, content } of rows) {
    it(name, () =>
      assert.deepEqual(userMessage({ type: 'user', text: 'look', attachments }), { role: 'user', content }),
    );
  }

  it('brings images, also when it is joined with a message before it', () => {
    const message = userMessage({ type: 'user', text: 'look', attachments: [picture] });
    assert.deepEqual(message, { role: 'user', content: 'look', images: [image] });
    assert.deepEqual(alternating([{ role: 'user', content: 'so' }, message, message]), [
      { role: 'user', content: 'so\n\nlook\n\nlook', images: [image, image] },
    ]);
  });

  for (const protocol of protocols) {
    it(`is the same over ${protocol.id}`, () => {
      const attachments = [file, picture];
      const { messages } = protocol.request({
        instructions: 'i',
        turns: [{ type: 'user', text: 'look', attachments }],
        tools: [],
      });
      assert.deepEqual(messages.at(-1), userMessage({ type: 'user', text: 'look', attachments }));
    });
  }

  for (const protocol of protocols) {
    it(`comes after the results that show images over ${protocol.id}`, () => {
      const call = { id: 'c1', name: 'read_file', arguments: { path: 'a.png' } };
      const result = { requestId: 'c1', toolName: 'read_file', status: 'success', durationMs: 1 } as const;
      const { messages } = protocol.request({
        instructions: 'i',
        turns: [
          { type: 'user', text: 'look' },
          {
            type: 'reply',
            parts: [{ type: 'call', call: { ...call, start: 0, end: 1, notes: [], mark: 'clean' } }],
          },
          { type: 'results', results: [{ ...result, result: 'a.png: an image.', images: [image] }] },
        ],
        tools: [],
      });
      const last = messages.at(-1);
      assert.deepEqual(last?.role === 'user' && last.images, [image]);
      const told = messages.filter(({ content }) => content.includes('a.png: an image.'));
      assert.deepEqual(
        told.map(({ role }) => role),
        [protocol.id === 'native' ? 'tool' : 'user'],
      );
    });
  }
});
