import assert from 'node:assert/strict';
import path from 'node:path';
import type { JsonObject } from '../../../src/base/json';
import { limits } from '../../../src/base/limits';
import { builtInTools } from '../../../src/tools';
import type { KnownProblems, Languages, Problem } from '../../../src/tools/ports/languages';
import { runContext } from '../../support/agent/run-context';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';

interface Row {
  readonly name: string;
  /** Absent if the file was not checked before. */
  readonly before?: readonly Problem[];
  readonly after: readonly Problem[];
  readonly isFresh?: boolean;
  /** What comes behind the report of the edit. */
  readonly told: readonly string[];
}

const at = (line: number, message: string, severity: Problem['severity'] = 'error', file = 'a.txt') => ({
  path: file,
  line,
  column: 1,
  severity,
  message,
});

const many = Array.from({ length: limits.newProblems + 3 }, (_, line) => at(line + 1, `no ${line}`));

const rows: Row[] = [
  {
    name: 'tells what was not there before, the warnings too',
    before: [at(1, 'old')],
    after: [at(1, 'old'), at(2, 'new'), at(3, 'odd', 'warning')],
    told: ['New problems: 1 error, 1 warning.', 'a.txt:2:1 error: new', 'a.txt:3:1 warning: odd'],
  },
  {
    name: 'takes a problem that has moved for the same',
    before: [at(1, 'old')],
    after: [at(7, 'old')],
    told: ['No new problems so far.'],
  },
  {
    name: 'tells of one that comes more often than before',
    before: [at(1, 'old')],
    after: [at(1, 'old'), at(5, 'old')],
    told: ['New problems: 1 error.', 'a.txt:5:1 error: old'],
  },
  {
    name: 'tells of other files, which the change may have broken',
    before: [],
    after: [at(1, 'not exported', 'error', 'src/b.txt')],
    told: ['New problems: 1 error.', 'src/b.txt:1:1 error: not exported'],
  },
  {
    name: 'leaves hints and information out',
    before: [],
    after: [at(1, 'nice', 'hint'), at(1, 'well', 'information')],
    told: ['No new problems so far.'],
  },
  { name: 'says nothing if there was no report', before: [], after: [], isFresh: false, told: [] },
  {
    name: 'reports nothing as new without an earlier check, and only reports the file',
    after: [at(2, 'perhaps'), at(1, 'elsewhere', 'error', 'src/b.txt')],
    told: ['Problems now, perhaps not all of them new: 1 error.', 'a.txt:2:1 error: perhaps'],
  },
  {
    name: 'G9.secret says nothing of secret files and of those outside',
    before: [],
    after: [at(1, 'the key is 1', 'error', '.env'), at(1, 'far', 'error', '/etc/hosts')],
    told: ['No new problems so far.'],
  },
  {
    name: 'cuts a long list, and says so',
    before: [],
    after: many,
    told: [
      `New problems: ${many.length} errors.`,
      ...many.slice(0, limits.newProblems).map(({ line, message }) => `a.txt:${line}:1 error: ${message}`),
      '[3 more: get_problems shows them.]',
    ],
  },
];

describe('new problems after a change', () => {
  let scratch: ScratchWorkspace;
  beforeEach(async () => {
    scratch = await ScratchWorkspace.create({ 'a.txt': 'a\n', 'src/b.txt': 'b\n', '.env': 'K=1\n' });
  });
  afterEach(() => scratch.dispose());

  /** As an editor would answer whose services say this. */
  function languages({ before, after, isFresh = true }: Omit<Row, 'name' | 'told'>): Languages {
    const placed = (problems: readonly Problem[]): readonly Problem[] =>
      problems.map((problem) => ({ ...problem, path: path.resolve(scratch.root, problem.path) }));
    const known: KnownProblems = { problems: placed(after), isFresh };
    return {
      problems: async () => known,
      aroundChange: async (_file, change) => ({
        result: await change(),
        ...(before && { before: placed(before) }),
        after: known,
      }),
      outline: async () => [],
      find: async () => [],
      references: async () => [],
      rename: async () => [],
    };
  }

  async function call(name: string, input: JsonObject, row: Omit<Row, 'name' | 'told'>) {
    const tools = builtInTools({ ...scratch.surroundings, languages: languages(row) });
    const tool = tools.find(({ spec }) => spec.name === name);
    assert.ok(tool);
    const prepared = await tool.prepare(input, new AbortController().signal);
    return (await prepared.run(runContext())).text.split('\n');
  }

  for (const { name, told, ...row } of rows) {
    it(name, async () => {
      const [first, second, ...rest] = await call('edit_file', { path: 'a.txt', old: 'a', new: 'b' }, row);
      assert.equal(first, 'Edited a.txt: added 1 line, removed 1 line.');
      assert.equal(second, 'edit 1: line 1');
      assert.deepEqual(rest, told);
    });
  }

  const sixtyLines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join('');

  for (const { name, added, before, after, told } of [
    {
      name: 'above the known one, which has moved',
      added: [[9, 'x\n']],
      before: [50],
      after: [10, 51],
      told: [10],
    },
    { name: 'below the known one', added: [[54, 'x\n']], before: [50], after: [50, 55], told: [55] },
    {
      name: 'right before the known one, where that was',
      added: [[49, 'x\n']],
      before: [50],
      after: [50, 51],
      told: [50],
    },
    {
      name: 'between known ones',
      added: [[20, 'x\ny\n']],
      before: [10, 50],
      after: [10, 21, 22, 52],
      told: [21, 22],
    },
    {
      name: 'between two edits, by the nearest line',
      added: [
        [9, 'x\n'],
        [40, 'y\n'],
      ],
      before: [30, 50],
      after: [10, 31, 41, 52],
      told: [10, 41],
    },
    { name: 'one fewer', added: [[9, 'x\n']], before: [30, 50], after: [51], told: [] },
  ] as const) {
    it(`among equal ones names the new one: ${name}`, async () => {
      await scratch.write('a.txt', sixtyLines);
      const problems = (all: readonly number[]): Problem[] => all.map((line) => at(line, 'same'));
      const row = { before: problems(before), after: problems(after) };
      const edits = added.map(([line, text]) => ({
        old: `line ${line}\n`,
        new: `line ${line}\n${text}`,
      }));
      const report = await call('edit_file', { path: 'a.txt', edits }, row);
      const named = report.flatMap((text) => /^a\.txt:(\d+):1 error: same$/.exec(text)?.[1] ?? []);
      assert.deepEqual(named.map(Number), told);
    });
  }

  it('are also reported after a file was written', async () => {
    const row = { before: [], after: [at(1, 'new', 'error', 'new.txt')] };
    assert.deepEqual(await call('write_file', { path: 'new.txt', content: 'x\n' }, row), [
      'Created new.txt: 1 line.',
      'New problems: 1 error.',
      'new.txt:1:1 error: new',
    ]);
  });
});
