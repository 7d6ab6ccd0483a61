import assert from 'node:assert/strict';
import { PrefixWatch } from '../../../../src/core/context/prefix-watch';
import { foldEvents } from '../../../../src/core/transcript/fold-events';
import type { Turn } from '../../../../src/core/words/messages';
import type { CacheBreak, Conversation } from '../../../../src/core/words/model';
import { findProtocol, protocols } from '../../../../src/protocols';
import { callOf, testSession, testTool } from '../../../support/agent/test-session';

const image = { mediaType: 'image/png', data: 'AA' } as const;
const spec = (name: string): Conversation['tools'][number] => ({
  name,
  description: 'Reads.',
  parameters: { type: 'object', properties: { path: { type: 'string', description: 'Where it is.' } } },
});
const said: readonly Turn[] = [
  { type: 'user', text: 'one' },
  { type: 'reply', parts: [{ type: 'text', text: 'first' }] },
];
const base: Conversation = {
  instructions: 'Be good.',
  tools: [spec('read')],
  turns: said,
  promptForm: 'full',
};
const withImage: Conversation = {
  ...base,
  turns: [{ type: 'user', text: 'one', attachments: [{ type: 'image', label: 'a', image }] }],
};

describe('a request after another', () => {
  const rows: { name: string; before?: Conversation; now: Conversation; expect: CacheBreak | undefined }[] = [
    {
      name: 'with more behind it',
      now: { ...base, turns: [...said, { type: 'user', text: 'two' }] },
      expect: undefined,
    },
    { name: 'that is the same', now: base, expect: undefined },
    { name: 'with another tool', now: { ...base, tools: [spec('read'), spec('write')] }, expect: 'tools' },
    { name: 'without tools', now: { ...base, tools: [] }, expect: 'tools' },
    {
      name: 'with tools in another order',
      before: { ...base, tools: [spec('a'), spec('b')] },
      now: { ...base, tools: [spec('b'), spec('a')] },
      expect: 'tools',
    },
    { name: 'with other rules', now: { ...base, instructions: 'Be quick.' }, expect: 'instructions' },
    { name: 'with short tool descriptions', now: { ...base, promptForm: 'short' }, expect: 'short-prompt' },
    {
      name: 'with a summary',
      now: { ...base, turns: [{ type: 'user', text: 'In short.' }] },
      expect: 'compaction',
    },
    {
      name: 'without an image',
      before: withImage,
      now: { ...withImage, turns: [{ type: 'user', text: 'one' }] },
      expect: 'images',
    },
    {
      name: 'after going back',
      now: { ...base, turns: [said[0]!, { type: 'reply', parts: [{ type: 'text', text: 'other' }] }] },
      expect: 'history',
    },
  ];
  for (const protocol of protocols) {
    for (const { name, before = base, now, expect } of rows) {
      it(`${expect ?? 'continues'}: ${name} (${protocol.id})`, () => {
        const watch = new PrefixWatch();
        assert.equal(watch.look(protocol.request(before)), undefined);
        assert.equal(watch.look(protocol.request(now)), expect);
        assert.equal(watch.look(protocol.request(now)), undefined);
      });
    }
  }

  it('in another protocol is named first', () => {
    const watch = new PrefixWatch();
    watch.look(findProtocol('vcp')!.request(base));
    assert.equal(watch.look(findProtocol('json')!.request({ ...base, tools: [] })), 'protocol');
  });
});

describe('a run', () => {
  const tools = [
    testTool('read', 'read', async (text) => text),
    testTool('look', 'read', async (text) => text),
  ];

  it('reports no break while it only continues', async () => {
    const replies = [
      [callOf('read', 'a')],
      [callOf('look', 'b')],
      [],
      [{ type: 'text', text: 'done' } as const],
    ];
    const test = testSession({ tools, replies });
    await test.session.send('one');
    await test.session.send('two');
    assert.ok(!test.events.some((event) => event.type === 'round-start' && event.cacheBreak));
  });

  it('reports a toggle and keeps it in the transcript', async () => {
    const off: string[] = [];
    const test = testSession({ tools, off });
    await test.session.send('one');
    off.push('look');
    await test.session.send('two');
    const entry = foldEvents(test.events).entries.at(-1);
    assert.equal(entry?.type === 'reply' && entry.cacheBreak, 'tools');
  });
});
