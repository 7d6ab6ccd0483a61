import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import { RunEnded, ToolError, type Caller } from '../../../src/core/words/tool';
import { prepareCall } from '../../support/agent/prepare-call';
import { runContext } from '../../support/agent/run-context';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { sleepCommand, runningCommandLines, wellBeforeItsEnd } from '../../support/processes/sleep-command';
import { posix } from '../../support/platform';

posix.describe('commands in the background, and stop_command', () => {
  let scratch: ScratchWorkspace;

  beforeEach(async () => {
    scratch = await ScratchWorkspace.create();
  });
  afterEach(() => scratch.dispose());

  async function inBackground(command: string, input = {}, signal?: AbortSignal): Promise<string> {
    const text = await scratch.call('run_shell_command', { command, background: true, ...input }, signal);
    const id = /\blog-[0-9a-f]{8}\b/.exec(text)?.[0];
    assert.ok(id, text);
    return id;
  }

  it('returns while the command runs, with a log id and what was printed first', async () => {
    const input = { command: `echo listening; ${sleepCommand}`, background: true };
    const text = await wellBeforeItsEnd(() => scratch.call('run_shell_command', input));
    assert.match(
      text,
      /^Runs in the background, log_id log-[0-9a-f]{8}\. Read its output with read_output, end it with stop_command\. Its output so far:\nlistening$/,
    );
  });

  it('says that nothing was printed yet', async () => {
    const text = await scratch.call('run_shell_command', { command: sleepCommand, background: true });
    assert.match(text, / It has printed nothing yet\.$/);
  });

  it('reports a command that fails at once like any other', async () => {
    const text = await scratch.call('run_shell_command', {
      command: 'echo no >&2; exit 3',
      background: true,
    });
    assert.match(text, /^It has already ended, log_id log-[0-9a-f]{8}\.\nExit code 3 after \d+ ms\.\nno$/);
  });

  it('has no time limit unless one is given', async () => {
    const id = await inBackground(sleepCommand, { timeout_s: 1 });
    const endless = await inBackground(sleepCommand);
    await scratch.processes.started.at(-2)?.ended;
    assert.match(await scratch.call('read_output', { log_id: id }), /^Timed out after \d(\.\d)? s\./);
    assert.match(await scratch.call('read_output', { log_id: endless }), /^Running for /);
  });

  it('shows the title of what it will do', async () => {
    const { title } = await scratch.prepare('run_shell_command', { command: 'ls', background: true });
    assert.equal(title, 'Run in the background ls');
  });

  it('reads the output since then, and how it ended', async () => {
    const id = await inBackground('echo one; until [ -e go ]; do sleep 0.1; done; echo two; exit 4');
    assert.match(
      await scratch.call('read_output', { log_id: id }),
      /^Running for [\d.]+ m?s\. 1 line\.\none$/,
    );
    await scratch.write('go', '');
    await scratch.processes.started.at(-1)?.ended;
    assert.match(
      await scratch.call('read_output', { log_id: id }),
      /^Exit code 4 after [^\n]* 2 lines\.\none\ntwo$/,
    );
  });

  it('ends it on request, and says so when it had ended before', async () => {
    const id = await inBackground(`echo up; ${sleepCommand} & setsid ${sleepCommand} & wait`);
    assert.match(
      await scratch.call('stop_command', { log_id: id }),
      /^Ended by stop_command after [^\n]*\nup$/,
    );
    assert.deepEqual(runningCommandLines(), []);
    assert.match(
      await scratch.call('stop_command', { log_id: id }),
      /^It had already ended\. Ended by stop_command after /,
    );
  });

  for (const tool of ['read_output', 'stop_command']) {
    it(`${tool} knows only commands that were started here, and names them`, async () => {
      assert.equal(
        await scratch.failure(tool, { log_id: 'log-00000000' }),
        'There is no log log-00000000. No output is kept. Run a command with background=true first.',
      );
      const id = await inBackground(sleepCommand);
      assert.equal(
        await scratch.failure(tool, { log_id: String(process.pid) }),
        `There is no log ${process.pid}. Use one of: ${id} (${sleepCommand}).`,
      );
    });
  }

  describe('of several owners', () => {
    const [mine, theirs] = [{ owner: {} }, { owner: {} }];

    async function callOf(caller: Caller, name: string, input: JsonObject): Promise<string> {
      const tool = scratch.registry.resolve(name);
      assert.ok(tool);
      const { signal } = new AbortController();
      try {
        const prepared = await prepareCall(tool, input, signal, caller);
        return (await prepared.run(runContext(signal))).text;
      } catch (error) {
        assert.ok(error instanceof ToolError);
        return error.message;
      }
    }
    const startFor = async (caller: Caller): Promise<string> => {
      const text = await callOf(caller, 'run_shell_command', { command: sleepCommand, background: true });
      return /\blog-[0-9a-f]{8}\b/.exec(text)?.[0] ?? text;
    };

    for (const tool of ['read_output', 'stop_command']) {
      for (const [name, asking] of [
        ['another conversation', mine],
        ['a call without an owner', {}],
      ] as const) {
        it(`G5.owner: ${tool} reports nothing about it to ${name}`, async () => {
          const id = await startFor(theirs);
          const nothing = await callOf(asking, tool, { log_id: 'log-00000000' });
          assert.doesNotMatch(nothing, /sleep/);
          assert.equal(await callOf(asking, tool, { log_id: id }), nothing.replace('log-00000000', id));
          assert.match(await callOf(theirs, 'read_output', { log_id: id }), /^Running for /);
        });
      }

      it(`G5.owner: ${tool} names the caller's own only`, async () => {
        const [own, other] = [await startFor(mine), await startFor(theirs)];
        const text = await callOf(mine, tool, { log_id: other });
        assert.equal(text, `There is no log ${other}. Use one of: ${own} (${sleepCommand}).`);
      });
    }

    it('G5.owner: the limit on commands is reported without those of other owners', async () => {
      for (let index = 0; index < 4; index++) await startFor(theirs);
      assert.equal(
        await callOf(mine, 'run_shell_command', { command: 'ls' }),
        '4 commands are running already, all of other owners. Wait until one has ended.',
      );
    });
  });

  it('G13.stop ends what the run that is stopped has started', async () => {
    const stop = new AbortController();
    await inBackground(`trap "" TERM; ${sleepCommand}`, {}, stop.signal);
    stop.abort();
    const end = await wellBeforeItsEnd(async () => scratch.processes.started[0]?.ended);
    assert.deepEqual(end?.how, { type: 'killed', why: 'aborted' });
    assert.deepEqual(runningCommandLines(), []);
  });

  it('outlives the end of the run that has started it', async () => {
    const [run, stopped] = [new AbortController(), new AbortController()];
    const id = await inBackground(sleepCommand, {}, run.signal);
    await inBackground(sleepCommand, {}, stopped.signal);
    run.abort(new RunEnded());
    // One whose run is stopped afterwards ends meanwhile.
    stopped.abort();
    await scratch.processes.started.at(-1)?.ended;
    assert.match(await scratch.call('read_output', { log_id: id }), /^Running for /);
  });

  it('G13.session ends with the session, and its output is forgotten', async () => {
    const id = await inBackground(sleepCommand);
    await scratch.endCommands();
    assert.deepEqual(runningCommandLines(), []);
    assert.match(await scratch.failure('read_output', { log_id: id }), /^There is no log/);
  });

  it('counts among the commands that may run at once', async () => {
    for (let index = 0; index < 4; index++) await inBackground(sleepCommand);
    assert.match(
      await scratch.failure('run_shell_command', { command: 'ls' }),
      /^4 commands are running already: (log-[0-9a-f]{8} \(sleep 61\.\d+\)(, |\. )){4}Wait until one has ended, or end one with stop_command\.$/,
    );
  });

  it('keeps the output of the newest commands only', async () => {
    const first = await inBackground('echo 1');
    for (let index = 0; index < 16; index++) await inBackground('true');
    assert.match(await scratch.failure('read_output', { log_id: first }), /^There is no log/);
  });
});
