import assert from 'node:assert/strict';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';

describe('search_text', () => {
  let scratch: ScratchWorkspace;

  before(async () => {
    scratch = await ScratchWorkspace.create({
      '.gitignore': 'build/\n*.log\n',
      'a.ts': 'first\nconst Foo = 1;\nlast\n',
      'src/b.ts': 'foo(a.b);\r\nfoo\r\n',
      'src/c.js': 'x foo\n',
      'note.log': 'foo\n',
      'build/d.ts': 'foo\n',
      '.env': 'foo=1\n',
      '.hidden/e.ts': 'foo\n',
      'binary.bin': Buffer.from('foo\0foo'),
      'wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a foo día\n', 'utf16le')]),
      'many.txt': 'needle\n'.repeat(1500),
      'long.txt': `${'x'.repeat(5000)}ñeedle${'y'.repeat(5000)}\n`,
    });
  });
  after(() => scratch.dispose());

  it('G9.content: shows no line of a file that holds a key, and every line of its neighbours', async () => {
    const keys = await ScratchWorkspace.create({
      'auth.json': '{"title": "wanted", "token": "aB3dE5gH7jK9mN1pQ2rS"}\n',
      'locales/en/auth.json': '{"title": "wanted", "token": "Token"}\n',
    });
    try {
      const found = await keys.call('search_text', { query: 'wanted' });
      assert.match(found, /^1 line matches in 1 file\.\nlocales\/en\/auth\.json\n/u);
    } finally {
      await keys.dispose();
    }
  });

  for (const { name, input, expect } of [
    {
      name: 'finds text, whatever its case, outside ignored, binary and secret files',
      input: { query: 'foo' },
      expect:
        '6 lines match in 5 files.\n.hidden/e.ts\n  1: foo\na.ts\n  2: const Foo = 1;\nsrc/b.ts\n  1: foo(a.b);\n  2: foo\nsrc/c.js\n  1: x foo\nwide.txt\n  1: a foo día\n[Ignored, binary and secret files were left out.]',
    },
    {
      name: 'tells case apart when asked to',
      input: { query: 'Foo', case_sensitive: true },
      expect:
        '1 line matches in 1 file.\na.ts\n  2: const Foo = 1;\n[Ignored, binary and secret files were left out.]',
    },
    {
      name: 'takes regex characters literally',
      input: { query: 'a.b)' },
      expect:
        '1 line matches in 1 file.\nsrc/b.ts\n  1: foo(a.b);\n[Ignored, binary and secret files were left out.]',
    },
    {
      name: 'searches by a regular expression',
      input: { query: '^foo$', is_regex: true, path: 'src' },
      expect:
        '1 line matches in 1 file.\nsrc/b.ts\n  2: foo\n[Ignored, binary and secret files were left out.]',
    },
    {
      name: 'searches one file',
      input: { query: 'foo', path: 'src/b.ts' },
      expect: '2 lines match in 1 file.\nsrc/b.ts\n  1: foo(a.b);\n  2: foo',
    },
    {
      name: 'searches files that match a glob',
      input: { query: 'foo', glob: 'src/*.js' },
      expect:
        '1 line matches in 1 file.\nsrc/c.js\n  1: x foo\n[Ignored, binary and secret files were left out.]',
    },
    {
      name: 'searches no ignored file, whatever the glob',
      input: { query: 'foo', glob: '*.log' },
      expect:
        'No line matches in .. Not searched: 2 ignored entries (include_ignored=true searches them).',
    },
    {
      name: 'shows the lines around',
      input: { query: 'foo =', context: 1 },
      expect:
        '1 line matches in 1 file.\na.ts\n  1- first\n  2: const Foo = 1;\n  3- last\n[Ignored, binary and secret files were left out.]',
    },
    {
      name: 'finds text of several lines',
      input: { query: 'first\nconst' },
      expect:
        '2 lines match in 1 file.\na.ts\n  1: first\n  2: const Foo = 1;\n[Ignored, binary and secret files were left out.]',
    },
    {
      name: 'says how many it does not show',
      input: { query: 'foo', max: 2 },
      expect:
        '6 lines match in 5 files, 2 of them shown.\n.hidden/e.ts\n  1: foo\na.ts\n  2: const Foo = 1;\n[Ignored, binary and secret files were left out.]',
    },
    {
      name: 'takes what looks like an option for a pattern',
      input: { query: '--files' },
      expect:
        'No line matches in .. Not searched: 2 ignored entries (include_ignored=true searches them), 1 binary file, 1 secret file.',
    },
  ]) {
    it(name, async () => assert.equal(await scratch.call('search_text', input), expect));
  }

  it('keeps one file from filling the answer', async () => {
    const lines = (await scratch.call('search_text', { query: 'needle' })).split('\n');
    assert.equal(lines[0], '1,500 lines match in 1 file, 50 of them shown.');
    assert.equal(lines.at(-2), '  [1,450 more in this file]');
  });

  it('shows at most as many matches as a search may', async () => {
    const lines = (await scratch.call('search_text', { query: 'needle', path: 'many.txt', max: 5000 })).split(
      '\n',
    );
    assert.equal(lines[0], '1,500 lines match in 1 file, 1,000 of them shown.');
    assert.equal(lines.length, 1003);
  });

  it('cuts a long line around the match', async () => {
    const text = await scratch.call('search_text', { query: 'ñeedle' });
    assert.match(text, /^ {2}1: …x+ñeedley+…$/m);
    assert.ok(text.length < 700);
  });

  it('searches a secret file only when it is named', async () => {
    const prepared = await scratch.prepare('search_text', { query: 'foo', path: '.env' });
    assert.equal(prepared.accesses[0]?.verdict.decision, 'ask');
    assert.equal(
      await scratch.call('search_text', { query: 'foo', path: '.env' }),
      '1 line matches in 1 file.\n.env\n  1: foo=1',
    );
  });

  for (const { name, input, expect } of [
    {
      name: 'says what is wrong with a regular expression',
      input: { query: '(foo', is_regex: true },
      expect:
        'The pattern cannot be read: unclosed group. Correct it, or search for the text itself with is_regex=false.',
    },
    {
      name: 'knows no look-around',
      input: { query: '(?=a)', is_regex: true },
      expect:
        'The pattern cannot be read: look-around, including look-ahead and look-behind, is not supported. Correct it, or search for the text itself with is_regex=false.',
    },
    {
      name: 'knows the folder of a similar name',
      input: { query: 'foo', path: 'scr' },
      expect: 'No folder at scr. Did you mean src?',
    },
  ]) {
    it(name, async () => assert.equal(await scratch.failure('search_text', input), expect));
  }

  it('refuses a pattern that is too long', async () => {
    assert.match(
      await scratch.failure('search_text', { query: 'x'.repeat(1001) }),
      /^Wrong arguments: Too big/,
    );
  });
});
