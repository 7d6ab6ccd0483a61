import fc from 'fast-check';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { JsonObject } from '../../../../src/base/json';
import { ToolError } from '../../../../src/core/words/tool';
import { createWalkEngine } from '../../../../src/node/search/walk-engine';
import { caseCount } from '../../../hosts/random-cases';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { long, posix } from '../../../support/platform';
import { letTimePass } from '../../../support/turns';

/** The same folder, searched by ripgrep and in JavaScript. */
class Twins {
  private constructor(
    readonly byRipgrep: ScratchWorkspace,
    readonly inJavaScript: ScratchWorkspace,
  ) {}

  static async create(contents: Readonly<Record<string, string | Buffer>>): Promise<Twins> {
    const scratch = await ScratchWorkspace.create(contents);
    return new Twins(scratch, ScratchWorkspace.over(scratch.root, { ripgrep: false }));
  }

  async mustAgree(tool: string, input: JsonObject): Promise<string> {
    const [expected, found] = await Promise.all(
      [this.byRipgrep, this.inJavaScript].map((each) => textOf(each, tool, input)),
    );
    assert.equal(found, expected, JSON.stringify(input));
    return found ?? '';
  }

  async dispose(): Promise<void> {
    // Both have the same folder.
    await this.inJavaScript.dispose();
    await this.byRipgrep.dispose();
  }
}

async function textOf(scratch: ScratchWorkspace, tool: string, input: JsonObject): Promise<string> {
  try {
    return await scratch.call(tool, input);
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

long.describe('a search in JavaScript', () => {
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

    for (const query of [
      ...[
        '^foo$',
        '^$',
        'foo$',
        '^',
        '$',
        '[^o]$',
        '[^;]$',
        'o.$',
        ';\\s*$',
        '\\s$',
        '.*',
        'x*',
        'a||b',
        '()',
      ],
      ...[
        '\\bfoo\\b',
        '\\bfoo',
        'foo\\B',
        '\\<foo\\>',
        '\\w+',
        '\\W',
        '\\d+ \\d',
        '\\D\\d',
        '\\s\\S',
        '\\S+\\s\\S+',
      ],
      ...[
        '[a-c]',
        '[^a-z\\s]',
        '[[:upper:]]oo',
        '[[:^alpha:]]',
        '[\\w&&[^o]]',
        '[a-z--o]{3}',
        '[]x]',
        '[-x]',
        '[\\d\\]]',
      ],
      ...[
        '(foo|bar)',
        '(?:foo)+',
        '(?P<n>foo)',
        '(?<n>bar)',
        'fo{2}',
        'fo{1,}',
        'fo{1,3}?',
        'o{2}{1}',
        'o**',
        'o+?',
      ],
      ...[
        '(?i)FOO',
        '(?-i)FOO',
        '(?s)foo.',
        'foo\\(',
        '\\x66oo',
        '\\u{66}oo',
        '\\t',
        '\\pL',
        '\\p{Greek}',
        '\\p{Lu}',
      ],
      ...[
        '\\P{L}',
        'foo\\n',
        '\\nfoo',
        'foo\\r\\n',
        'first\\n.*Foo',
        '(?s)first.*last\\n',
        '[^x]\\n\\n',
        'café|Σ',
        '\\-foo',
      ],
    ]) {
      it(`by the expression ${query}`, async () => {
        await twins.mustAgree('search_text', { query, is_regex: true });
        await twins.mustAgree('search_text', {
          query,
          is_regex: true,
          case_sensitive: true,
          context: 1,
          path: 'src',
        });
      });
    }

    for (const query of [
      ...[
        '(foo',
        'foo)',
        '[a',
        'a{2',
        'a{',
        '{',
        'a{2,1}',
        'a{,3}',
        '*a',
        '[z-a]',
        '\\q',
        '\\k<n>',
        '(?<n',
        '\\p{Foo}',
      ],
      ...['[]', '\\x4', '\\x{110000}', '\\Z', '(?<!a)b', '(?=a)', '(a)\\1', '(?z)a'],
    ]) {
      it(`and says what is wrong with ${query} as ripgrep does`, async () => {
        assert.match(
          await twins.mustAgree('search_text', { query, is_regex: true }),
          /^The pattern cannot be read/,
        );
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
      for (const folder of ['', '/inner']) execFileSync('git', ['init', '-q', twins.byRipgrep.root + folder]);
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

  posix.it('follows no link and waits for no pipe', async () => {
    const outside = await ScratchWorkspace.create({ 'secret.txt': 'needle' });
    const scratch = await ScratchWorkspace.create({ 'a.txt': 'needle' }, { ripgrep: false });
    try {
      execFileSync('ln', ['-s', outside.root, scratch.path('folder')]);
      execFileSync('ln', ['-s', outside.path('secret.txt'), scratch.path('file.txt')]);
      execFileSync('mkfifo', [scratch.path('pipe')]);
      assert.equal(
        await scratch.call('search_text', { query: 'needle' }),
        '1 line matches in 1 file.\na.txt\n  1: needle',
      );
      assert.deepEqual(await listed(scratch), ['a.txt']);
    } finally {
      await scratch.dispose();
      await outside.dispose();
    }
  });

  it('stops when it is told to', async () => {
    const scratch = await ScratchWorkspace.create({ 'a.txt': `${'a'.repeat(40)}!` }, { ripgrep: false });
    try {
      const stop = new AbortController();
      const search = scratch.call('search_text', { query: '(a+)+$', is_regex: true }, stop.signal);
      void letTimePass(300).then(() => stop.abort());
      await assert.rejects(search, { name: 'AbortError' });
    } finally {
      await scratch.dispose();
    }
  });

  it('says that a pattern takes too long', async () => {
    const scratch = await ScratchWorkspace.create({ 'a.txt': `${'a'.repeat(60)}!` });
    try {
      const engine = createWalkEngine({
        startAt: async (target) => ({ top: scratch.root, target, inRepository: false }),
        secretNames: [],
        timeoutMs: 100,
      });
      const place = await scratch.files.resolve('.', 'search');
      const query = {
        place,
        query: '(a+)+$',
        isRegex: true,
        caseSensitive: true,
        context: 0,
        max: 1,
        maxPerFile: 1,
      };
      await assert.rejects(
        engine.text(query, new AbortController().signal),
        /^ToolError: The pattern takes too long/,
      );
    } finally {
      await scratch.dispose();
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
