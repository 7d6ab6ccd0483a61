import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Grant } from '../../../../src/core/words/verdict';
import { noSandbox } from '../../../../src/node/sandbox/settings';
import { judgeCall, type ApprovalRules } from '../../../../src/policy/approvals';
import { longTasks, type LongTask } from '../../../support/agent/long-tasks';
import { runContext } from '../../../support/agent/run-context';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { linux } from '../../../support/platform';

const rules: ApprovalRules = { isTrusted: true, mode: 'auto', requireConfirmation: true, recovery: 'ask' };

/** With the sandbox and without: only the question about edits remains. */
const ASKED: Readonly<Record<string, { readonly without: number; readonly within: number }>> = {
  'a failing test is fixed': { without: 3, within: 1 },
  'a name is changed in ten files': { without: 2, within: 1 },
  'a small feature is added, with its test': { without: 2, within: 1 },
};

linux.describe('questions that a whole task asks', () => {
  let state: string;

  before(async function () {
    state = await mkdtemp(path.join(tmpdir(), 'parley-state-'));
    const scratch = await open(true);
    const status = await scratch.surroundings.sandbox?.status();
    await scratch.dispose();
    if (status?.works !== true) this.skip();
  });
  after(() => rm(state, { recursive: true, force: true }));

  for (const task of longTasks) {
    it(`${task.name}: fewer with the sandbox`, async () => {
      const asked = { without: await questions(task, false), within: await questions(task, true) };
      assert.deepEqual(asked, ASKED[task.name]);
    });
  }

  function open(hasSandbox: boolean): Promise<ScratchWorkspace> {
    const settings = { ...noSandbox, isEnabled: hasSandbox, runUnasked: hasSandbox };
    return ScratchWorkspace.create({}, { sandbox: { settings: () => settings, stateFolder: state } });
  }

  /** Does the task as a user would who answers the first question about an edit with "in this session". */
  async function questions(task: LongTask, hasSandbox: boolean): Promise<number> {
    const scratch = await open(hasSandbox);
    try {
      for (const [file, text] of Object.entries(task.files)) await scratch.write(`p/${file}`, text);
      const granted: Grant[] = [];
      let count = 0;
      const calls = task
        .replies('p')
        .flat()
        .filter((part) => part.type === 'call');
      for (const { call } of calls) {
        const tool = scratch.registry.resolve(call.name);
        assert.ok(tool);
        const prepared = await scratch.prepare(call.name, call.arguments);
        const { title, accesses } = prepared;
        const request = {
          call: { ...call, start: 0, end: 0, notes: [], mark: 'clean' as const },
          effect: tool.effect,
          title,
          accesses,
        };
        const { verdict, grants } = judgeCall(request, rules, granted);
        if (verdict.decision === 'ask') count += 1;
        granted.push(...grants.filter(({ type }) => type === 'edits-in-session'));
        await prepared.run(runContext());
      }
      for (const [file, wanted] of Object.entries(task.expect))
        assert.match(await scratch.read(`p/${file}`), wanted);
      return count;
    } finally {
      await scratch.dispose();
    }
  }
});
