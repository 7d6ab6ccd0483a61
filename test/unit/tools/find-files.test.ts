import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { posix } from '../../support/platform';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';

describe('find_files', () => {
  let scratch: ScratchWorkspace;

  before(async () => {
    scratch = await ScratchWorkspace.create({
      '.gitignore': '*.log\n',
      'a.ts': '',
      'src/b.ts': '',
      'src/deep/c.ts': '',
      'src/d.js': '',
      'x.log': '',
    });
    for (const [index, file] of ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/d.js'].entries()) {
      await utimes(scratch.path(file), 1000 + index, 1000 + index);
    }
  });
  after(() => scratch.dispose());

  for (const { name, input, expect } of [
    {
      name: 'lists the newest first',
      input: { glob: '*.ts' },
      expect:
        '3 files match *.ts in ., newest first. Ignored files were left out.\nsrc/deep/c.ts\nsrc/b.ts\na.ts',
    },
    {
      name: 'looks in a folder',
      input: { glob: '*.ts', path: 'src/deep' },
      expect: '1 file matches *.ts in src/deep, newest first. Ignored files were left out.\nsrc/deep/c.ts',
    },
    {
      name: 'tests the path below the folder',
      input: { glob: 'deep/*', path: 'src' },
      expect: '1 file matches deep/* in src, newest first. Ignored files were left out.\nsrc/deep/c.ts',
    },
    {
      name: 'says how many it does not show',
      input: { glob: 'src/**', max: 1 },
      expect:
        '3 files match src/** in ., of which the newest 1 are shown. Ignored files were left out.\nsrc/d.js',
    },
    {
      name: 'leaves out what ignore files name, whatever the glob',
      input: { glob: '*.log' },
      expect:
        'No file matches *.log in .. Not searched: 1 ignored entry (include_ignored=true searches them).',
    },
  ]) {
    it(name, async () => assert.equal(await scratch.call('find_files', input), expect));
  }

  posix.it('G16.names: draws line breaks and other controls of names in every result', async () => {
    const forged = await ScratchWorkspace.create({ 'a\nb.ts\x1b/c\td.ts': 'wanted\n' });
    try {
      const name = 'a⟨U+000A⟩b.ts⟨U+001B⟩/c⟨U+0009⟩d.ts';
      const found = await forged.call('find_files', { glob: '*.ts' });
      assert.equal(found, `1 file matches *.ts in ., newest first. Ignored files were left out.\n${name}`);
      assert.ok((await forged.call('search_text', { query: 'wanted' })).includes(`\n${name}\n`));
      const listed = await forged.call('read_folder', {});
      assert.equal(listed, '.: 1 file in all\na⟨U+000A⟩b.ts⟨U+001B⟩/ (1 file)');
    } finally {
      await forged.dispose();
    }
  });

  it('refuses a file as the folder', async () => {
    assert.equal(
      await scratch.failure('find_files', { glob: '*', path: 'a.ts' }),
      'a.ts is not a folder. Give the folder it is in.',
    );
  });
});
