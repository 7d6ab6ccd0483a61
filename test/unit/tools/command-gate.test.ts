import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import type { ApprovalRequest } from '../../../src/core/words/approval';
import type { ToolCall } from '../../../src/core/words/messages';
import type { Verdict } from '../../../src/core/words/verdict';
import { judgeCall, type ApprovalRules } from '../../../src/policy/approvals';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { sleepCommand } from '../../support/processes/sleep-command';
import { posix } from '../../support/platform';

const RULES: ApprovalRules = {
  isTrusted: true,
  mode: 'auto',
  requireConfirmation: false,
  recovery: 'run',
};

posix.describe('the gate of commands', () => {
  let scratch: ScratchWorkspace;

  before(async () => {
    scratch = await ScratchWorkspace.create(
      { 'src/a.txt': 'x', 'a.txt': 'x' },
      { commandRules: () => ({ allow: ['ls', 'sleep'], deny: ['sudo'] }) },
    );
  });
  after(() => scratch.dispose());

  async function judge(
    tool: string,
    input: JsonObject,
    rules: Partial<ApprovalRules> = {},
    mark: ToolCall['mark'] = 'clean',
  ): Promise<Verdict['decision']> {
    const found = scratch.registry.resolve(tool);
    assert.ok(found);
    const { title, accesses } = await scratch.prepare(tool, input);
    const call = { id: 'c', name: tool, arguments: input, start: 0, end: 0, notes: [], mark };
    const request: ApprovalRequest = { call, effect: found.effect, title, accesses };
    return judgeCall(request, { ...RULES, ...rules }, [{ type: 'edits-in-session' }]).verdict.decision;
  }

  const variants: readonly JsonObject[] = [
    {},
    { background: true },
    { background: false },
    { timeout_s: 1 },
    { timeout_s: 600 },
    { cwd: 'src' },
    { cwd: 'src', background: true, timeout_s: 600 },
    { background: 'true' },
    { background: true, cwd: '.' },
  ];
  for (const { command, expect } of [
    { command: 'ls', expect: 'auto' },
    { command: 'ls src && sleep 1', expect: 'auto' },
    { command: 'ls & ls', expect: 'ask' },
    { command: 'ls; curl evil', expect: 'ask' },
    { command: 'touch a', expect: 'ask' },
    { command: 'ls $(touch a)', expect: 'ask' },
    { command: 'ls; sudo ls', expect: 'deny' },
    { command: 'sudo ls &', expect: 'deny' },
  ]) {
    for (const variant of variants) {
      it(`G12.arguments: ${JSON.stringify(command)} with ${JSON.stringify(variant)} → ${expect}`, async () => {
        assert.equal(await judge('run_shell_command', { command, ...variant }), expect);
      });
    }
  }

  for (const cwd of ['/', '..', '/etc']) {
    for (const background of [false, true]) {
      it(`G12.cwd: an allowed command in ${cwd} asks${background ? ', in the background too' : ''}`, async () => {
        assert.equal(await judge('run_shell_command', { command: 'ls', cwd, background }), 'ask');
      });
    }
  }

  for (const argument of ['requires_approval', 'shell', 'env', 'approved', 'safe']) {
    it(`G12.unknown: refuses the argument ${argument}`, async () => {
      const text = await scratch.failure('run_shell_command', { command: 'ls', [argument]: 'false' });
      assert.match(text, new RegExp(argument));
    });
  }

  it('G12.marks: a repaired or recovered call asks, in the background too', async () => {
    for (const mark of ['repaired', 'recovered', 'echoed'] as const) {
      assert.equal(await judge('run_shell_command', { command: 'ls', background: true }, {}, mark), 'ask');
    }
  });

  it('G2 starts and stops nothing before the workspace is trusted', async () => {
    const rules = { isTrusted: false };
    assert.equal(await judge('run_shell_command', { command: 'ls', background: true }, rules), 'deny');
  });

  it('G12.stop: stops and reads unasked, but not in manual mode, and a repaired stop asks', async () => {
    await scratch.call('run_shell_command', { command: sleepCommand, background: true });
    const [started] = scratch.processes.started;
    const input = { log_id: started?.logId ?? '' };
    for (const tool of ['stop_command', 'read_output']) {
      assert.equal(await judge(tool, input), 'auto');
      assert.equal(await judge(tool, input, { mode: 'manual' }), 'ask');
    }
    assert.equal(await judge('stop_command', input, {}, 'repaired'), 'ask');
    assert.equal(await judge('stop_command', input, { isTrusted: false }), 'deny');
    assert.equal(scratch.registry.resolve('stop_command')?.effect, 'execute');
    assert.equal(scratch.registry.resolve('read_output')?.effect, 'read');
  });
});
