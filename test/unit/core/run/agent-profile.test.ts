import { deepEqual, ok } from 'node:assert/strict';
import { allAgents, configFor, PLAN_AGENT } from '../../../../src/core/run/agent-profile';
import { describedTools } from '../../../../src/core/run/on-demand';
import { native } from '../../../../src/protocols/native/native';
import { testConfig } from '../../../support/agent/test-session';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';

describe('agents', () => {
  it('are the built-in ones and those of the user, who may replace one', () => {
    deepEqual(
      allAgents([]).map(({ id }) => id),
      ['agent', 'ask', 'plan'],
    );
    const own = { id: 'plan', name: 'Mine', toolCalling: {} };
    ok(allAgents([own]).includes(own));
    deepEqual(allAgents([own]).length, 3);
  });

  it('plan with tools that only read, the todo list and questions among them from the beginning', async () => {
    const scratch = await ScratchWorkspace.create();
    try {
      const planner = allAgents([]).find(({ id }) => id === PLAN_AGENT)!;
      const config = configFor(planner, { ...testConfig, toolsOnDemand: 'auto' });
      const offered = scratch.registry.offered(config);
      ok(offered.every(({ effect }) => effect === 'read'));
      const described = describedTools({ offer: scratch.registry, protocol: native }, config);
      const names = described.map(({ spec }) => spec.name);
      deepEqual(
        ['update_todos', 'ask_user', 'write_file', 'run_shell_command'].map((name) => names.includes(name)),
        [true, true, false, false],
      );
      // A tool that is switched off stays off.
      const off = configFor(planner, { ...testConfig, toolToggles: { update_todos: false } });
      ok(!scratch.registry.offered(off).some(({ spec }) => spec.name === 'update_todos'));
    } finally {
      await scratch.dispose();
    }
  });
});
