import assert from 'node:assert/strict';
import { turnsOf } from '../../../src/core/transcript/history';
import type { AgentEvent } from '../../../src/core/words/events';
import type { ToolResult } from '../../../src/core/words/messages';
import type { Effect, Tool } from '../../../src/core/words/tool';
import type { Grant } from '../../../src/core/words/verdict';
import { vcp } from '../../../src/protocols/vcp/vcp';
import { callOf, testSession, testTool, type TestSession } from '../../support/agent/test-session';
import { turns } from '../../support/turns';

const echo = testTool('echo', 'read', async (text) => `said ${text}`);

function results(events: readonly AgentEvent[]): ToolResult[] {
  return events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []));
}

function outcome(events: readonly AgentEvent[]): string {
  const last = events.at(-1);
  assert.equal(last?.type, 'run-end');
  return last.outcome.type;
}

/** Resolves with the id of the next call that waits. */
function nextWaiting({ session }: TestSession): Promise<string> {
  return new Promise((resolve) => {
    const listening = session.onEvent((event) => {
      if (event.type !== 'approval-request') return;
      listening.dispose();
      resolve(event.request.call.id);
    });
  });
}

describe('session', () => {
  it('continues from the events of an earlier session and never reuses an id', async () => {
    const first = testSession({ protocol: vcp, tools: [echo], replies: [[callOf('echo', 'hi')]] });
    await first.session.send('go');
    const second = testSession({
      protocol: vcp,
      tools: [echo],
      replies: [[callOf('echo', 'again')]],
      past: first.session.events,
    });
    assert.deepEqual(second.session.transcript, first.session.transcript);
    await second.session.send('more');
    const [request] = second.model.requests;
    assert.match(JSON.stringify(request?.messages), /go.*said hi.*more/);
    const ids = second.session.events.flatMap((event) => (event.type === 'call-end' ? [event.call.id] : []));
    assert.equal(ids.length, 2);
    assert.equal(new Set(ids).size, 2);
  });

  it('asks for the second edit too, unless edits were allowed for the session', async () => {
    const write = testTool('write', 'write', async () => 'ok');
    for (const grant of [undefined, 'edits-in-session'] as const) {
      const test = testSession({ tools: [write], replies: [[callOf('write', '1')], [callOf('write', '2')]] });
      let asked = 0;
      test.session.onEvent((event) => {
        if (event.type !== 'approval-request') return;
        asked++;
        const { id } = event.request.call;
        queueMicrotask(() => test.session.decide(id, { type: 'run', grant }));
      });
      await test.session.send('go');
      assert.equal(asked, grant ? 1 : 2);
    }
  });

  it('says what let a call run without asking, but not for a read', async () => {
    const write = testTool('write', 'write', async () => 'ok');
    const read = testTool('read', 'read', async () => 'ok');
    const test = testSession({
      tools: [write, read],
      replies: [[callOf('write', '1'), callOf('write', '2'), callOf('read', '3')]],
    });
    test.session.onEvent((event) => {
      if (event.type !== 'approval-request') return;
      const { id } = event.request.call;
      queueMicrotask(() => test.session.decide(id, { type: 'run', grant: 'edits-in-session' }));
    });
    await test.session.send('go');
    const started = test.events.flatMap((event) => (event.type === 'tool-start' ? [event.allowedBy] : []));
    assert.equal(started.length, 3);
    assert.deepEqual(started.filter((reason) => reason !== undefined).length, 1);
  });

  it('G18.restored: restores no grant from the events of an earlier session', async () => {
    const write = testTool('write', 'write', async () => 'ok');
    let past: readonly AgentEvent[] = [];
    for (const window of [1, 2]) {
      const test = testSession({ tools: [write], replies: [[callOf('write', `${window}`)]], past });
      const waiting = nextWaiting(test);
      const run = test.session.send('go');
      test.session.decide(await waiting, { type: 'run', grant: 'edits-in-session' });
      await run;
      const asked = test.events.filter(({ type }) => type === 'approval-request');
      assert.equal(asked.length, 1);
      assert.match(JSON.stringify(test.events), /edits are allowed in this session/);
      past = test.session.events;
    }
  });

  it('G11.one-approval: answering one call does not answer another', async () => {
    const write = testTool('write', 'write', async () => 'ok');
    const test = testSession({
      tools: [write],
      replies: [[callOf('write', '1', 'a'), callOf('write', '2', 'b')]],
    });
    const first = nextWaiting(test);
    const run = test.session.send('go');
    const id = await first;
    const second = nextWaiting(test);
    test.session.decide(id, { type: 'run' });
    test.session.decide(id, { type: 'run' });
    assert.equal(await second, 'b');
    assert.equal(results(test.events).length, 1);
    test.session.decide('b', { type: 'reject', reason: '' });
    await run;
    assert.deepEqual(
      results(test.events).map(({ status }) => status),
      ['success', 'denied'],
    );
  });

  it('G11.one-approval: two calls that wait at once are answered in any order', async () => {
    const read = testTool('read', 'read', async (text) => text);
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const test = testSession({
        tools: [read],
        replies: [[callOf('read', '1', 'a'), callOf('read', '2', 'b')]],
        config: { mode: 'manual' },
      });
      const waiting: string[] = [];
      const both = new Promise<void>((resolve) => {
        test.session.onEvent((event) => {
          if (event.type === 'approval-request' && waiting.push(event.request.call.id) === 2) resolve();
        });
      });
      const run = test.session.send('go');
      await both;
      const [first = '', second = ''] = order;
      test.session.decide(first, { type: 'run' });
      await turns();
      assert.deepEqual(
        results(test.events).map(({ requestId }) => requestId),
        [first],
      );
      test.session.decide(second, { type: 'reject', reason: '' });
      await run;
      assert.deepEqual(
        results(test.events).map(({ requestId, status }) => [requestId, status]),
        [
          [first, 'success'],
          [second, 'denied'],
        ],
      );
    }
  });

  const rule = { type: 'allow-commands', rules: [{ text: 'git status', runsCode: false }] } as const;
  const secret = { type: 'read-file-in-session', path: '/ws/.env' } as const;

  /** A tool whose calls ask, and that this grant could allow. */
  function askingTool(name: string, effect: Effect, grant: Grant): Tool {
    const tool = testTool(name, effect, async (text) => `ran ${text}`);
    return {
      ...tool,
      prepare: async (...given) => {
        const prepared = await tool.prepare(...given);
        const verdict = { decision: 'ask', reason: 'test', grant } as const;
        return { ...prepared, accesses: prepared.accesses.map((access) => ({ ...access, verdict })) };
      },
    };
  }

  it('G18.grant: keeps the rules of the request that waits, and runs it', async () => {
    const kept: Grant[] = [];
    const test = testSession({
      tools: [askingTool('command', 'execute', rule)],
      replies: [[callOf('command', 'x')]],
      keep: async (grant) => void kept.push(grant),
    });
    const waiting = nextWaiting(test);
    const run = test.session.send('go');
    test.session.decide(await waiting, { type: 'run', grant: 'allow-commands' });
    await run;
    assert.deepEqual(kept, [rule]);
    assert.equal(results(test.events)[0]?.status, 'success');
    const end = test.events.find(({ type }) => type === 'approval-end');
    assert.equal(end?.type === 'approval-end' && end.decision.reason, 'always allowed: git status');
  });

  it('G18.scope: keeps a permission of the session itself, until it is taken back', async () => {
    const kept: Grant[] = [];
    const asked: string[] = [];
    const test = testSession({
      tools: [askingTool('command', 'execute', rule)],
      replies: [[callOf('command', 'x')], [callOf('command', 'y')]],
      keep: async (grant) => void kept.push(grant),
      judge: (_, granted) => {
        asked.push(granted.map((grant) => ('scope' in grant ? grant.scope : grant.type)).join());
        return { verdict: { decision: 'ask', reason: 'test' }, grants: [rule] };
      },
    });
    const first = nextWaiting(test);
    const run = test.session.send('go');
    const id = await first;
    const second = nextWaiting(test);
    test.session.decide(id, { type: 'run', grant: 'allow-commands', scope: 'session' });
    test.session.decide(await second, { type: 'run', grant: 'allow-commands', scope: 'workspace' });
    await run;
    assert.deepEqual(kept, [{ ...rule, scope: 'workspace' }]);
    assert.deepEqual(asked, ['', 'session']);
    const [standing] = test.session.grants;
    assert.deepEqual(standing?.grant, { ...rule, scope: 'session' });
    test.session.revoke(standing);
    assert.deepEqual(test.session.grants, []);
  });

  it('G18.grant: keeps the rules of exactly these words if the user chose them', async () => {
    const kept: Grant[] = [];
    const exact = [{ text: 'git status -s', runsCode: false }];
    const test = testSession({
      tools: [askingTool('command', 'execute', { ...rule, exact })],
      replies: [[callOf('command', 'x')]],
      keep: async (grant) => void kept.push(grant),
    });
    const waiting = nextWaiting(test);
    const run = test.session.send('go');
    test.session.decide(await waiting, { type: 'run', grant: 'allow-commands', isExact: true });
    await run;
    assert.deepEqual(kept, [{ type: 'allow-commands', rules: exact }]);
  });

  it('G18.grant: runs the call and grants nothing if the grant was not offered', async () => {
    const test = testSession({
      tools: [askingTool('read', 'read', secret)],
      replies: [[callOf('read', '1')], [callOf('read', '2')]],
      keep: () => assert.fail('nothing to keep'),
    });
    let asked = 0;
    test.session.onEvent((event) => {
      if (event.type !== 'approval-request') return;
      asked++;
      const { id } = event.request.call;
      const grant = asked === 1 ? 'allow-commands' : 'edits-in-session';
      queueMicrotask(() => test.session.decide(id, { type: 'run', grant }));
    });
    await test.session.send('go');
    assert.equal(asked, 2);
    assert.deepEqual(
      results(test.events).map(({ result }) => result),
      ['ran 1', 'ran 2'],
    );
  });

  it('reads a file unasked after it was allowed, and asks again in another session', async () => {
    for (const session of [1, 2]) {
      const test = testSession({
        tools: [askingTool('read', 'read', secret)],
        replies: [[callOf('read', '1')], [callOf('read', '2')]],
      });
      let asked = 0;
      test.session.onEvent((event) => {
        if (event.type !== 'approval-request') return;
        asked++;
        const { id } = event.request.call;
        queueMicrotask(() => test.session.decide(id, { type: 'run', grant: 'read-file-in-session' }));
      });
      await test.session.send('go');
      assert.equal(asked, 1, `session ${session}`);
    }
  });

  it('G11.one-approval: a grant answers no other call that waits already', async () => {
    const test = testSession({
      tools: [askingTool('read', 'read', secret)],
      replies: [[callOf('read', '1', 'a'), callOf('read', '2', 'b')]],
    });
    const waiting: string[] = [];
    const both = new Promise<void>((resolve) => {
      test.session.onEvent((event) => {
        if (event.type === 'approval-request' && waiting.push(event.request.call.id) === 2) resolve();
      });
    });
    const run = test.session.send('go');
    await both;
    test.session.decide('a', { type: 'run', grant: 'read-file-in-session' });
    await turns();
    assert.equal(results(test.events).length, 1);
    test.session.decide('b', { type: 'reject', reason: '' });
    await run;
    assert.deepEqual(
      results(test.events).map(({ status }) => status),
      ['success', 'denied'],
    );
  });

  it('begins no run, no rewind and no other restore during a restore', async () => {
    const { session, events, errors } = testSession({ replies: [[{ type: 'text', text: 'ok' }]] });
    await session.send('one');
    const change = { path: '/w/a.txt', display: 'a.txt', before: 'b' };
    const begin = { type: 'restore', entry: 0, changes: [change] } as const;
    assert.equal(session.restored(begin), true);
    const before = events.length;
    assert.deepEqual(
      [await session.send('two'), await session.summarize(), session.rewind(0), session.restored(begin)],
      [false, false, false, false],
    );
    assert.deepEqual([session.isBusy, events.length], [true, before]);
    assert.equal(session.restored({ ...begin, changes: [{ ...change, after: 'a' }] }), true);
    assert.deepEqual([session.isBusy, await session.send('two'), errors], [false, true, []]);
  });

  it('runs after a restore that an earlier window has left open', async () => {
    const change = { path: '/w/a.txt', display: 'a.txt', before: 'b' };
    const past = [{ type: 'restore', entry: 0, changes: [change] }] as const;
    assert.equal(await testSession({ past }).session.send('one'), true);
  });

  it('ends at once when it is stopped during the preparation of a run', async () => {
    let told: AbortSignal | undefined;
    const never = new Promise<void>(() => undefined);
    const test = testSession({ preparing: (signal) => ((told = signal), never) });
    const run = test.session.send('go');
    test.session.stop();
    await run;
    assert.deepEqual([outcome(test.events), told?.aborted, test.model.requests], ['aborted', true, []]);
    assert.deepEqual(test.errors, []);
  });

  it('stops while a call waits, and closes the history', async () => {
    const write = testTool('write', 'write', async () => 'ok');
    const test = testSession({ tools: [write], replies: [[callOf('write', 'x')]] });
    const waiting = nextWaiting(test);
    const run = test.session.send('go');
    const id = await waiting;
    test.session.stop();
    await run;
    assert.equal(outcome(test.events), 'aborted');
    test.session.decide(id, { type: 'run' });
    const [, , turn] = turnsOf(test.session.transcript);
    assert.match(turn?.type === 'results' ? (turn.results[0]?.result ?? '') : '', /Not executed/);
  });

  it('stops also when a listener stops at a waiting call', async () => {
    const write = testTool('write', 'write', async () => 'ok');
    const test = testSession({ tools: [write], replies: [[callOf('write', 'x')]] });
    test.session.onEvent((event) => {
      if (event.type === 'approval-request') test.session.stop();
    });
    await test.session.send('go');
    assert.equal(outcome(test.events), 'aborted');
  });

  it('makes every call wait in manual mode, even reads', async () => {
    const test = testSession({
      tools: [echo],
      config: { mode: 'manual' },
      replies: [[callOf('echo', 'hi')]],
    });
    const waiting = nextWaiting(test);
    const run = test.session.send('go');
    test.session.decide(await waiting, { type: 'run' });
    await run;
    assert.equal(results(test.events)[0]?.status, 'success');
  });

  it('runs nothing after a run has failed', async () => {
    const broken = testTool('broken', 'read', () => Promise.reject(new Error('bug')));
    const ran: string[] = [];
    const late = testTool('late', 'read', async (text) => {
      ran.push(text);
      return text;
    });
    const slow = {
      ...late,
      prepare: async (...given: Parameters<typeof late.prepare>) => {
        await turns();
        return late.prepare(...given);
      },
    };
    const ask = { verdict: { decision: 'ask', reason: 'test' }, grants: [] } as const;
    const test = testSession({
      tools: [broken, slow],
      replies: [[callOf('broken', 'x'), callOf('late', 'y')]],
      judge: (request) =>
        request.call.name === 'late' ? ask : { verdict: { decision: 'auto', reason: '' }, grants: [] },
    });
    test.session.onEvent((event) => {
      if (event.type === 'approval-request') setImmediate(() => test.session.stop());
    });
    await test.session.send('go');
    const end = test.events.findIndex(({ type }) => type === 'run-end');
    assert.equal(end, test.events.length - 1);
    assert.deepEqual(ran, []);
  });

  it('accepts an answer given while the request is emitted', async () => {
    const write = testTool('write', 'write', async () => 'ok');
    const test = testSession({ tools: [write], replies: [[callOf('write', 'x')]] });
    test.session.onEvent((event) => {
      if (event.type === 'approval-request') test.session.decide(event.request.call.id, { type: 'run' });
    });
    await test.session.send('go');
    assert.equal(results(test.events)[0]?.status, 'success');
  });

  it('takes one message at a time', async () => {
    const test = testSession({ replies: [] });
    const run = test.session.send('one');
    assert.equal(await test.session.send('two'), false);
    assert.equal(await run, true);
  });
});
