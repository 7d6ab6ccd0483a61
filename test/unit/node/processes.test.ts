import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { ToolError } from '../../../src/core/tool';
import type { CommandEnd } from '../../../src/tools/workspace';
import { Scratch } from '../../support/scratch';

describe('createProcesses', () => {
  let scratch: Scratch;

  before(async () => {
    process.env['CANARY_API_KEY'] = 'canary';
    scratch = await Scratch.create({}, { commandRules: () => ({ allow: ['echo'], deny: ['sudo'] }) });
  });
  after(() => {
    delete process.env['CANARY_API_KEY'];
    return scratch.dispose();
  });

  it('judges by the rules', async () => {
    const cwd = await scratch.files.resolve('.', 'list');
    const decisions = await Promise.all(
      ['echo a', 'ls', 'echo a && sudo ls'].map(
        async (command) => (await scratch.processes.judge(command, cwd)).verdict.decision,
      ),
    );
    assert.deepEqual(decisions, ['auto', 'ask', 'deny']);
  });

  it('runs what it is given with bash, without start files and input', async () => {
    const { how, output } = await run(
      'shopt -q login_shell && echo login; echo "${BASH##*/} $-"; cat; echo end',
    );
    assert.deepEqual(how, { type: 'exited', code: 0, leftRunning: false });
    assert.match(output.head, /^bash [a-zA-Z]*\nend\n$/);
  });

  it('G19 gives children no key', async () => {
    const { output } = await run('env');
    assert.ok(!output.head.includes('canary'));
    assert.match(output.head, /^GIT_PAGER=cat$/m);
  });

  it('puts both outputs in the order they came', async () => {
    const { output } = await run('echo 1; sleep 0.1; echo 2 >&2; sleep 0.1; echo 3');
    assert.equal(output.head, '1\n2\n3\n');
  });

  it('shows output while the command runs', async () => {
    const shown: string[] = [];
    await run('echo a; sleep 0.3; echo b', { onOutput: (text) => shown.push(text) });
    assert.deepEqual(shown, ['a\n', 'b\n']);
  });

  it('shows of a flood only some and keeps head and tail', async () => {
    let shown = 0;
    const { output } = await run('seq 1 2000000', { onOutput: (text) => (shown += text.length) });
    assert.ok(output.head.startsWith('1\n2\n'));
    assert.ok(output.tail.endsWith('1999999\n2000000\n'));
    assert.equal(output.omitted, 14_888_896 - output.head.length - output.tail.length);
    assert.ok(output.head.length <= 32 * 1024 && output.tail.length <= 32 * 1024);
    assert.ok(shown < 14_888_896);
  });

  for (const { name, command } of [
    { name: 'a shell and what it waits for', command: 'sleep 61.7 | cat' },
    { name: 'what runs in the background', command: 'sleep 61.7 & sleep 61.7 & wait' },
    {
      name: 'what does not listen to TERM',
      command: `trap '' TERM; sleep 61.7 & wait; while :; do sleep 61.7; done`,
    },
    {
      name: 'what has left the process group',
      command: 'setsid sleep 61.7 & setsid setsid sleep 61.7 & wait; sleep 61.7',
    },
    { name: 'what has lost its parent', command: '(setsid sleep 61.7 >/dev/null 2>&1 &) ; sleep 61.7' },
  ]) {
    it(`G13 ends ${name}`, async () => {
      const stop = new AbortController();
      const start = performance.now();
      setTimeout(() => stop.abort(), 300);
      const { how, survivors } = await run(command, { signal: stop.signal });
      assert.deepEqual(how, { type: 'killed', why: 'aborted' });
      assert.deepEqual(survivors, []);
      assert.ok(performance.now() - start < 5300);
      assert.deepEqual(sleeping(), []);
    });
  }

  it('G13 ends a command at its time limit', async () => {
    const { how, output } = await run('echo a; sleep 61.7', { timeoutMs: 300 });
    assert.deepEqual(how, { type: 'killed', why: 'timeout' });
    assert.equal(output.head, 'a\n');
    assert.deepEqual(sleeping(), []);
  });

  it('does not wait for the output of what runs on in the background', async () => {
    const { how } = await run('sleep 61.7 & echo a');
    assert.deepEqual(how, { type: 'exited', code: 0, leftRunning: true });
    assert.deepEqual(sleeping(), []);
  });

  it('runs only so many at once', async () => {
    const stop = new AbortController();
    const four = Array.from({ length: 4 }, () => run('sleep 61.7', { signal: stop.signal }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await assert.rejects(run('true'), ToolError);
    stop.abort();
    await Promise.all(four);
  });

  it('ends everything when it is disposed', async () => {
    const own = await Scratch.create();
    const cwd = await own.files.resolve('.', 'list');
    const { signal } = new AbortController();
    const running = own.processes.run(
      { command: 'sleep 61.7', cwd, timeoutMs: 60_000, onOutput: () => undefined },
      signal,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    await own.dispose();
    assert.equal((await running).how.type, 'exited');
    assert.deepEqual(sleeping(), []);
  });

  it('says when the folder is gone', async () => {
    const cwd = await scratch.files.resolve('nowhere', 'list');
    const { signal } = new AbortController();
    await assert.rejects(
      scratch.processes.run({ command: 'ls', cwd, timeoutMs: 1000, onOutput: () => undefined }, signal),
      (error) =>
        error instanceof ToolError && error.message.startsWith('The shell could not start in nowhere'),
    );
  });

  it('runs no program that a repository names for differences', async () => {
    const git = await Scratch.create({ 'a.txt': 'a\n' });
    try {
      const call = (...args: string[]): void =>
        void execFileSync('git', ['-C', git.root, ...args], { stdio: 'ignore' });
      call('init');
      call('add', '.');
      await git.write('a.txt', 'b\n');
      assert.match(await git.call('run_shell_command', { command: 'git diff' }), /^\+b$/m);
      call('config', 'diff.external', 'touch evil;');
      await git.call('run_shell_command', { command: 'git diff' });
      await assert.rejects(git.read('evil'));
    } finally {
      await git.dispose();
    }
  });

  interface RunOptions {
    readonly signal?: AbortSignal;
    readonly timeoutMs?: number;
    readonly onOutput?: (text: string) => void;
  }

  async function run(command: string, options: RunOptions = {}): Promise<CommandEnd> {
    const { signal = new AbortController().signal, timeoutMs = 20_000, onOutput = () => undefined } = options;
    const cwd = await scratch.files.resolve('.', 'list');
    return scratch.processes.run({ command, cwd, timeoutMs, onOutput }, signal);
  }
});

/** Command lines of the sleeping programs of these tests. Some of them only wait to be reaped. */
function sleeping(): string[] {
  const listed = execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes('sleep 61.7') && !line.startsWith('Z'));
}
