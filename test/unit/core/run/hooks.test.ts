import { deepEqual, equal, ok } from 'node:assert/strict';
import { tightened, type Hooks } from '../../../../src/core/run/hooks';
import type { ApprovalRequest } from '../../../../src/core/words/approval';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { Verdict } from '../../../../src/core/words/verdict';
import { callOf, testSession, testTool } from '../../../support/agent/test-session';

const NOW = new AbortController().signal;

/** Hooks that give these verdicts one after another and record their input. */
function saying(...verdicts: readonly (Verdict | undefined)[]) {
  const asked: string[] = [];
  const ended: string[] = [];
  const outcomes: string[] = [];
  const hooks: Hooks = {
    beforeCall: async ({ call, edited }) => {
      asked.push(`${call.name} ${JSON.stringify(edited ?? call.arguments)}`);
      return verdicts[asked.length - 1];
    },
    afterCall: async ({ status, result }) => {
      ended.push(`${status}: ${result}`);
      return 'formatted';
    },
    runEnd: async ({ type }) => void outcomes.push(type),
  };
  return { hooks, asked, ended, outcomes };
}

const reads = testTool('look', 'read', async (text) => `saw ${text}`);
const writes = testTool('write', 'write', async (text) => `wrote ${text}`);

function resultOf(events: readonly AgentEvent[]): string {
  const [end] = events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []));
  return `${end?.status}: ${end?.result}`;
}

describe('G44: hooks of the user', () => {
  const request = { call: { name: 'look' } } as ApprovalRequest;
  const verdicts: readonly Verdict[] = (['auto', 'ask', 'deny'] as const).map((decision) => ({
    decision,
    reason: `policy: ${decision}`,
  }));
  for (const verdict of verdicts) {
    for (const said of [undefined, ...verdicts]) {
      it(`make nothing of "${verdict.decision}" looser by saying ${said?.decision ?? 'nothing'}`, async () => {
        const { hooks, asked } = saying(said);
        const order = ['auto', 'ask', 'deny'];
        const all = await tightened(hooks, request, verdict, NOW);
        const expected = Math.max(order.indexOf(verdict.decision), order.indexOf(said?.decision ?? 'auto'));
        equal(order.indexOf(all.decision), expected);
        // No hook is started for a call that is refused anyway.
        equal(asked.length, verdict.decision === 'deny' ? 0 : 1);
      });
    }
  }

  it('make a call that would run unasked wait, and offer no lasting approval', async () => {
    const { hooks } = saying({ decision: 'ask', reason: 'a hook says: look twice' });
    const { session, events } = testSession({ tools: [reads], replies: [[callOf('look', 'a')]], hooks });
    session.onEvent((event) => {
      if (event.type === 'approval-request') session.decide(event.request.call.id, { type: 'run' });
    });
    await session.send('go');
    const asks = events.flatMap((event) => (event.type === 'approval-request' ? [event] : []));
    deepEqual(
      asks.map(({ reason, grants }) => [reason, grants.length]),
      [['a hook says: look twice', 0]],
    );
    ok(resultOf(events).startsWith('success: saw a'));
  });

  it('refuse a call before the user is asked', async () => {
    const { hooks, ended } = saying({ decision: 'deny', reason: 'a hook says: never' });
    const { session, events } = testSession({ tools: [writes], replies: [[callOf('write', 'a')]], hooks });
    await session.send('go');
    equal(resultOf(events), 'denied: Not executed: a hook says: never. Do without it, or ask the user.');
    ok(!events.some(({ type }) => type === 'approval-request'));
    deepEqual(ended, []);
  });

  it('are asked again about arguments that the user has changed', async () => {
    const { hooks, asked } = saying(undefined, { decision: 'deny', reason: 'a hook says: not b' }, undefined);
    const { session, events } = testSession({ tools: [writes], replies: [[callOf('write', 'a')]], hooks });
    let asks = 0;
    session.onEvent((event) => {
      if (event.type !== 'approval-request') return;
      const edit = { type: 'edit', arguments: { text: 'b' } } as const;
      session.decide(event.request.call.id, asks++ === 0 ? edit : { type: 'run' });
    });
    await session.send('go');
    deepEqual(asked, ['write {"text":"a"}', 'write {"text":"b"}', 'write {"text":"a"}']);
    ok(resultOf(events).startsWith('success: wrote a'), resultOf(events));
  });

  it('add a marked note to a result, and are told how the run ended', async () => {
    const { hooks, ended, outcomes } = saying();
    const { session, events } = testSession({ tools: [reads], replies: [[callOf('look', 'a')]], hooks });
    await session.send('go');
    equal(resultOf(events), 'success: saw a\n\n[User hook: formatted]');
    deepEqual(ended, ['success: saw a']);
    deepEqual(outcomes, ['done']);
  });
});
