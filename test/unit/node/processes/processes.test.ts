import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { ToolError } from '../../../../src/core/words/tool';
import type {
  CommandEnd,
  CommandOutput,
  CommandToRun,
  StartedCommand,
} from '../../../../src/tools/ports/processes';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import {
  sleepCommand,
  runningCommandLines,
  wellBeforeItsEnd,
} from '../../../support/processes/sleep-command';
import { linux } from '../../../support/platform';

linux.describe('createProcesses', () => {
  let scratch: ScratchWorkspace;

  before(async () => {
    process.env['CANARY_API_KEY'] = 'canary';
    scratch = await ScratchWorkspace.create(
      {},
      { commandRules: () => ({ allow: ['echo'], deny: ['sudo'] }) },
    );
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

  it('says once for each rule that it covers less than before', async () => {
    const told: string[] = [];
    const other = await ScratchWorkspace.create(
      {},
      {
        commandRules: () => ({ allow: ['some-tool'], deny: [] }),
        tellsOfRule: (rule) => !told.includes(rule) && told.push(rule) > 0,
      },
    );
    try {
      const cwd = await other.files.resolve('.', 'list');
      const reasons: string[] = [];
      for (const command of ['some-tool --x', 'some-tool --x', 'other'])
        reasons.push((await other.processes.judge(command, cwd)).verdict.reason);
      assert.deepEqual(reasons, [
        'Rules cover less than before: --x is not known to be harmless for some-tool',
        '--x is not known to be harmless for some-tool',
        'no rule matches other',
      ]);
    } finally {
      await other.dispose();
    }
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

  it('shows only parts of a flood and keeps head and tail', async () => {
    let shown = 0;
    const { output } = await run('seq 1 2000000', { onOutput: (text) => (shown += text.length) });
    assert.ok(output.head.startsWith('1\n2\n'));
    assert.ok(output.tail.endsWith('1999999\n2000000\n'));
    assert.equal(output.omitted, 14_888_896 - output.head.length - output.tail.length);
    assert.ok(output.head.length <= 32 * 1024 && output.tail.length <= 32 * 1024);
    assert.ok(shown < 14_888_896);
  });

  for (const { name, command } of [
    { name: 'a shell and what it waits for', command: `${sleepCommand} | cat` },
    { name: 'what runs in the background', command: `${sleepCommand} & ${sleepCommand} & wait` },
    {
      name: 'what does not listen to TERM',
      command: `trap '' TERM; ${sleepCommand} & wait; while :; do ${sleepCommand}; done`,
    },
    {
      name: 'what has left the process group',
      command: `setsid ${sleepCommand} & setsid setsid ${sleepCommand} & wait; ${sleepCommand}`,
    },
    {
      name: 'what has lost its parent',
      command: `(setsid ${sleepCommand} >/dev/null 2>&1 &) ; ${sleepCommand}`,
    },
    {
      name: 'what has left the group without our environment',
      command: `env -i setsid ${sleepCommand} & wait; ${sleepCommand}`,
    },
    {
      name: 'what has lost its parent, left the group, keeps the pipe and does not listen to TERM',
      command: `(setsid bash -c "trap '' TERM HUP INT; ${sleepCommand} & wait; while :; do ${sleepCommand}; done" &); ${sleepCommand}`,
    },
    {
      name: 'what starts others all the time',
      command: `trap '' TERM; while :; do setsid ${sleepCommand} & sleep 0.05; done`,
    },
  ]) {
    it(`G13 ends ${name}`, async () => {
      const stop = new AbortController();
      const { promise: isUp, resolve: onOutput } = withResolver();
      const running = run(`{ sleep 0.2; echo up; } & ${command}`, { signal: stop.signal, onOutput });
      await isUp;
      stop.abort();
      const { how, output, survivors } = await wellBeforeItsEnd(() => running);
      assert.deepEqual(how, { type: 'killed', why: 'aborted' });
      assert.deepEqual(survivors, []);
      assert.equal(output.head, 'up\n');
      assert.deepEqual(runningCommandLines(), []);
    });
  }

  /** Ignores TERM, has left the group, has lost its parent, keeps the pipe. */
  const STUBBORN = `(setsid bash -c "trap '' TERM; ${sleepCommand}; ${sleepCommand}" &); trap '' TERM; echo up; while :; do ${sleepCommand}; done`;

  for (const { name, timeoutMs, end } of [
    { name: 'a time limit', timeoutMs: 5_000, end: () => undefined },
    { name: 'a request', end: (_: ScratchWorkspace, started: StartedCommand) => started.stop() },
    { name: 'the end of the session', end: (own: ScratchWorkspace) => own.endCommands() },
    { name: 'closing', end: (own: ScratchWorkspace) => own.dispose() },
  ]) {
    it(`G13 leaves nothing of a stubborn tree after ${name}`, async () => {
      const own = await ScratchWorkspace.create();
      const cwd = await own.files.resolve('.', 'list');
      const { promise: isUp, resolve: onOutput } = withResolver();
      const limit = timeoutMs === undefined ? {} : { timeoutMs };
      const options = { command: STUBBORN, cwd, keepLog: true, onOutput, ...limit };
      const started = await own.processes.start(options, new AbortController().signal);
      await isUp;
      void end(own, started);
      const { survivors } = await wellBeforeItsEnd(() => started.ended);
      assert.deepEqual([survivors, runningCommandLines()], [[], []]);
      await own.dispose();
    });
  }

  it('starts nothing after it was disposed', async () => {
    const own = await ScratchWorkspace.create();
    const cwd = await own.files.resolve('.', 'list');
    await own.dispose();
    const start = own.processes.start({ command: 'ls', cwd, keepLog: true }, new AbortController().signal);
    await assert.rejects(start, /Parley is closing/);
  });

  it('G13 ends a command at its time limit', async () => {
    const { how } = await run(sleepCommand, { timeoutMs: 300 });
    assert.deepEqual(how, { type: 'killed', why: 'timeout' });
    assert.deepEqual(runningCommandLines(), []);
  });

  it('does not wait for the output of processes left in the background', async () => {
    const { how } = await run(`${sleepCommand} & echo a`);
    assert.deepEqual(how, { type: 'exited', code: 0, leftRunning: true });
    assert.deepEqual(runningCommandLines(), []);
  });

  it('runs only so many at once', async () => {
    const stop = new AbortController();
    const four = await Promise.all(
      Array.from({ length: 4 }, () => start(sleepCommand, { signal: stop.signal })),
    );
    await assert.rejects(
      run('true'),
      /^ToolError: 4 commands are running already: log-[0-9a-f]+ \(sleep 61\.\d+\), /,
    );
    stop.abort();
    await Promise.all(four.map(({ ended }) => ended));
  });

  it('ends everything when it is disposed', async () => {
    const own = await ScratchWorkspace.create();
    const cwd = await own.files.resolve('.', 'list');
    const { signal } = new AbortController();
    const running = await own.processes.start({ command: sleepCommand, cwd, keepLog: true }, signal);
    await own.dispose();
    assert.deepEqual((await running.ended).how, { type: 'killed', why: 'aborted' });
    assert.deepEqual(runningCommandLines(), []);
  });

  it('ends those of one owner alone, and forgets what they have printed', async () => {
    const own = await ScratchWorkspace.create();
    const cwd = await own.files.resolve('.', 'list');
    const { signal } = new AbortController();
    const [chat, lab] = [{}, {}];
    const begin = (owner?: object) =>
      own.processes.start({ command: sleepCommand, cwd, keepLog: true, owner }, signal);
    const [ofChat, ofLab, ofNobody] = await Promise.all([begin(chat), begin(lab), begin()]);
    await own.surroundings.endCommands(chat);
    assert.deepEqual(ofChat.end?.how, { type: 'killed', why: 'aborted' });
    assert.deepEqual([ofLab.end, ofNobody.end], [undefined, undefined]);
    assert.deepEqual(
      new Set(own.processes.started.map(({ logId }) => logId)),
      new Set([ofLab.logId, ofNobody.logId]),
    );
    await own.endCommands();
    assert.deepEqual([own.processes.started, runningCommandLines()], [[], []]);
    await own.dispose();
  });

  it('says when the folder is gone', async () => {
    const cwd = await scratch.files.resolve('nowhere', 'list');
    const { signal } = new AbortController();
    await assert.rejects(
      scratch.processes.start({ command: 'ls', cwd, keepLog: false }, signal),
      (error) =>
        error instanceof ToolError && error.message.startsWith('The shell could not start in nowhere'),
    );
  });

  it('runs no program that a repository names for differences', async () => {
    const git = await ScratchWorkspace.create({ 'a.txt': 'a\n' });
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

  interface RunOptions extends Partial<CommandToRun> {
    readonly signal?: AbortSignal;
  }

  async function start(command: string, options: RunOptions = {}): Promise<StartedCommand> {
    const { signal = new AbortController().signal, ...others } = options;
    const cwd = await scratch.files.resolve('.', 'list');
    return scratch.processes.start({ command, cwd, timeoutMs: 20_000, keepLog: false, ...others }, signal);
  }

  async function run(
    command: string,
    options: RunOptions = {},
  ): Promise<CommandEnd & { output: CommandOutput }> {
    const started = await start(command, options);
    return { ...(await started.ended), output: started.log.excerpt() };
  }
});

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
