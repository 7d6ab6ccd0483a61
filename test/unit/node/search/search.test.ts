import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { posix } from '../../../support/platform';

const contents = {
  '.gitignore': '/top/\n*.log\n',
  'top/a.ts': 'needle',
  'src/top/b.ts': 'needle',
  'src/.gitignore': 'c.ts\n',
  'src/c.ts': 'needle',
  'src/deep/d.log': 'needle',
  'src/deep/e.ts': 'needle',
  'src/deep/.env.local': 'needle',
};

describe('createSearch', () => {
  for (const kind of ['in a repository', 'outside of one', 'in a folder of a repository']) {
    describe(kind, () => {
      let scratch: ScratchWorkspace;
      const prefix = kind === 'in a folder of a repository' ? 'inner/' : '';
      let outer: ScratchWorkspace;

      before(async () => {
        outer = await ScratchWorkspace.create(
          Object.fromEntries(Object.entries(contents).map(([file, text]) => [prefix + file, text])),
        );
        if (kind !== 'outside of one') execFileSync('git', ['-C', outer.root, 'init', '-q']);
        scratch = prefix === '' ? outer : await ScratchWorkspace.create({}, { roots: [outer.path('inner')] });
      });
      after(async () => {
        await scratch.dispose();
        await outer.dispose();
      });

      for (const { folder, files } of [
        { folder: '.', files: '.gitignore src/.gitignore src/deep/.env.local src/deep/e.ts src/top/b.ts' },
        { folder: 'src', files: '.gitignore deep/.env.local deep/e.ts top/b.ts' },
        { folder: 'src/deep', files: '.env.local e.ts' },
      ]) {
        it(`respects every ignore file that counts for ${folder}`, async () => {
          assert.equal((await found(scratch, folder)).join(' '), files);
        });
      }

      it('searches no secret file', async () => {
        assert.equal(
          await scratch.call('search_text', { query: 'needle', path: 'src/deep' }),
          '1 line matches in 1 file.\nsrc/deep/e.ts\n  1: needle\n[Ignored, binary and secret files were left out.]',
        );
      });
    });
  }

  it('respects no ignore file above the workspace', async () => {
    const home = await ScratchWorkspace.create({ '.gitignore': '*\n', 'ws/a.ts': 'needle' });
    const scratch = await ScratchWorkspace.create({}, { roots: [home.path('ws')] });
    try {
      assert.deepEqual(await found(scratch, '.'), ['a.ts']);
    } finally {
      await scratch.dispose();
      await home.dispose();
    }
  });

  it('reads no settings of ripgrep', async () => {
    const scratch = await ScratchWorkspace.create({ 'a.ts': 'needle', ripgreprc: '--glob=!*.ts\n' });
    process.env['RIPGREP_CONFIG_PATH'] = scratch.path('ripgreprc');
    try {
      assert.match(await scratch.call('search_text', { query: 'needle' }), /^1 line matches/);
    } finally {
      delete process.env['RIPGREP_CONFIG_PATH'];
      await scratch.dispose();
    }
  });

  it('stops when it is told to', async () => {
    const scratch = await ScratchWorkspace.create({ 'a.ts': 'needle' });
    try {
      const stop = new AbortController();
      const folder = await scratch.files.resolve('.', 'list');
      const search = scratch.search.files({ folder, matches: () => true, max: 1 }, stop.signal);
      stop.abort();
      await assert.rejects(search, { name: 'AbortError' });
    } finally {
      await scratch.dispose();
    }
  });

  it('counts files by folder', async () => {
    const scratch = await ScratchWorkspace.create({ 'a/b/c.ts': '', 'a/d.ts': '', 'e.ts': '' });
    try {
      const folder = await scratch.files.resolve('.', 'list');
      const { folders, files } = await scratch.search.census(folder, 1, new AbortController().signal);
      assert.deepEqual(Object.fromEntries(folders), { '': 3, a: 2 });
      assert.deepEqual([...files], ['e.ts']);
    } finally {
      await scratch.dispose();
    }
  });

  posix.it('finds its way around odd names', async () => {
    const scratch = await ScratchWorkspace.create({
      '-n.ts': 'needle',
      'a b/[x].ts': 'needle',
      'back\\slash.ts': 'needle',
      'ü.ts': 'needle',
    });
    try {
      const text = await scratch.call('search_text', { query: 'needle' });
      assert.equal(
        text,
        '4 lines match in 4 files.\n-n.ts\n  1: needle\na b/[x].ts\n  1: needle\nback\\slash.ts\n  1: needle\nü.ts\n  1: needle\n[Ignored, binary and secret files were left out.]',
      );
      assert.match(await scratch.call('search_text', { query: 'needle', path: '-n.ts' }), /^1 line matches/);
    } finally {
      await scratch.dispose();
    }
  });
});

async function found(scratch: ScratchWorkspace, path: string): Promise<string[]> {
  const folder = await scratch.files.resolve(path, 'list');
  const { paths } = await scratch.search.files(
    { folder, matches: () => true, max: 100 },
    new AbortController().signal,
  );
  return [...paths].sort();
}
