import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../src/base/json';
import { limits } from '../../../src/base/limits';
import { getProblems } from '../../../src/tools/get-problems';
import { getSymbols } from '../../../src/tools/get-symbols';
import type { FoundSymbol, Languages, Problem } from '../../../src/tools/ports/languages';
import { runContext } from '../../support/agent/run-context';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { posix } from '../../support/platform';

/** What language services would say; the editor itself is tested in the editor. */
function languages(problems: readonly Problem[], found: readonly FoundSymbol[] = []): Languages {
  return {
    problems: async () => ({ problems, isFresh: true }),
    aroundChange: async (_file, change) => {
      const result = await change();
      return { result, before: [], after: { problems, isFresh: true } };
    },
    outline: async () => found.map((symbol) => ({ ...symbol, depth: 0 })),
    find: async () => found,
    references: async () => [],
    rename: async () => [],
  };
}

describe('get_problems and get_symbols', () => {
  let scratch: ScratchWorkspace;
  let outside: string;
  beforeEach(async () => {
    scratch = await ScratchWorkspace.create({ 'a.txt': 'a\n', 'src/b.txt': 'b\n', '.env': 'K=1\n' });
    outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-lib-')));
    for (const name of ['c.txt', '.env', '.hidden']) writeFileSync(path.join(outside, name), '');
  });
  afterEach(async () => {
    await scratch.dispose();
    rmSync(outside, { recursive: true, force: true });
  });

  const problem = (file: string, message = 'no'): Problem => ({
    path: path.resolve(scratch.root, file),
    line: 1,
    column: 2,
    severity: 'error',
    message,
  });

  async function problems(known: readonly Problem[], input: JsonObject): Promise<string> {
    const tool = getProblems({ ...scratch.surroundings, languages: languages(known) });
    const prepared = await tool.prepare(input, new AbortController().signal);
    return (await prepared.run(runContext())).text;
  }

  it('shows those of a folder only', async () => {
    const known = [problem('a.txt'), problem('src/b.txt'), problem('src-other/b.txt')];
    assert.equal(
      await problems(known, { path: 'src' }),
      '1 problem in src: 1 error.\nsrc/b.txt:1:2 error: no',
    );
  });

  posix.it('shows those of a folder with a backslash in its name', async () => {
    await scratch.write('x\\y/b.txt', 'b');
    assert.match(
      await problems([problem('x\\y/b.txt')], { path: 'x\\y' }),
      /^1 problem in x\\y: 1 error\.\nx\\y\/b\.txt:1:2 error: no$/,
    );
  });

  it('G6.languages shows of a folder outside only what its approval covers', async () => {
    const known = ['c.txt', '.env', '.hidden'].map((name) => problem(path.join(outside, name)));
    const shown = await problems(known, { path: outside });
    assert.equal(shown, `1 problem in ${outside}: 1 error.\n${path.join(outside, 'c.txt')}:1:2 error: no`);
    assert.match(
      await problems(known, {}),
      /\[Left out: 3 in files outside the workspace or that hold secrets\.\]/,
    );
  });

  it('cuts a long list and a long message, and says so', async () => {
    const known = Array.from({ length: limits.problems + 5 }, () => problem('a.txt', 'x\n'.repeat(5_000)));
    const lines = (await problems(known, { path: 'a.txt' })).split('\n');
    assert.equal(lines.length, limits.problems + 2);
    assert.ok(lines.every((line) => line.length < limits.searchLineCharacters + 50));
    assert.equal(lines.at(-1), '[Left out: 5 more: narrow it by path or severity.]');
  });

  it('cuts a long list of symbols, and keeps each on its line', async () => {
    const symbol = { path: scratch.path('a.txt'), line: 3, endLine: 3, kind: 'function', name: 'a\n\u202eb' };
    const found = Array.from({ length: limits.symbols + 1 }, () => symbol);
    const tool = getSymbols({ ...scratch.surroundings, languages: languages([], found) });
    for (const input of [{ path: 'a.txt' }, { query: 'a' }]) {
      const prepared = await tool.prepare(input, new AbortController().signal);
      const lines = (await prepared.run(runContext())).text.split('\n');
      assert.equal(lines.length, limits.symbols + 2);
      assert.match(lines[1] ?? '', /3 function a .*b$/);
      assert.ok(!lines.some((line) => line.includes('\u202e')));
      assert.equal(lines.at(-1), '[1 more left out. Narrow it by query or path.]');
    }
  });

  it('is not offered without an editor, and says what to do instead', async () => {
    for (const [name, input] of [
      ['get_problems', {}],
      ['get_symbols', { query: 'a' }],
    ] as const) {
      assert.match(
        scratch.registry.resolve(name)?.whyNotOffered ?? '',
        /No editor is available.*Run the build/,
      );
      assert.match(await scratch.failure(name, input), /No editor is available.*Run the build/);
    }
  });
});
