import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { posix } from '../../../support/platform';

type Spawn = (...given: unknown[]) => ChildProcess;

// SAFETY: the object that the compiled sources call too, so a function replaced here is replaced for them.
const childProcess = createRequire(path.resolve('package.json'))('node:child_process') as { spawn: Spawn };

/** Lets no program start during the work. Node throws some of the system's reasons and tells others by an event. */
async function withoutPrograms<T>(code: string, how: 'thrown' | 'told', work: () => Promise<T>): Promise<T> {
  const { spawn } = childProcess;
  childProcess.spawn = (...given) => {
    if (how === 'thrown') throw Object.assign(new Error(`spawn ${code}`), { code });
    // A program that is not there is what Node itself tells by an event.
    return spawn('/no/such/program', ...given.slice(1));
  };
  try {
    return await work();
  } finally {
    childProcess.spawn = spawn;
  }
}

describe('a program that cannot be started', () => {
  let scratch: ScratchWorkspace;

  before(async () => {
    scratch = await ScratchWorkspace.create({ 'a.txt': 'needle' });
  });
  after(() => scratch.dispose());

  const calls = [
    {
      tool: 'run_shell_command',
      input: { command: 'echo hi' },
      says: /^The shell could not start in .*Check cwd/,
    },
    {
      tool: 'run_shell_command',
      input: { command: 'echo hi', background: true },
      says: /^The shell could not/,
    },
    {
      tool: 'search_text',
      input: { query: 'needle' },
      says: /^The search could not start: .*read_folder\.$/,
    },
    { tool: 'find_files', input: { glob: '*.txt' }, says: /^The search could not start/ },
  ];
  const faults = [
    ['EAGAIN', 'thrown'],
    ['ENOMEM', 'thrown'],
    ['E2BIG', 'thrown'],
    ['EMFILE', 'thrown'],
    ['ENOENT', 'told'],
  ] as const;

  for (const { tool, input, says } of calls) {
    it(`is a result that says so: ${tool}${'background' in input ? ' in the background' : ''}`, async () => {
      for (const [code, how] of faults) {
        const message = await withoutPrograms(code, how, () => scratch.failure(tool, input));
        assert.match(message, says);
        assert.match(message, new RegExp(code));
        assert.deepEqual(scratch.processes.started, [], 'nothing is kept of it');
      }
      // An earlier failure does not block a later start.
      await scratch.call(tool, input);
      await scratch.endCommands();
    });
  }

  posix.it('by its length alone, of which the system has its own idea', async () => {
    const command = `echo ${'x'.repeat(3_000_000)}`;
    assert.match(
      await scratch.failure('run_shell_command', { command }),
      /E2BIG.*make the command shorter\.$/,
    );
  });
});
