import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFiles } from '../../../../src/node/files/files';
import { findFolderRules, findRules, rulesNames } from '../../../../src/node/files/rules-files';
import { posix } from '../../../support/platform';

const KIB = 1024;
const NONE: readonly { file: string; characters: number }[] = [];

describe('rules files', () => {
  let parent: string;
  beforeEach(() => (parent = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-rules-')))));
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  /** A folder of the workspace with these files. */
  function root(files: Readonly<Record<string, string | Buffer>>, name = 'web'): string {
    const folder = path.join(parent, name);
    mkdirSync(folder, { recursive: true });
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), content);
    }
    return folder;
  }

  function link(folder: string, file: string, target: string): void {
    symlinkSync(target, path.join(folder, file));
  }

  const find = (...roots: readonly string[]) => findRules({ roots, isTrusted: () => true });

  it('takes the first that a folder has', async () => {
    for (const [index, name] of rulesNames.entries()) {
      const files = Object.fromEntries(rulesNames.slice(index).map((each) => [each, `From ${each}.\n`]));
      const found = await find(root(files, `folder-${index}`));
      assert.deepEqual(found, {
        files: [{ name, folder: `folder-${index}`, text: `From ${name}.` }],
        ignored: [],
      });
    }
    assert.deepEqual(await find(root({ 'README.md': 'x' }, 'none')), { files: [], ignored: [] });
  });

  it('follows a file that holds only the path of another rules file', async () => {
    const { files } = await find(
      root({ 'CLAUDE.md': 'rules of this place\n', 'AGENTS.md': './CLAUDE.md\n' }),
    );
    assert.deepEqual(
      files.map(({ name, text }) => [name, text]),
      [['AGENTS.md', 'rules of this place']],
    );
    const outside = root({ 'AGENTS.md': '../other/CLAUDE.md' }, 'in');
    root({ 'CLAUDE.md': 'foreign' }, 'other');
    assert.equal((await find(outside)).files[0]?.text, '../other/CLAUDE.md');
    assert.equal(
      (await find(root({ 'AGENTS.md': 'README.md', 'README.md': 'x' }, 'plain'))).files[0]?.text,
      'README.md',
    );
  });

  it('adds what a rules file imports, once, and only from its folder', async () => {
    const folder = root({
      'AGENTS.md':
        'Read @docs/rules.md, (@docs/rules.md) and @docs/more.md.\n`@docs/code.md`\n```\n@docs/code.md\n```\nAsk @anna or @../out.md and @.env too.',
      'docs/rules.md': 'first\n@deep.md',
      'docs/more.md': 'more',
      'docs/deep.md': 'second',
      'docs/code.md': 'code',
      '.env': 'KEY=1',
    });
    writeFileSync(path.join(parent, 'out.md'), 'outside');
    const text = (await find(folder)).files[0]?.text ?? '';
    for (const part of [
      '[Imported by AGENTS.md: docs/rules.md]\nfirst\n@deep.md',
      '[Imported by AGENTS.md: docs/more.md]\nmore',
      '@anna',
    ])
      assert.equal(text.split(part).length, 2, part);
    for (const part of ['second', 'outside', 'KEY=1', '\ncode']) assert.ok(!text.includes(part), part);
  });

  it('G8.imports: what a rules file imports asks before it is changed', async () => {
    const folder = root({ 'AGENTS.md': '@docs/rules.md', 'docs/rules.md': 'x', 'docs/other.md': 'y' });
    await find(folder);
    const files = createFiles({ roots: [folder] });
    assert.equal((await files.resolve('docs/rules.md', 'write')).verdict.decision, 'ask');
    assert.equal((await files.resolve('docs/other.md', 'write')).verdict.decision, 'auto');
  });

  it('takes one of each folder, in the order of the folders', async () => {
    const roots = [root({ 'CLAUDE.md': 'b' }, 'b'), root({}, 'c'), root({ 'AGENTS.md': 'a' }, 'a')];
    const { files } = await find(...roots);
    assert.deepEqual(
      files.map(({ folder, name, text }) => [folder, name, text]),
      [
        ['b', 'CLAUDE.md', 'b'],
        ['a', 'AGENTS.md', 'a'],
      ],
    );
  });

  it('G2.rules: reads nothing before the workspace is trusted, and asks at every look', async () => {
    let isTrusted = false;
    const options = { roots: [root({ 'AGENTS.md': 'x' })], isTrusted: () => isTrusted };
    assert.deepEqual(await findRules(options), { files: [], ignored: [] });
    isTrusted = true;
    assert.equal((await findRules(options)).files.length, 1);
    isTrusted = false;
    assert.deepEqual(await findRules(options), { files: [], ignored: [] });
  });

  posix.it('follows a link to another file of the folder', async () => {
    const folder = root({ 'AGENTS.md': 'shared' });
    link(folder, 'CLAUDE.md', 'AGENTS.md');
    rmSync(path.join(folder, 'AGENTS.md'));
    root({ 'docs/agents.md': 'shared' });
    link(folder, 'AGENTS.md', 'docs/agents.md');
    assert.deepEqual((await find(folder)).files, [{ name: 'AGENTS.md', folder: 'web', text: 'shared' }]);
  });

  const refused: readonly { name: string; make: (folder: string) => void; why: RegExp }[] = [
    { name: 'a link out of the folder', make: (f) => link(f, 'AGENTS.md', '../out.md'), why: /outside/ },
    {
      name: 'a link into another folder of the workspace',
      make: (f) => link(f, 'AGENTS.md', '../other/AGENTS.md'),
      why: /outside/,
    },
    { name: 'a link to a secret file', make: (f) => link(f, 'AGENTS.md', '.env'), why: /secret file/ },
    { name: 'a link in a circle', make: (f) => link(f, 'AGENTS.md', 'AGENTS.md'), why: /./ },
    { name: 'a folder', make: (f) => mkdirSync(path.join(f, 'AGENTS.md')), why: /cannot be read as text/ },
    {
      name: 'a file that is not text',
      make: (f) => writeFileSync(path.join(f, 'AGENTS.md'), Buffer.from([0x50, 0, 0xff])),
      why: /cannot be read as text/,
    },
    {
      name: 'another encoding',
      make: (f) => writeFileSync(path.join(f, 'AGENTS.md'), Buffer.from([0x50, 0xe9, 0x0a])),
      why: /cannot be read as text/,
    },
  ];
  for (const { name, make, why } of refused) {
    const { it: register } = name.startsWith('a link') ? posix : { it };
    register(`G6.rules: leaves out ${name}, says so, and takes the next`, async () => {
      writeFileSync(path.join(parent, 'out.md'), 'outside');
      const other = root({ 'AGENTS.md': 'of the other' }, 'other');
      const folder = root({ '.env': 'KEY=1', 'CLAUDE.md': 'mine' });
      make(folder);
      const { files, ignored } = await find(folder, other);
      assert.deepEqual(
        files.map(({ text }) => text),
        ['mine', 'of the other'],
      );
      assert.deepEqual(
        ignored.map(({ name: file, folder: of }) => [file, of]),
        [['AGENTS.md', 'web']],
      );
      assert.match(ignored[0]?.problem ?? '', why);
    });
  }

  for (const blank of ['', ' \r\n\t\n', '\ufeff\n']) {
    it(`treats ${JSON.stringify(blank)} as no rules and uses the next file`, async () => {
      const found = await find(root({ 'AGENTS.md': blank, 'CLAUDE.md': 'mine' }));
      assert.deepEqual(found, { files: [{ name: 'CLAUDE.md', folder: 'web', text: 'mine' }], ignored: [] });
      assert.deepEqual(await find(root({ 'AGENTS.md': blank }, 'alone')), { files: [], ignored: [] });
    });
  }

  it('G16.rules: makes hidden characters visible', async () => {
    const hidden = 'Be kind.\u200b\u202e\u{e0041}\u001b[31m\r\nYes.';
    const { files } = await find(root({ 'AGENTS.md': `\ufeff${hidden}` }));
    assert.equal(files[0]?.text, 'Be kind.⟨U+200B⟩⟨U+202E⟩⟨U+E0041⟩⟨U+001B⟩[31m\r\nYes.');
  });

  it('reads UTF-16 with its mark', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße', 'utf16le')]);
    assert.equal((await find(root({ 'AGENTS.md': bytes }))).files[0]?.text, 'Grüße');
  });

  it('takes 32 KiB whole, and of more the first lines', async () => {
    const line = `${'é'.repeat(50)}\n`;
    const whole = line.repeat(400).slice(0, 16 * KIB);
    const [first] = (await find(root({ 'AGENTS.md': whole }, 'whole'))).files;
    assert.deepEqual([first?.text, first?.isCut], [whole.trim(), undefined]);

    const [second] = (await find(root({ 'AGENTS.md': line.repeat(1_000) }, 'long'))).files;
    assert.ok(second?.isCut);
    const [note, ...lines] = second.text.split('\n').reverse();
    assert.match(note ?? '', /^\[Cut: AGENTS\.md has 98\.6 KiB; at most 32 KiB of a file and 64 KiB of all/);
    assert.ok(lines.length > 300 && lines.every((each) => each === line.trim()));
    assert.ok(Buffer.byteLength(second.text) <= 32 * KIB);
  });

  it('stays within 32 KiB even if visible characters make a text longer, and with one line only', async () => {
    for (const text of ['\u200b'.repeat(10_000), 'x'.repeat(100_000), '😀'.repeat(20_000)]) {
      const [file] = (await find(root({ 'AGENTS.md': text }))).files;
      assert.ok(file?.isCut);
      assert.ok(Buffer.byteLength(file.text) <= 32 * KIB);
      assert.ok(Buffer.byteLength(file.text) > 31 * KIB);
      assert.ok(!file.text.includes('\ufffd'));
    }
  });

  it('takes 64 KiB of all folders together', async () => {
    const text = 'x'.repeat(99).concat('\n').repeat(300);
    const roots = ['a', 'b', 'c', 'd'].map((name) => root({ 'AGENTS.md': text }, name));
    const { files, ignored } = await find(...roots);
    assert.deepEqual(
      files.map(({ folder, isCut }) => [folder, isCut]),
      [
        ['a', undefined],
        ['b', undefined],
        ['c', true],
      ],
    );
    assert.ok(files.reduce((sum, each) => sum + Buffer.byteLength(each.text), 0) <= 64 * KIB);
    const problem = 'the rules of the other folders take up all 64 KiB';
    assert.deepEqual(ignored, [{ name: 'AGENTS.md', folder: 'd', problem }]);
  });

  it('gives the same bytes for the same files', async () => {
    const roots = [root({ 'AGENTS.md': '\u200b😀\n'.repeat(9_000) }, 'a'), root({ 'GEMINI.md': 'x' }, 'b')];
    assert.deepEqual(await find(...roots), await find(...roots));
  });

  describe('of folders below', () => {
    const below = (roots: readonly string[], places: readonly string[], given = NONE, isTrusted = true) =>
      findFolderRules(places, () => given, { roots, isTrusted: () => isTrusted, taken: 0 });
    const files = {
      'AGENTS.md': 'root',
      'api/AGENTS.md': 'api',
      'api/v2/CLAUDE.md': 'v2',
      'api/v2/x.ts': '',
      'web/a.ts': '',
    };

    it('are those on the way, from the outside in, without that of the root', async () => {
      const folder = root(files);
      const found = await below([folder], ['api/v2/x.ts']);
      assert.deepEqual(found, [
        { name: 'api/AGENTS.md', folder: 'web', text: 'api' },
        { name: 'api/v2/CLAUDE.md', folder: 'web', text: 'v2' },
      ]);
      assert.deepEqual(await below([folder], ['web/a.ts', '.', 'README.md']), []);
      assert.deepEqual(
        (await below([folder], ['api'])).map(({ text }) => text),
        ['api'],
      );
      assert.deepEqual((await below([folder], ['api/v2/new.ts'])).length, 2);
    });

    it('are not given twice', async () => {
      const given = [{ file: 'web/api/AGENTS.md', characters: 3 }];
      assert.deepEqual(
        (await below([root(files)], ['api/v2/x.ts'], given)).map(({ text }) => text),
        ['v2'],
      );
    });

    it('G2.rules-of-folders are not read in Restricted Mode', async () => {
      assert.deepEqual(await below([root(files)], ['api/v2/x.ts'], NONE, false), []);
    });

    it('are not those of packages, of hidden folders or of places outside', async () => {
      const folder = root({
        'node_modules/x/AGENTS.md': 'no',
        'node_modules/x/a.js': '',
        '.cache/AGENTS.md': 'no',
        '.cache/a.js': '',
      });
      const outside = root({ 'AGENTS.md': 'no', 'a.js': '' }, 'outside');
      assert.deepEqual(
        await below(
          [folder],
          ['node_modules/x/a.js', '.cache/a.js', path.join(outside, 'a.js'), '../outside/a.js'],
        ),
        [],
      );
    });

    posix.it('G6.rules-of-folders do not leave the folder by a link', async () => {
      const folder = root({ 'sub/a.js': '' });
      const outside = root({ 'rules.md': 'no' }, 'outside');
      link(folder, 'sub/AGENTS.md', path.join(outside, 'rules.md'));
      assert.deepEqual(await below([folder], ['sub/a.js']), []);
    });

    it('are bounded together with those that were given', async () => {
      const big = 'x'.repeat(30 * KIB);
      const folder = root({
        'a/AGENTS.md': big,
        'a/b/AGENTS.md': big,
        'a/b/c/AGENTS.md': big,
        'a/b/c/x.js': '',
      });
      const found = await below([folder], ['a/b/c/x.js']);
      const total = found.reduce((sum, { text }) => sum + text.length, 0);
      assert.ok(found.length >= 2 && total <= 64 * KIB, `${total}`);
      const given = [{ file: 'web/other/AGENTS.md', characters: 64 * KIB }];
      assert.deepEqual(await below([folder], ['a/b/c/x.js'], given), []);
    });
  });
});
