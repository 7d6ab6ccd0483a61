import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually';
import { posix } from '../../support/platform';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';

posix.describe('list_commands', () => {
  let scratch: ScratchWorkspace;

  before(async () => (scratch = await ScratchWorkspace.create()));
  after(() => scratch.dispose());

  it('says that there is none', async () =>
    assert.equal(await scratch.call('list_commands', {}), 'No command runs, and no output is kept.'));

  it('lists commands with their last lines', async () => {
    const command = 'seq 1 5; exec sleep 60';
    const started = await scratch.call('run_shell_command', { command, background: true });
    const [, logId = ''] = /log_id (log-\w+)/.exec(started) ?? [];
    const listed = (): Promise<string> => scratch.call('list_commands', {});
    await eventually(async () => {
      const [head, ...lines] = (await listed()).split('\n');
      assert.match(head ?? '', new RegExp(`^${logId}: seq 1 5; exec sleep 60 — Running for \\d`));
      assert.deepEqual(lines, ['  3', '  4', '  5']);
    });
    await scratch.call('stop_command', { log_id: logId });
    assert.match(
      await listed(),
      new RegExp(`^${logId}: .* — Ended by stop_command after .*\n {2}3\n {2}4\n {2}5$`),
    );
  });

  it('lists no command of another owner', async () => {
    await scratch.processes.start(
      { command: 'true', cwd: await scratch.files.resolve('.', 'list'), owner: {}, keepLog: true },
      new AbortController().signal,
    );
    assert.ok(!(await scratch.call('list_commands', {})).includes(': true'));
  });
});
