import fc from 'fast-check';
import assert from 'node:assert/strict';
import { foldedName, oddName } from '../../../../src/tools/files/look-alikes';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';

/** How a name is on the disk, how a model writes it, and what of it is shown. */
const TWINS = [
  { real: 'at 3.04.05\u202fPM.txt', given: 'at 3.04.05 PM.txt', shown: 'at 3.04.05⟨U+202F⟩PM.txt' },
  { real: 'a\u00a0b.txt', given: 'a b.txt', shown: 'a⟨U+00A0⟩b.txt' },
  { real: 'a b.txt', given: 'a\u00a0b.txt', shown: 'a b.txt' },
  { real: 'cafe\u0301.txt', given: 'caf\u00e9.txt', shown: 'cafe⟨U+0301⟩.txt' },
  { real: 'caf\u00e9.txt', given: 'cafe\u0301.txt', shown: 'caf⟨U+00E9⟩.txt' },
  { real: '第2章.md', given: '第 2 章.md', shown: '第2章.md' },
  { real: '第 2 章.md', given: '第2章.md', shown: '第 2 章.md' },
  { real: 'API手册 v2.md', given: 'API 手册 v2.md', shown: 'API手册 v2.md' },
  { real: 'Anna’s.txt', given: "Anna's.txt", shown: 'Anna⟨U+2019⟩s.txt' },
  { real: 'a–b.txt', given: 'a-b.txt', shown: 'a⟨U+2013⟩b.txt' },
  { real: 'zero\u200bwidth.txt', given: 'zerowidth.txt', shown: 'zero⟨U+200B⟩width.txt' },
  { real: 'ｆｕｌｌ.txt', given: 'full.txt', shown: '⟨U+FF46⟩⟨U+FF55⟩⟨U+FF4C⟩⟨U+FF4C⟩.txt' },
];

describe('names that look alike', () => {
  for (const { real, given, shown } of TWINS) {
    describe(`${JSON.stringify(given)} for ${shown}`, () => {
      let scratch: ScratchWorkspace;

      beforeEach(async () => (scratch = await ScratchWorkspace.create({ [`in/${real}`]: 'body\n' })));
      afterEach(() => scratch.dispose());

      it('is read, searched and edited', async () => {
        const path = `in/${given}`;
        const note = `\n[The name on the disk is ${shown}.]`;
        assert.equal(await scratch.call('read_file', { path }), `body${note}`);
        assert.ok((await scratch.call('search_text', { path, query: 'body' })).endsWith(note));
        const edited = await scratch.call('edit_file', { path, old: 'body', new: 'new' });
        assert.ok(edited.endsWith(note), edited);
        assert.equal(await scratch.read(`in/${real}`), 'new\n');
      });

      it('is only suggested for a deletion or a move', async () => {
        const path = `in/${given}`;
        const suggestion = `Did you mean ${shown}, whose name looks the same?`;
        assert.ok((await scratch.failure('delete_path', { path })).includes(suggestion));
        assert.ok((await scratch.failure('move_path', { from: path, to: 'b' })).includes(suggestion));
      });

      it('is not created beside it unasked', async () => {
        for (const call of [
          { name: 'write_file', input: { path: `in/${given}`, content: '' } },
          { name: 'move_path', input: { from: 'other', to: `in/${given}` } },
        ]) {
          await scratch.write('other', '');
          const { accesses } = await scratch.prepare(call.name, call.input);
          const { decision, reason } = accesses.at(-1)?.verdict ?? {};
          assert.equal(decision, 'ask');
          assert.equal(reason, `its name looks like that of ${shown}, which exists`);
        }
      });

      it('may become its new name', async () => {
        const { accesses } = await scratch.prepare('move_path', { from: `in/${real}`, to: `in/${given}` });
        assert.equal(accesses.at(-1)?.verdict.decision, 'auto');
      });
    });
  }

  it('are found in the middle of a path', async () => {
    const scratch = await ScratchWorkspace.create({ 'a\u00a0b/c/cafe\u0301/d.txt': 'body\n' });
    try {
      const path = 'a b/c/caf\u00e9';
      const note = '[The name on the disk is a⟨U+00A0⟩b in cafe⟨U+0301⟩.]';
      assert.ok((await scratch.call('read_folder', { path })).endsWith(note));
      assert.ok((await scratch.call('find_files', { path, glob: '*' })).endsWith(note));
      assert.equal(await scratch.call('read_file', { path: `${path}/d.txt` }), `body\n${note}`);
    } finally {
      await scratch.dispose();
    }
  });

  it('are not used if there are several', async () => {
    const scratch = await ScratchWorkspace.create({ 'a\u00a0b': '', 'a\u202fb': '' });
    try {
      assert.match(await scratch.failure('read_file', { path: 'a b' }), /^No file at a b\./);
    } finally {
      await scratch.dispose();
    }
  });

  it('give way to the name itself', async () => {
    const scratch = await ScratchWorkspace.create({ 'a\u00a0b': 'odd\n', 'a b': 'plain\n' });
    try {
      assert.equal(await scratch.call('read_file', { path: 'a b' }), 'plain');
    } finally {
      await scratch.dispose();
    }
  });

  it('are judged by the real name', async () => {
    const scratch = await ScratchWorkspace.create({ '.env': 'KEY=1\n' });
    try {
      const { accesses } = await scratch.prepare('read_file', { path: '.e\u200bnv' });
      assert.equal(accesses[0]?.verdict.decision, 'ask');
    } finally {
      await scratch.dispose();
    }
  });

  it('fold to the same name, however often', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (name) => foldedName(foldedName(name)) === foldedName(name),
      ),
    );
  });

  it('are shown unchanged if they are ASCII', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]*$/), fc.string(), (name, other) => oddName(name, other) === name),
    );
  });
});
