import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { distFile } from '../../support/dist';
import { sleepCommand, runningCommandLines, wellBeforeItsEnd } from '../../support/processes/sleep-command';
import { linux } from '../../support/platform';
import { eventually } from '../../support/eventually';

/** Shows that it runs by creating a file, then ignores signals, inside and outside its group. */
const STUBBORN = `
(setsid bash -c "trap '' TERM INT HUP; ${sleepCommand}; ${sleepCommand}" >/dev/null 2>&1 &)
trap '' TERM INT HUP
touch up
while :; do ${sleepCommand}; done
`;
const GENTLE = `(setsid ${sleepCommand} &)\ntouch up\n${sleepCommand}\n`;
const COMMAND = 'bash script.sh';

linux.describe('G13 signals to the command line', () => {
  let folder: string;
  let temporary: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-cli-')));
    temporary = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-cli-tmp-')));
  });
  afterEach(() => {
    for (const each of [folder, temporary]) rmSync(each, { recursive: true, force: true });
  });

  const allow = ['--allow', COMMAND];
  const run = ['run', '--model', 'demo', ...allow, `run ${COMMAND}`];
  const call = ['call', 'run_shell_command', ...allow];
  const lines = ['call', '--jsonl', ...allow];
  const line = (input: object): string =>
    `${JSON.stringify({ id: 1, tool: 'run_shell_command', arguments: input })}\n`;
  const once = JSON.stringify({ command: COMMAND });

  for (const { name, args, input, script = GENTLE, signal } of [
    { name: 'SIGTERM to run', args: run, input: '', signal: 'SIGTERM' },
    { name: 'SIGINT to run', args: run, input: '', signal: 'SIGINT' },
    { name: 'SIGHUP to run', args: run, input: '', signal: 'SIGHUP' },
    {
      name: 'SIGTERM to run with a stubborn tree',
      args: run,
      input: '',
      script: STUBBORN,
      signal: 'SIGTERM',
    },
    { name: 'SIGTERM to call', args: call, input: once, signal: 'SIGTERM' },
    { name: 'SIGTERM to call --jsonl', args: lines, input: line({ command: COMMAND }), signal: 'SIGTERM' },
    {
      name: 'SIGTERM to call --jsonl with a command in the background',
      args: lines,
      input: line({ command: COMMAND, background: true }),
      signal: 'SIGTERM',
    },
  ] as const) {
    it(`ends everything on ${name}`, async () => {
      const child = start(args, input, script);
      const ended = endOf(child);
      await up();
      child.kill(signal);
      assert.equal(await wellBeforeItsEnd(() => ended), 1);
      assert.deepEqual(runningCommandLines(), []);
      assert.deepEqual(readdirSync(temporary), []);
    });
  }

  it('kills everything at once on a second signal', async () => {
    // Shows that the first signal has arrived, but does not end.
    const child = start(run, '', STUBBORN.replace("\ntrap ''", "\ntrap 'touch told'"));
    const ended = endOf(child);
    await up();
    child.kill('SIGTERM');
    await made('told');
    child.kill('SIGTERM');
    assert.equal(await ended, 143);
    // A killed process may need a moment to end.
    await eventually(() => assert.deepEqual(runningCommandLines(), []));
  });

  it('ends what runs in the background when there is nothing more to do', async () => {
    const child = start(lines, line({ command: COMMAND, background: true }), GENTLE);
    const ended = endOf(child);
    await up();
    child.stdin.end();
    assert.equal(await ended, 0);
    assert.deepEqual(runningCommandLines(), []);
  });

  function start(args: readonly string[], input: string, script: string): ChildProcessWithoutNullStreams {
    writeFileSync(path.join(folder, 'script.sh'), script);
    const [command = '', ...others] = args;
    const child = spawn(process.execPath, [distFile('cli.js'), command, '--workspace', folder, ...others], {
      env: { ...process.env, TMPDIR: temporary },
    });
    child.stdin.on('error', () => undefined);
    // Lines may keep coming; one call ends with its input.
    if (args.includes('--jsonl')) child.stdin.write(input);
    else child.stdin.end(input);
    child.stdout.resume();
    child.stderr.resume();
    return child;
  }

  function up(): Promise<void> {
    return made('up');
  }

  async function made(name: string): Promise<void> {
    await eventually(() => existsSync(path.join(folder, name)));
  }
});

function endOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise((resolve) => child.on('exit', resolve));
}
