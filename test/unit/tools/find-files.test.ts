import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
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
      expect: '3 files match *.ts in ., newest first.\nsrc/deep/c.ts\nsrc/b.ts\na.ts',
    },
    {
      name: 'looks in a folder',
      input: { glob: '*.ts', path: 'src/deep' },
      expect: '1 file matches *.ts in src/deep, newest first.\nsrc/deep/c.ts',
    },
    {
      name: 'tests the path below the folder',
      input: { glob: 'deep/*', path: 'src' },
      expect: '1 file matches deep/* in src, newest first.\nsrc/deep/c.ts',
    },
    {
      name: 'says how many it does not show',
      input: { glob: 'src/**', max: 1 },
      expect: '3 files match src/** in ., of which the newest 1 are shown.\nsrc/d.js',
    },
    {
      name: 'leaves out what ignore files name, whatever the glob',
      input: { glob: '*.log' },
      expect: 'No file matches *.log in .. Ignored files were not searched.',
    },
  ]) {
    it(name, async () => assert.equal(await scratch.call('find_files', input), expect));
  }

  it('refuses a file as the folder', async () => {
    assert.equal(
      await scratch.failure('find_files', { glob: '*', path: 'a.ts' }),
      'a.ts is not a folder. Give the folder it is in.',
    );
  });
});
