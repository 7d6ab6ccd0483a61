import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isAll } from '../hosts/random-cases';
import { repository } from '../hosts/repository';
import { affectedTests } from '../support/affected-tests';
import { RepositoryCopy } from '../support/workspace/repository-copy';
import { runInShell } from '../support/processes/run-in-shell';

/** The tests that are about one protocol or tool each. */
const OWN_TESTS = [
  ...['every-protocol', 'replies', 'recovery'].map((name) => `test/unit/protocols/${name}.test.ts`),
  'test/unit/tools/index.test.ts',
  'test/unit/tools/count-words.test.ts',
];

const added = [
  'src/protocols/brackets.ts',
  'src/tools/count-words.ts',
  'test/unit/tools/count-words.test.ts',
];

/** Follows the pages for contributors: one new file, one line in a list and a test, and `npm run manifest`. */
describe('contributing', function () {
  this.timeout(240_000);
  let copy: RepositoryCopy;

  async function run(line: string): Promise<string> {
    // This tests whether the properties hold at all, so a few cases of each are enough.
    const env = { ...process.env, PARLEY_DRAWS: 'few' };
    const { code, output } = await runInShell(line, { cwd: copy.folder, env });
    assert.equal(code, 0, output);
    return output;
  }

  before(async () => {
    copy = await RepositoryCopy.create();
    await copy.write('src/protocols/brackets.ts', example('src/protocols/README.md', 'brackets'));
    await copy.edit(
      'src/protocols/index.ts',
      'import { envelope }',
      "import { brackets } from './brackets';\nimport { envelope }",
    );
    await copy.edit('src/protocols/index.ts', '  plain,\n', '  plain,\n  brackets,\n');
    await copy.write('src/tools/count-words.ts', example('src/tools/README.md', 'count-words'));
    await copy.edit(
      'src/tools/index.ts',
      'import { deletePath }',
      "import { countWords } from './count-words';\nimport { deletePath }",
    );
    await copy.edit(
      'src/tools/index.ts',
      '    readFolder(surroundings),',
      '    readFolder(surroundings),\n    countWords(surroundings),',
    );
    await copy.write(
      'test/unit/tools/count-words.test.ts',
      example('src/tools/README.md', 'count-words.test'),
    );
    await run('npm run manifest');
    const replies = 'test/fixtures/replies/brackets.yaml';
    await copy.write(
      replies,
      (await copy.read(replies)) + example('src/protocols/README.md', 'brackets', 'yaml'),
    );
    await run('node esbuild.mjs && node esbuild.mjs --tests');
  });
  after(() => copy.dispose());

  it('adds them to settings, pickers and the tools page', async () => {
    const names = await copy.read('src/protocols/names.ts');
    assert.match(names, /id: 'brackets',\s+label: 'Brackets'/);
    assert.match(names, /suits: \{ fallback: \/\^bracket\/ \}/);
    const { contributes } = JSON.parse(await copy.read('package.json')) as {
      contributes: { configuration: unknown };
    };
    assert.match(JSON.stringify(contributes.configuration), /"plain","brackets"/);
    assert.match(
      await copy.read('src/tools/README.md'),
      /### `count_words`\n\nSays how many words a text file has\./,
    );
    assert.match(await copy.read('docs/tools.md'), /^\| files \| .*`count_words` \|$/m);
    assert.match(await copy.read('src/protocols/README.md'), /\n## brackets\n[^]*\n## Decisions\n/);
  });

  it('has types that fit', () => run('npx tsc -p .').then(() => undefined));

  it('has nothing that lint finds', () => run(`npx oxlint ${added.join(' ')}`).then(() => undefined));

  it('passes the tests of what was added', async () => {
    const output = await run(`npx mocha ${compiled(OWN_TESTS)} --grep 'brackets|count_words'`);
    for (const tested of [
      'protocol brackets',
      'replies to brackets',
      'recovery under brackets',
      'count_words',
    ])
      assert.ok(output.includes(tested), tested);
  });

  it('passes all tests that read the lists', async function () {
    // Minutes, for tests of which only those above are new.
    if (!isAll) this.skip();
    // Many of them start the command line; beside other tests that takes long.
    this.timeout(30 * 60_000);
    await run(`npx mocha --timeout 60000 ${compiled(await affectedTests(copy.folder))}`);
  });

  it('is available on the command line, for tasks and for replies', async () => {
    assert.match(
      await run('node dist/cli.js prompt --protocol brackets'),
      /between \[\[call\]\] and \[\[\/call\]\]/,
    );
    const reply = '[[call]]{"name":"count_words","arguments":{"path":"notes.txt"}}[[/call]]';
    await copy.write('reply.txt', `I count.\n${reply}`);
    const { text, calls } = JSON.parse(await run('node dist/cli.js parse --protocol auto < reply.txt')) as {
      text: string;
      calls: readonly { name: string; arguments: unknown }[];
    };
    assert.equal(text.trim(), 'I count.');
    assert.deepEqual(
      calls.map(({ name, arguments: given }) => [name, given]),
      [['count_words', { path: 'notes.txt' }]],
    );
    const task =
      'node dist/cli.js run --workspace test/fixtures/sample-workspace --model demo --protocol brackets';
    assert.match(await run(`${task} "read notes.txt"`), /Done\./);
  });

  it('is a tool that is offered, described and run', async () => {
    assert.match(await run('node dist/cli.js tools'), /^count_words \(files, read\)$/m);
    assert.match(await run('node dist/cli.js prompt --protocol brackets'), /"name":"count_words"/);
    await copy.write('test/fixtures/sample-workspace/three.txt', 'one two\nthree\n');
    const answer = await run(
      `node dist/cli.js call count_words --workspace test/fixtures/sample-workspace <<< '{"path":"three.txt"}'`,
    );
    assert.match(answer, /three\.txt has 3 words\./);
  });
});

/** Returns the code that a page shows for the file of this name. */
function example(page: string, name: string, language = 'ts'): string {
  const text = readFileSync(path.join(repository, page), 'utf8');
  const shown = new RegExp(`/${name}\\.${language}\`[^]*?\`\`\`${language}\\n([^]*?)\`\`\``);
  const [, code] = shown.exec(text) ?? [];
  assert.ok(code, `${page} shows no ${name}.${language}`);
  return code.replace(/^ {3}/gm, '');
}

function compiled(files: readonly string[]): string {
  return files.map((file) => `out/${file.replace(/\.ts$/, '.js')}`).join(' ');
}
