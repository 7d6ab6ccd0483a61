import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { noSandbox } from '../../../../../src/node/sandbox/settings';
import { runCli } from '../../../../support/processes/run-cli';
import { distFile } from '../../../../support/dist';
import { describeEscapes } from '../../../../support/escapes/describe-escapes';
import { BEAT, isBeating } from '../../../../support/escapes/time';
import { eventually } from '../../../../support/eventually';
import { isSandboxAvailable } from '../../../../support/sandbox-available';
import { ScratchWorkspace } from '../../../../support/workspace/scratch-workspace';
import { linux } from '../../../../support/platform';

linux.describe('G38 commands in the sandbox that try to outlive their end', () => describeEscapes('time'));

linux.describe('what is left of a command in the sandbox', () => {
  /** Runs forever and has left a daemon. */
  const ENDLESS = `setsid ${BEAT} > /dev/null 2>&1 & wait`;
  const settings = { ...noSandbox, isEnabled: true, runUnasked: true };
  let folder: string;
  let scratch: ScratchWorkspace;

  before(async function () {
    if (!(await isSandboxAvailable(this))) this.skip();
  });

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-left-')));
    await mkdir(path.join(folder, 'workspace'));
    const sandbox = { settings: () => settings, stateFolder: path.join(folder, 'parley/sandbox') };
    scratch = ScratchWorkspace.over(path.join(folder, 'workspace'), { sandbox });
  });
  afterEach(async () => {
    await scratch.dispose();
    await rm(folder, { recursive: true });
  });

  it('G38 nothing after it was stopped', async () => {
    const outside = spawn('bash', ['-c', ENDLESS], { cwd: scratch.root, stdio: 'ignore' });
    await hasBegun();
    outside.kill('SIGKILL');
    await once(outside, 'exit');
    assert.ok(await isBeating(scratch), 'Outside it must go on, or this shows nothing.');
    process.kill(Number(await scratch.read('pid')), 'SIGKILL');
    await rm(scratch.path('beat'));

    const cwd = await scratch.files.resolve('.', 'list');
    const options = { command: ENDLESS, cwd, inSandbox: true, keepLog: false };
    const started = await scratch.processes.start(options, new AbortController().signal);
    await hasBegun();
    const { survivors } = await started.stop();
    assert.deepEqual([survivors, await isBeating(scratch)], [[], false]);
  });

  it('G38 nothing after Parley was killed, and the next start takes away what it made', async () => {
    const parent = spawn(process.execPath, ['-e', STARTS, ENDLESS], { cwd: scratch.root, stdio: 'ignore' });
    await killed(parent);
    assert.ok(await isBeating(scratch), 'Outside it must go on, or this shows nothing.');
    process.kill(Number(await scratch.read('pid')), 'SIGKILL');
    await rm(scratch.path('beat'));

    const parley = spawn(process.execPath, [distFile('cli.js'), ...CALL, scratch.root], {
      env: { ...process.env, XDG_STATE_HOME: folder },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    parley.stdin.end(JSON.stringify({ command: ENDLESS }));
    await killed(parley);
    await eventually(async () => !(await isBeating(scratch)));
    // As the command could have done at the moment of the kill; before, it would have been stopped.
    await scratch.write('.vscode/settings.json', '{}');

    const { code, stderr } = await runCli([...CALL, scratch.root], '{"command":"true"}', {
      XDG_STATE_HOME: folder,
    });
    assert.equal(code, 0);
    assert.match(stderr, /^Removed what an earlier command in the sandbox left: \.vscode\. /u);
    assert.deepEqual(existsSync(scratch.path('.vscode')), false);
    const notes = await readdir(path.join(folder, 'parley/sandbox'));
    assert.deepEqual(
      notes.filter((name) => name.endsWith('.json')),
      [],
    );
  });

  const CALL = ['call', 'run_shell_command', '--sandbox', '--workspace'];
  const STARTS = `require('node:child_process').spawn('bash', ['-c', process.argv[1]], { stdio: 'ignore' })`;

  async function hasBegun(): Promise<void> {
    await eventually(() => existsSync(scratch.path('beat')));
  }

  async function killed(child: ChildProcess): Promise<void> {
    await hasBegun();
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
