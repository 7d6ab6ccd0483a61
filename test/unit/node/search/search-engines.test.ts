import fc from 'fast-check';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../../../../src/base/json';
import { searchHome } from '../../../../src/node/search/ignore-files';
import { searchBy } from '../../../../src/node/search/search';
import { listedDisk, type WalkStart } from '../../../../src/node/search/walk';
import { createWalkEngine } from '../../../../src/node/search/walk-engine';
import { builtInTools } from '../../../../src/tools';
import { ToolRegistry } from '../../../../src/tools/registry';
import { caseCount } from '../../../hosts/random-cases';
import { prepareCall } from '../../../support/agent/prepare-call';
import { runContext } from '../../../support/agent/run-context';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { long, posix } from '../../../support/platform';

/** The same folder, searched by ripgrep and by a walk. */
class Twins {
  private readonly walking: ToolRegistry;

  private constructor(readonly scratch: ScratchWorkspace) {
    const disk = { ...listedDisk, read: (file: string) => readFile(file) };
    const startAt = async (target: string): Promise<WalkStart> => {
      const { home, repository } = searchHome(target, [scratch.root]);
      return { top: repository ?? home, target, inRepository: repository !== undefined };
    };
    const search = searchBy({
      engine: async () => createWalkEngine({ startAt, secretNames: [], files: disk }),
      modified: async (folder, below) => (await stat(path.join(folder.resolved, below))).mtimeMs,
    });
    const tools = builtInTools({ ...scratch.surroundings, search });
    this.walking = new ToolRegistry({ tools: () => tools }, scratch.skills);
  }

  static async create(contents: Readonly<Record<string, string | Buffer>>): Promise<Twins> {
    return new Twins(await ScratchWorkspace.create(contents));
  }

  async mustAgree(name: string, input: JsonObject): Promise<string> {
    const tool = this.walking.resolve(name);
    assert.ok(tool);
    const { signal } = new AbortController();
    const prepared = await prepareCall(tool, input, signal);
    const { text } = await prepared.run(runContext(signal));
    assert.equal(text, await this.scratch.call(name, input), JSON.stringify(input));
    return text;
  }

  dispose(): Promise<void> {
    return this.scratch.dispose();
  }
}

long.describe('a search without ripgrep', () => {
  describe('finds what ripgrep finds', () => {
    let twins: Twins;

    before(async () => {
      twins = await Twins.create({
        '.gitignore': 'build/\n*.log\n!keep.log\n/top.txt\n',
        'a.ts': 'first\nconst Foo = 1;\nlast foo_bar foo\n\n\tend',
        'top.txt': 'foo\n',
        'src/top.txt': 'foo top\n',
        'src/b.ts': 'foo(a.b);\r\nfoo\r\n\r\nbar; \r\nx',
        'src/.ignore': 'ignored.ts\n',
        'src/ignored.ts': 'foo\n',
        'src/c.js': 'x foo\n12 34\nfoo-foo\n{}\n[x]\n',
        'keep.log': 'foo kept\n',
        'note.log': 'foo\n',
        'build/d.ts': 'foo\n',
        '.env': 'foo=1\n',
        '.hidden/e.ts': 'foo\n',
        'empty.txt': '',
        'binary.bin': Buffer.from('foo\0foo'),
        'wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a foo día\nfoo\n', 'utf16le')]),
        'wide-be.txt': Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('foo día', 'utf16le').swap16()]),
        'marked.txt': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('foo\nÄrger FOO ſ\n')]),
        'latin.txt': Buffer.from('caf\xe9 foo\nfoo\n', 'latin1'),
        'words.txt': 'café foo\nfooé\néfoo\n٣ 7\nΣσς\n日本語 foo\n😀foo\n',
        'long.txt': `${'x'.repeat(5000)}ñeedle foo${'y'.repeat(5000)}\nfoo\n`,
        'many.txt': 'needle\nother\n'.repeat(700),
        'big.txt': `${'line of text\n'.repeat(30_000)}needle in a big file\n${'more\n'.repeat(3)}`,
      });
    });
    after(() => twins.dispose());

    for (const query of [
      ...['foo', 'Foo', 'needle', 'É', 'σ', 'a.b)', '{}', '[x]', 'first\nconst', 'foo\r\n', '\t', 'k'],
    ]) {
      it(`by the text ${JSON.stringify(query)}`, async () => {
        await twins.mustAgree('search_text', { query });
        await twins.mustAgree('search_text', { query, case_sensitive: true, context: 1 });
        await twins.mustAgree('search_text', { query, context: 3 });
      });
    }

    for (const input of [
      { query: 'foo', path: 'src/b.ts', context: 2 },
      { query: 'foo', path: '.env' },
      { query: 'foo', path: 'binary.bin' },
      { query: 'foo', path: 'build' },
      { query: 'foo', path: 'marked.txt' },
      { query: 'foo', glob: 'src/*.js' },
      { query: 'foo', glob: '*.{ts,js}', max: 3 },
      { query: 'needle', max: 5000, path: 'many.txt', context: 1 },
      { query: 'needle', max: 2, context: 2 },
    ]) {
      it(`for ${JSON.stringify(input)}`, () => twins.mustAgree('search_text', input));
    }

    for (const [tool, input] of [
      ['read_folder', {}],
      ['read_folder', { depth: 3 }],
      ['read_folder', { path: 'src' }],
      ['read_folder', { path: 'src', include_ignored: true }],
    ] as const) {
      it(`for ${tool} ${JSON.stringify(input)}`, () => twins.mustAgree(tool, input));
    }
  });

  it('lists what git would track, with any ignore files', async () => {
    const names = fc.constantFrom('a', 'b', 'a.c', 'b.c', 'ab', '.a', 'a b');
    const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    const piece = fc.constantFrom('a', 'b', '.', '*', '?', '**', '[ab]', '[!a]', '[a-c]*', '\\a', 'c', ' ');
    const component = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
    const rule = fc
      .record({
        not: fc.constantFrom('', '', '!'),
        first: fc.constantFrom('', '', '/', '**/'),
        components: fc.array(fc.oneof(component, fc.constant('**'), names), { minLength: 1, maxLength: 3 }),
        last: fc.constantFrom('', '', '/', '/**', ' ', '\\ '),
      })
      .map(({ not, first, components, last }) => not + first + components.join('/') + last);
    const rules = fc.array(fc.oneof(rule, fc.constantFrom('# comment', '', '!', '/', '[', 'a\\')), {
      maxLength: 4,
    });
    const trees = fc.record({
      files: fc.uniqueArray(paths, { minLength: 3, maxLength: 12 }),
      ignoring: fc.dictionary(fc.constantFrom('', 'a/', 'b/', 'a/b/'), rules, { maxKeys: 2 }),
      excluded: fc.array(rule, { maxLength: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(trees, async ({ files, ignoring, excluded }) => {
        // A folder in one path cannot be a file in another.
        const plain = files.filter((file) => !files.some((other) => other.startsWith(`${file}/`)));
        const scratch = await ScratchWorkspace.create({}, { ripgrep: false });
        try {
          execFileSync('git', ['init', '-q', scratch.root]);
          for (const file of plain) await scratch.write(file, '');
          for (const [folder, lines] of Object.entries(ignoring)) {
            const isFile = plain.some((file) => folder === `${file}/` || folder.startsWith(`${file}/`));
            if (!isFile) await scratch.write(`${folder}.gitignore`, lines.join('\n'));
          }
          await scratch.write('.git/info/exclude', excluded.join('\n'));
          assert.deepEqual(await listed(scratch), untracked(scratch));
        } finally {
          await scratch.dispose();
        }
      }),
      { numRuns: caseCount(20) },
    );
  });

  it('applies rules of a repository to that repository only', async () => {
    const twins = await Twins.create({
      '.gitignore': '*.x\n',
      '.ignore': 'no.txt\n',
      'inner/.gitignore': 'own.txt\n',
      'inner/a.x': 'needle',
      'inner/no.txt': 'needle',
      'inner/own.txt': 'needle',
      'b.x': 'needle',
    });
    try {
      for (const folder of ['', '/inner']) execFileSync('git', ['init', '-q', twins.scratch.root + folder]);
      for (const path of ['.', 'inner']) await twins.mustAgree('search_text', { query: 'needle', path });
    } finally {
      await twins.dispose();
    }
  });

  it('treats a file as binary even if only its end is', async () => {
    const late = Buffer.concat([Buffer.from('needle\n'.repeat(200_000)), Buffer.from([0])]);
    const twins = await Twins.create({ 'late.bin': late, 'a.txt': 'needle' });
    try {
      assert.match(await twins.mustAgree('search_text', { query: 'needle' }), /^1 line matches in 1 file/);
    } finally {
      await twins.dispose();
    }
  });

  posix.it('follows no link, waits for no pipe, and says that text cannot be searched', async () => {
    const outside = await ScratchWorkspace.create({ 'secret.txt': 'needle' });
    const scratch = await ScratchWorkspace.create({ 'a.txt': 'needle' }, { ripgrep: false });
    try {
      execFileSync('ln', ['-s', outside.root, scratch.path('folder')]);
      execFileSync('ln', ['-s', outside.path('secret.txt'), scratch.path('file.txt')]);
      execFileSync('mkfifo', [scratch.path('pipe')]);
      assert.deepEqual(await listed(scratch), ['a.txt']);
      assert.match(
        await scratch.failure('search_text', { query: 'needle' }),
        /^Files cannot be searched: there is no ripgrep on this machine\. Tell the user to install it/,
      );
    } finally {
      await scratch.dispose();
      await outside.dispose();
    }
  });
});

async function listed(scratch: ScratchWorkspace): Promise<string[]> {
  const folder = await scratch.files.resolve('.', 'list');
  const query = { folder, matches: () => true, max: 1000 };
  return [...(await scratch.search.files(query, new AbortController().signal)).paths].sort();
}

function untracked(scratch: ScratchWorkspace): string[] {
  const list = ['-c', 'core.excludesFile=/dev/null', 'ls-files', '-z', '--others', '--exclude-standard'];
  const out = execFileSync('git', ['-C', scratch.root, ...list], { encoding: 'utf8' });
  return out
    .split('\0')
    .filter((file) => file !== '')
    .sort();
}
