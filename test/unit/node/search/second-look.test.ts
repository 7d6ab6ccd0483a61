import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { EncodingSettings } from '../../../../src/node/files/guess-encoding';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';

const GBK = Buffer.from('636f6e7374207820d6d0cec40a', 'hex');
const SHIFT_JIS = Buffer.from('2f2f2093fa967b8cea0a', 'hex');
const LATIN_1 = Buffer.from('// caf\xe9\n', 'latin1');
const WIDE = Buffer.from('one needle\r\n', 'utf16le');

const contents = {
  'gbk.js': GBK,
  'sjis.js': SHIFT_JIS,
  'latin1.js': LATIN_1,
  'wide.txt': WIDE,
  'wide-big.txt': Buffer.from(WIDE).swap16(),
  'program.bin': Buffer.from('\x7fELF\0\x01'),
  'photo.jpg': Buffer.from('\xff\xd8\xff\xe0JFIF', 'latin1'),
  'plain.txt': 'plain 中文 ✓\n',
};

describe('a second look', () => {
  let scratch: ScratchWorkspace;
  let settings: EncodingSettings | undefined;

  before(async () => {
    scratch = await ScratchWorkspace.create(contents);
  });
  after(() => scratch.dispose());

  const inEditor = (encoding: string, isGuessed = false): ScratchWorkspace => {
    settings = { encoding, isGuessed };
    const told = settings;
    return ScratchWorkspace.over(scratch.root, { encodings: () => told });
  };

  const UNKNOWN =
    '2 binary files, 5 in an unknown encoding (gbk.js, latin1.js, sjis.js, wide-big.txt, wide.txt)';
  for (const { query, expect } of [
    { query: 'quagga', expect: `No line matches in .. Not searched: ${UNKNOWN}.` },
    {
      query: '中文',
      expect: `1 line matches in 1 file. Not searched: ${UNKNOWN}.\nplain.txt\n  1: plain 中文 ✓`,
    },
    { query: 'needle', expect: `No line matches in .. Not searched: ${UNKNOWN}.` },
  ])
    it(`names what it cannot read, for ${query}`, async () =>
      assert.equal(await scratch.call('search_text', { query }), expect));

  for (const { encoding, query, line } of [
    { encoding: 'gbk', query: '中文', line: 'gbk.js\n  1: const x 中文' },
    { encoding: 'shiftjis', query: '日本語', line: 'sjis.js\n  1: // 日本語' },
    { encoding: 'iso88591', query: 'CAFÉ', line: 'latin1.js\n  1: // café' },
    { encoding: 'windows1252', query: 'café', line: 'latin1.js\n  1: // café' },
    { encoding: 'utf8', query: 'one needle', line: 'wide.txt\n  1: one needle' },
    { encoding: 'utf8', query: 'one needle', line: 'wide-big.txt\n  1: one needle' },
  ])
    it(`finds ${query} where files.encoding is ${encoding}`, async () => {
      const found = await inEditor(encoding).call('search_text', { query });
      assert.ok(found.includes(`\n${line}`), found);
    });

  it('guesses where files.autoGuessEncoding says so', async () => {
    const text = '这是一个用来猜测编码的比较长的句子，里面没有别的东西。\n';
    const long = Buffer.from(
      'd5e2cac7d2bbb8f6d3c3c0b4b2c2b2e2b1e0c2ebb5c4b1c8bdcfb3a4b5c4bee4d7d3a3acc0efc3e6c3bbd3d0b1f0b5c4b6abcef7a1a30a',
      'hex',
    );
    const guessing = await ScratchWorkspace.create(
      { 'long.txt': long },
      { encodings: () => ({ encoding: 'utf8', isGuessed: true }) },
    );
    try {
      assert.ok(
        (await guessing.call('search_text', { query: '猜测编码' })).endsWith(`long.txt\n  1: ${text.trim()}`),
      );
    } finally {
      await guessing.dispose();
    }
  });

  it('names a file whose setting is no encoding of the standard', async () =>
    assert.match(
      await inEditor('cp437').call('search_text', { query: 'quagga' }),
      /3 in an unknown encoding/,
    ));

  it('searches one file in its encoding', async () =>
    assert.match(
      await inEditor('gbk').call('search_text', { query: '中文', path: 'gbk.js' }),
      /^1 line matches in 1 file\.\ngbk\.js\n {2}1: const x 中文$/,
    ));

  it('finds a file once that both looks find', async () => {
    const both = await ScratchWorkspace.create(
      { 'a.js': Buffer.concat([Buffer.from('x 中文\n'), GBK]) },
      { encodings: () => ({ encoding: 'gbk', isGuessed: false }) },
    );
    try {
      const found = await both.call('search_text', { query: '中文|const', is_regex: true });
      assert.match(found, /^1 line matches in 1 file\.\na\.js\n {2}2: const x 中文$/);
    } finally {
      await both.dispose();
    }
  });
});

describe('what ignore files hide', () => {
  for (const isRepository of [true, false])
    for (const { rules, folder, inner } of [
      { rules: 'scripts/\n', folder: 'scripts', inner: 'ex.py' },
      { rules: 'scripts/*\n', folder: 'scripts', inner: 'ex.py' },
      { rules: '/scripts/**\n', folder: 'scripts', inner: 'deep/ex.py' },
      { rules: '*\n!.gitignore\n', folder: 'scripts', inner: 'ex.py' },
      { rules: 'out/*\n', folder: 'out/gen', inner: 'ex.py' },
    ])
      it(`is searched in a folder that is named, ${rules.trim().replace('\n', ' ')}, ${isRepository ? 'with' : 'without'} a repository`, async () => {
        const scratch = await ScratchWorkspace.create({
          '.gitignore': rules,
          [`${folder}/${inner}`]: 'example_writer\n',
          'src/a.py': 'nothing\n',
        });
        try {
          if (isRepository) execFileSync('git', ['-C', scratch.root, 'init', '-q']);
          const missed = await scratch.call('search_text', { query: 'example_writer' });
          assert.match(missed, /^No line matches in \.\. Not searched: \d ignored entr/);
          const asked = { query: 'example_writer', path: folder };
          assert.match(await scratch.call('search_text', asked), /^1 line matches in 1 file/);
          assert.match(await scratch.call('find_files', { glob: '*.py', path: folder }), /^1 file matches/);
          const all = { query: 'example_writer', include_ignored: true };
          assert.match(await scratch.call('search_text', all), /^1 line matches in 1 file/);
          assert.match(await scratch.call('find_files', { glob: 'ex.py', include_ignored: true }), /^1 file/);
        } finally {
          await scratch.dispose();
        }
      });

  it('never includes folders of version control and secret files', async () => {
    const scratch = await ScratchWorkspace.create({
      '.gitignore': '*.log\n',
      'a.log': 'needle\n',
      '.env': 'needle=1\n',
    });
    try {
      execFileSync('git', ['-C', scratch.root, 'init', '-q']);
      await scratch.write('.git/description', 'needle\n');
      const found = await scratch.call('search_text', { query: 'needle', include_ignored: true });
      assert.equal(
        found,
        '1 line matches in 1 file.\na.log\n  1: needle\n[Binary and secret files were left out.]',
      );
      const listed = await scratch.call('find_files', { glob: '**', include_ignored: true });
      assert.ok(!listed.includes('.git/'), listed);
    } finally {
      await scratch.dispose();
    }
  });

  it('counts an ignored folder as one, and an empty folder not at all', async () => {
    const scratch = await ScratchWorkspace.create({
      '.gitignore': 'node_modules/\n*.log\n',
      'node_modules/a/b.js': '',
      'node_modules/c.js': '',
      'src/a.log': '',
      'src/a.ts': '',
      'empty/': '',
    });
    try {
      assert.equal(
        await scratch.call('find_files', { glob: 'quagga' }),
        'No file matches quagga in .. Not searched: 2 ignored entries (include_ignored=true searches them).',
      );
    } finally {
      await scratch.dispose();
    }
  });
});
