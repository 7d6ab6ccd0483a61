import assert from 'node:assert/strict';
import { noSandbox } from '../../../src/node/sandbox/settings';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { runContext } from '../../support/agent/run-context';
import { posix } from '../../support/platform';

posix.describe('run_shell_command', () => {
  let scratch: ScratchWorkspace;

  before(async () => {
    scratch = await ScratchWorkspace.create({ 'src/a.txt': 'x', 'a.txt': 'x' });
  });
  after(() => scratch.dispose());

  for (const { name, input, expect } of [
    {
      name: 'shows exit code and both outputs',
      input: { command: 'echo out; echo err >&2; exit 3' },
      expect: /^Exit code 3 after \d+ ms\.\nout\nerr$/,
    },
    {
      name: 'says that nothing was printed',
      input: { command: 'true' },
      expect: /^Exit code 0 after \d+ ms\.\n\(no output\)$/,
    },
    { name: 'starts in the folder it is told', input: { command: 'ls', cwd: 'src' }, expect: /^a\.txt$/ },
    { name: 'reports a signal as shells do', input: { command: 'kill -9 $$' }, expect: /^Exit code 137 / },
    {
      name: 'cleans the output',
      input: { command: String.raw`printf '1%%\r2%%\n\033[31mred\033[0m\n'` },
      expect: /^2%\nred$/,
    },
    {
      name: 'leaves out the middle of a long output',
      input: { command: 'seq 1 100000' },
      expect: /^1\n2\n[^]*\n\[… \d+ KiB left out\. [^]*\n99999\n100000$/,
    },
    {
      name: 'ends what runs on in the background',
      input: { command: 'sleep 60 & echo started' },
      expect: /Processes that it left in the background were ended\.\nstarted$/,
    },
  ]) {
    it(name, async () => assert.match(await scratch.call('run_shell_command', input), expect));
  }

  it('names what left the group and still runs', async function () {
    if (process.platform !== 'linux') this.skip();
    const command = 'setsid sleep 61 & sleep 0.2; echo started';
    const text = await scratch.call('run_shell_command', { command });
    const [, pid] =
      /^started\nStill running, because it left the command's group: sleep 61 \(process (\d+)\)\.$/.exec(
        text,
      ) ?? [];
    assert.ok(pid, text);
    process.kill(Number(pid));
  });

  it('ends a command that takes too long, and shows what it had printed', async () => {
    assert.match(
      await scratch.failure('run_shell_command', { command: 'echo begun; sleep 60', timeout_s: 1 }),
      /^Timed out after [1-9](\.\d)? s\. Set a larger timeout_s, [^\n]* Its output until then:\nbegun$/,
    );
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const prepared = await scratch.prepare('run_shell_command', { command: 'echo begun; sleep 60' });
    const run = prepared.run({ ...runContext(stop.signal), onOutput: () => stop.abort() });
    await assert.rejects(run, {
      message: 'Stopped before it ended. What it has done until then remains. Its output until then:\nbegun',
    });
  });

  it('shows the command with its parts before it runs', async () => {
    const { preview, accesses } = await scratch.prepare('run_shell_command', {
      command: 'git status && ls src',
    });
    assert.deepEqual(preview, {
      type: 'command',
      command: 'git status && ls src',
      cwd: scratch.root,
      commands: [
        ['git', 'status'],
        ['ls', 'src'],
      ],
    });
    assert.deepEqual(
      accesses.map(({ effect, target, verdict }) => [effect, target, verdict.decision]),
      [
        ['read', '.', 'auto'],
        ['execute', 'git status && ls src', 'ask'],
      ],
    );
  });

  it('says which rules would let the command run from now on', async () => {
    const offered = async (command: string, cwd = '.'): Promise<unknown> => {
      const { accesses } = await scratch.prepare('run_shell_command', { command, cwd });
      return accesses.find(({ kind }) => kind === 'command')?.verdict.grant;
    };
    const rule = (text: string, runsCode = false) => ({ text, runsCode });
    assert.deepEqual(await offered('git status -s && npm test'), {
      type: 'allow-commands',
      rules: [rule('git status'), rule('npm test', true)],
      exact: [rule('git status -s'), rule('npm test', true)],
    });
    assert.deepEqual(await offered('./build.sh'), {
      type: 'allow-commands',
      rules: [rule('./build.sh', true)],
    });
    for (const never of ['env ls', "node -e '1'", 'cat ../x', 'echo $HOME', 'echo a\u00a0b', 'ls &']) {
      assert.equal(await offered(never), undefined, never);
    }
    assert.equal(await offered('ls', '/'), undefined);
  });

  it('tells models of the sandbox only while commands run in one', async () => {
    let isEnabled = false;
    const settings = () => ({ ...noSandbox, isEnabled });
    const boxed = await ScratchWorkspace.create(
      {},
      { sandbox: { settings, stateFolder: scratch.path('state') } },
    );
    const told = () => {
      const spec = boxed.registry.resolve('run_shell_command')?.spec;
      return [
        Object.keys(spec?.shown?.properties ?? {}).includes('outside'),
        spec?.description.includes('sandbox'),
      ];
    };
    assert.deepEqual(told(), [false, false]);
    isEnabled = true;
    assert.deepEqual(told(), [true, true]);
    isEnabled = false;
    assert.deepEqual(told(), [false, false]);
    await boxed.dispose();
  });

  it('asks about a folder outside', async () => {
    const { accesses } = await scratch.prepare('run_shell_command', { command: 'ls', cwd: '/' });
    assert.equal(accesses[0]?.verdict.decision, 'ask');
  });

  for (const { name, input, expect } of [
    {
      name: 'refuses a file as the folder',
      input: { command: 'ls', cwd: 'a.txt' },
      expect: 'a.txt is not a folder. Give a folder as cwd.',
    },
    {
      name: 'knows the folder of a similar name',
      input: { command: 'ls', cwd: 'scr' },
      expect: 'No folder at scr. Did you mean src?',
    },
    {
      name: 'refuses more time than there is',
      input: { command: 'ls', timeout_s: 601 },
      expect:
        'Wrong arguments: Too big: expected number to be <=600 at timeout_s. Correct them and call run_shell_command again.',
    },
  ]) {
    it(name, async () => assert.equal(await scratch.failure('run_shell_command', input), expect));
  }
});
