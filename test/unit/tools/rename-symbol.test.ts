import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileChange } from '../../../src/core/words/file-change';
import type { JsonObject } from '../../../src/base/json';
import type { PreparedCall } from '../../../src/core/words/tool';
import { SeenFiles } from '../../../src/tools/files/seen-files';
import { getSymbols } from '../../../src/tools/get-symbols';
import type { Languages, OutlinedSymbol, TextChange, TextSpot } from '../../../src/tools/ports/languages';
import { renameSymbol } from '../../../src/tools/rename-symbol';
import { runContext } from '../../support/agent/run-context';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';

const GREET = 'function greet() {}\r\nmodule.exports = { greet };\r\n';
const USE = "const { greet } = require('./greet');\ngreet();\n";

describe('rename_symbol', () => {
  let scratch: ScratchWorkspace;
  let outside: string;
  let asked: (TextSpot & { readonly newName: string }) | undefined;
  let elsewhere: readonly string[];
  let outlined: readonly OutlinedSymbol[];
  let isUnderstood: boolean;

  beforeEach(async () => {
    scratch = await ScratchWorkspace.create({
      'src/greet.js': GREET,
      'src/use.js': USE,
      'AGENTS.md': 'greet\n',
    });
    outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-lib-')));
    asked = undefined;
    elsewhere = [];
    isUnderstood = true;
    outlined = [{ name: 'greet', kind: 'function', line: 1, endLine: 1, depth: 0 }];
  });
  afterEach(async () => {
    await scratch.dispose();
    rmSync(outside, { recursive: true, force: true });
  });

  /** A service that knows every whole word `greet` for the same symbol. */
  const languages = (): Languages => ({
    problems: async () => ({ problems: [], isFresh: true }),
    aroundChange: async (_file, change) => ({
      result: await change(),
      before: [],
      after: { problems: [], isFresh: true },
    }),
    outline: async () => outlined,
    find: async () => [],
    references: async () =>
      isUnderstood
        ? (await uses()).flatMap(({ path: file, edits }) =>
            edits.map(({ start }) => ({ path: file, ...start })),
          )
        : [],
    rename: async (_file, spot, newName) => {
      asked = { ...spot, newName };
      return isUnderstood ? uses(newName) : [];
    },
  });

  async function uses(newName = ''): Promise<readonly TextChange[]> {
    const paths = [scratch.path('src/greet.js'), scratch.path('src/use.js'), ...elsewhere];
    return Promise.all(
      paths.map(async (file) => ({
        path: file,
        edits: (await readFile(file, 'utf8')).split(/\r?\n/).flatMap((text, at) =>
          [...text.matchAll(/(?<![\w/])greet\b/g)].map(({ index }) => ({
            start: { line: at + 1, column: index + 1 },
            end: { line: at + 1, column: index + 6 },
            text: newName,
          })),
        ),
      })),
    );
  }

  const seen = new SeenFiles();
  const prepare = (input: JsonObject): Promise<PreparedCall> =>
    renameSymbol({ ...scratch.surroundings, languages: languages() }, seen).prepare(
      { path: 'src/greet.js', symbol: 'greet', new_name: 'salute', ...input },
      new AbortController().signal,
    );
  const text = (file: string): Promise<string> => readFile(scratch.path(file), 'utf8');

  it('renames in all files, shows every line that changes, and asks for each of them as an edit', async () => {
    const call = await prepare({});
    assert.equal(call.title, 'Rename greet to salute');
    assert.deepEqual(
      call.accesses.map(({ kind, effect, target }) => [kind, effect, target]),
      [
        ['edit', 'write', 'src/greet.js'],
        ['edit', 'write', 'src/use.js'],
      ],
    );
    assert.ok(call.preview?.type === 'diff');
    assert.equal(
      call.preview.after,
      'src/greet.js\n1: function salute() {}\n2: module.exports = { salute };\n\n' +
        "src/use.js\n1: const { salute } = require('./greet');\n2: salute();",
    );
    const changes: FileChange[] = [];
    const { text: told } = await call.run({
      ...runContext(),
      onFileChange: (change) => void changes.push(change),
    });
    assert.equal(
      told,
      'Renamed greet to salute: 4 places in 2 files.\nsrc/greet.js: 2 places\nsrc/use.js: 2 places\nNo new problems so far.',
    );
    assert.equal(await text('src/greet.js'), GREET.replaceAll('greet', 'salute'));
    assert.equal(await text('src/use.js'), "const { salute } = require('./greet');\nsalute();\n");
    assert.deepEqual(
      changes.flatMap(({ display, after }) => (after ? [display] : [])),
      ['src/greet.js', 'src/use.js'],
    );
    assert.deepEqual(asked, { line: 1, column: 10, newName: 'salute' });
  });

  it('takes the line that is given', async () => {
    await prepare({ line: 2 });
    assert.deepEqual(asked, { line: 2, column: 20, newName: 'salute' });
  });

  it('asks for a line where several symbols have the name', async () => {
    outlined = [1, 2].map((line) => ({ name: 'greet', kind: 'function', line, endLine: line, depth: 0 }));
    await assert.rejects(
      prepare({}),
      /greet occurs in src\/greet\.js at lines 1, 2\. Choose one with line\./,
    );
  });

  it('counts the uses of one symbol once without an outline', async () => {
    outlined = [];
    await prepare({});
    assert.deepEqual(asked, { line: 1, column: 10, newName: 'salute' });
  });

  it('says what to do without support for the language', async () => {
    isUnderstood = false;
    await assert.rejects(
      prepare({}),
      /has no language service that can rename .*Use search_text and edit_file\./,
    );
    await assert.rejects(prepare({ symbol: 'nothing' }), /nothing does not occur in src\/greet\.js/);
    await assert.rejects(prepare({ line: 9 }), /does not occur in line 9/);
    await assert.rejects(prepare({ new_name: 'greet' }), /already called greet/);
  });

  it('G6.rename changes nothing outside the workspace', async () => {
    elsewhere = [path.join(outside, 'lib.js')];
    const { writeFile } = await import('node:fs/promises');
    await writeFile(path.join(outside, 'lib.js'), 'greet\n');
    await assert.rejects(prepare({}), /outside/);
    assert.equal(await text('src/greet.js'), GREET);
  });

  it('G8.rename asks for a protected file each time', async () => {
    elsewhere = [scratch.path('AGENTS.md')];
    const { accesses } = await prepare({});
    const [access] = accesses.filter(({ target }) => target === 'AGENTS.md');
    assert.deepEqual([access?.verdict.decision, access?.kind], ['ask', 'edit']);
  });

  it('G9.rename shows no text of a secret file', async () => {
    await scratch.write('.env', 'greet\n');
    elsewhere = [scratch.path('.env')];
    await assert.rejects(prepare({}), /Not renamed, because \.env is part of it: .*secret/);
  });

  it('changes nothing if a file was replaced', async () => {
    const call = await prepare({});
    await scratch.write('src/use.js', 'greet(1);\n');
    await assert.rejects(
      call.run(runContext()),
      /src\/use\.js has changed since this was shown, so nothing was renamed/,
    );
    assert.equal(await text('src/greet.js'), GREET);
  });

  it('can be checked beforehand by get_symbols', async () => {
    const tool = getSymbols({ ...scratch.surroundings, languages: languages() });
    const input = { path: 'src/greet.js', query: 'greet', references: true };
    const call = await tool.prepare(input, new AbortController().signal);
    assert.equal(
      (await call.run(runContext())).text,
      'greet is used in 4 lines of 2 files:\nsrc/greet.js:1: function greet() {}\nsrc/greet.js:2: module.exports = { greet };\n' +
        "src/use.js:1: const { greet } = require('./greet');\nsrc/use.js:2: greet();",
    );
  });
});
