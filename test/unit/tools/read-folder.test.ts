import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { posix } from '../../support/platform';

posix.describe('read_folder', () => {
  let scratch: ScratchWorkspace;

  before(async () => {
    scratch = await ScratchWorkspace.create({
      '.gitignore': '*.log\nbuild/\n',
      'a.ts': 'x',
      'note.log': 'x',
      'build/out.js': 'x',
      'src/b.ts': 'x'.repeat(2000),
      'src/deep/c.ts': 'x',
      'src/deep/deeper/d.ts': 'x',
      'empty/': '',
      '.git/config': 'x',
    });
    await symlink('/etc', scratch.path('link'));
  });
  after(() => scratch.dispose());

  it('shows one level with counts and sizes, without what ignore files hide', async () => {
    assert.equal(
      await scratch.call('read_folder', {}),
      [
        '.: 5 files in all',
        '.gitignore (13 bytes)',
        'a.ts (1 byte)',
        'empty/ (empty)',
        'link (link)',
        'src/ (3 files)',
        '[Hidden by ignore files: 3 entries. include_ignored=true shows them.]',
      ].join('\n'),
    );
  });

  it('shows a tree of several levels', async () => {
    assert.equal(
      await scratch.call('read_folder', { path: 'src', depth: 2 }),
      'src: 3 files in all\nb.ts (2 KiB)\ndeep/ (2 files)\n  c.ts (1 byte)\n  deeper/ (1 file)',
    );
  });

  it('shows everything when asked to', async () => {
    const lines = (await scratch.call('read_folder', { include_ignored: true })).split('\n');
    assert.deepEqual(lines, [
      '.',
      '.git/',
      '.gitignore (13 bytes)',
      'a.ts (1 byte)',
      'build/',
      'empty/',
      'link (link)',
      'note.log (1 byte)',
      'src/',
    ]);
  });

  it('draws invisible characters in names', async () => {
    await scratch.write('odd/a\u202eb', '');
    assert.match(await scratch.call('read_folder', { path: 'odd' }), /a⟨U\+202E⟩b/);
  });

  it('does not go into a folder with a name that no path may have', async () => {
    await scratch.write('strange/a\u202eb/c.txt', '');
    assert.match(
      await scratch.call('read_folder', { path: 'strange', depth: 3 }),
      /a⟨U\+202E⟩b\/ \(1 file\)$/,
    );
  });

  for (const { name, input, expect } of [
    {
      name: 'refuses a file',
      input: { path: 'a.ts' },
      expect: 'a.ts is not a folder. Read it with read_file.',
    },
    {
      name: 'knows the folder of a similar name',
      input: { path: 'scr' },
      expect: 'No folder at scr. Did you mean src?',
    },
  ]) {
    it(name, async () => assert.equal(await scratch.failure('read_folder', input), expect));
  }

  it('cuts a folder with too many entries', async () => {
    const many = await ScratchWorkspace.create();
    try {
      await Promise.all(Array.from({ length: 5001 }, (_, index) => many.write(`f${index}`, '')));
      const text = await many.call('read_folder', {});
      assert.equal(text.split('\n').length, 5002);
      assert.ok(text.endsWith('[Cut at 5,000 entries. List a subfolder, or fewer levels.]'));
    } finally {
      await many.dispose();
    }
  });
});
