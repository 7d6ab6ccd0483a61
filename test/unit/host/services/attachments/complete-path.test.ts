import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { completePath, type PathQuery } from '../../../../../src/host/services/attachments/complete-path';
import { ScratchWorkspace } from '../../../../support/workspace/scratch-workspace';
import { posix } from '../../../../support/platform';

posix.describe('completion of paths', () => {
  let scratch: ScratchWorkspace;
  let other: ScratchWorkspace;

  before(async () => {
    const names = [
      'src/parser.ts',
      'src/parsers/vcp.ts',
      'src/old-parser.ts',
      'test/parser test.ts',
      'README.md',
    ];
    const files = Object.fromEntries(names.map((name) => [name, 'x']));
    scratch = await ScratchWorkspace.create({
      ...files,
      '.gitignore': 'dist/\n',
      'dist/parser.js': 'x',
      '.env': 'KEY=1',
      'keys/parser.pem': 'x',
      'pay\u202eparser.txt': 'x',
      'par"ser "x.txt': 'x',
      '.git/parser': 'x',
    });
    other = await ScratchWorkspace.create({ 'lib/parser.py': 'x' });
    for (const [index, name] of names.entries()) utimesSync(scratch.path(name), 2_000_000, 2_000_000 - index);
  });
  after(async () => {
    await scratch.dispose();
    await other.dispose();
  });

  async function complete(query: PathQuery, roots = [scratch.root]): Promise<readonly string[]> {
    const { files, search } = scratch;
    const items = await completePath(query, { files, search, roots }, new AbortController().signal);
    return items.map(({ path }) => path);
  }

  const rows: readonly { query: string; only?: 'file' | 'folder'; first: readonly string[] }[] = [
    {
      query: 'parser',
      first: [
        'src/parsers/',
        'src/parser.ts',
        'test/parser test.ts',
        'src/old-parser.ts',
        'src/parsers/vcp.ts',
      ],
    },
    { query: 'parser', only: 'folder', first: ['src/parsers/'] },
    { query: 'SRC/PA', only: 'file', first: ['src/parser.ts', 'src/parsers/vcp.ts', 'src/old-parser.ts'] },
    { query: 'src/', only: 'folder', first: ['src/', 'src/parsers/'] },
    { query: 'rdm', first: ['README.md'] },
    { query: String.raw`src\parsers\v`, first: ['src/parsers/vcp.ts'] },
    { query: 'no such thing', first: [] },
  ];
  for (const { query, only, first } of rows) {
    it(`finds ${only ?? 'what'} fits "${query}", the best first`, async () => {
      assert.deepEqual(await complete({ query, only }), first);
    });
  }

  it('begins with the newest files', async () => {
    const found = await complete({ query: '', only: 'file' });
    // Files without a time in this test are newer than all others.
    assert.deepEqual(found.slice(1), [
      'src/parser.ts',
      'src/parsers/vcp.ts',
      'src/old-parser.ts',
      'test/parser test.ts',
      'README.md',
    ]);
    assert.deepEqual(found.slice(0, 1), ['.gitignore']);
  });

  it('G9.completion: suggests no secret file, nothing ignored, and no name that hides something', async () => {
    for (const query of ['', 'env', 'pem', 'par', '.env', 'parser.pem', 'dist', '.git/']) {
      const all = (await complete({ query })).join('\n');
      assert.doesNotMatch(all, /\.env|pem|dist\/|\u202e|par"ser|\.git\//, query);
    }
  });

  it('names what is in another folder of the workspace by its whole path', async () => {
    const two = await ScratchWorkspace.create({}, { roots: [scratch.root, other.root] });
    const ports = { files: two.files, search: two.search, roots: [scratch.root, other.root] };
    const items = await completePath({ query: 'parser.py' }, ports, new AbortController().signal);
    assert.deepEqual(items, [{ type: 'file', path: `${other.root}/lib/parser.py` }]);
    await two.dispose();
  });

  it('G35 gives twenty of many', async () => {
    const many = await ScratchWorkspace.create(
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f/parser-${index}.txt`, 'x'])),
    );
    const ports = { files: many.files, search: many.search, roots: [many.root] };
    assert.equal((await completePath({ query: 'par' }, ports, new AbortController().signal)).length, 20);
    await many.dispose();
  });

  it('G9.added: leaves out what the user calls secret', async () => {
    const ports = { files: scratch.files, search: scratch.search, roots: [scratch.root] };
    const secretNames = (): readonly string[] => ['parser.*'];
    const query = { query: 'parser', only: 'file' } as const;
    const items = await completePath(query, { ...ports, secretNames }, new AbortController().signal);
    assert.ok(items.length > 0);
    assert.ok(!items.some(({ path }) => path === 'src/parser.ts'));
  });
});
