import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { foldEvents } from '../../../../src/core/transcript/fold-events';
import { turnsOf } from '../../../../src/core/transcript/history';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { ToolResult } from '../../../../src/core/words/messages';
import type { ModelDelta } from '../../../../src/core/words/model';
import { findProtocol } from '../../../../src/protocols';
import { suggestProtocol } from '../../../../src/protocols/choose';
import { native } from '../../../../src/protocols/native/native';
import { vcp } from '../../../../src/protocols/vcp/vcp';
import {
  callOf,
  testSession,
  testTool,
  type TestSession,
  type TestSessionOptions,
} from '../../../support/agent/test-session';
import { turns } from '../../../support/turns';

const echo = testTool('echo', 'read', async (text) => `said ${text}`);

function results(events: readonly AgentEvent[]): ToolResult[] {
  return events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []));
}

function outcome(events: readonly AgentEvent[]): string {
  const last = events.at(-1);
  assert.equal(last?.type, 'run-end');
  return last.outcome.type;
}

function textOf(deltas: readonly ModelDelta[]): string {
  return deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
}

/** Rejects when the signal aborts. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')));
  });
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

function says(text: string): ModelDelta[] {
  return [
    { type: 'text', text },
    { type: 'end', reason: 'stop' },
  ];
}

const MALFORMED = says('<<<[TOOL_REQUEST]>>>\ntool_name:「始」echo「末」\n');
const HERMES = says('<tool_call>{"name":"echo","arguments":{"text":"hi"}}</tool_call>');

async function advice(options: Partial<TestSessionOptions>): Promise<string[]> {
  const test = testSession({
    // Unlike the module alone, it also recognizes the forms of the others.
    protocol: findProtocol('vcp')!,
    tools: [echo],
    replies: [],
    suggestProtocol: (seen) => suggestProtocol(seen, 'qwen3'),
    ...options,
  });
  const decided = test.session.onEvent((event) => {
    if (event.type === 'approval-request') test.session.decide(event.request.call.id, { type: 'run' });
  });
  await test.session.send('go');
  decided.dispose();
  return test.events.flatMap((event: AgentEvent) => (event.type === 'advice' ? [event.protocol] : []));
}

describe('agent loop', () => {
  for (const protocol of [native, vcp]) {
    it(`runs calls and sends their results back over ${protocol.id}`, async () => {
      const test = testSession({
        protocol,
        tools: [echo],
        replies: [[{ type: 'text', text: 'Look:' }, callOf('echo', 'hi')]],
      });
      await test.session.send('go');
      assert.equal(outcome(test.events), 'done');
      assert.deepEqual(
        results(test.events).map(({ result, status }) => [status, result]),
        [['success', 'said hi']],
      );
      const [, second] = test.model.requests;
      assert.ok(JSON.stringify(second?.messages).includes('said hi'));
      assert.deepEqual(
        turnsOf(test.session.transcript).map(({ type }) => type),
        ['user', 'reply', 'results', 'reply'],
      );
    });
  }

  it('runs no call that turns out to be reasoning, and shows it as reasoning', async () => {
    for (const protocol of [vcp, native]) {
      const call = protocol === vcp ? textOf(vcp.renderReply([callOf('echo', 'no')])) : '';
      const replies = [[{ type: 'text', text: `Hm. ${call} So.</think>Done.` } as const]];
      const test = testSession({ protocol, tools: [echo], replies });
      await test.session.send('go');
      assert.equal(outcome(test.events), 'done');
      assert.deepEqual(results(test.events), []);
      const entry = test.session.transcript.entries.at(-1);
      assert.equal(entry?.type, 'reply');
      assert.deepEqual(
        entry.parts.map((part) => part.type),
        ['reasoning', 'text'],
      );
      assert.deepEqual(
        entry.warnings.map(({ code }) => code),
        call === '' ? [] : ['call-in-reasoning'],
      );
      assert.deepEqual(foldEvents(test.session.events), test.session.transcript);
    }
  });

  it('keeps the earlier part of a request byte-identical from round to round', async () => {
    const test = testSession({ tools: [echo], replies: [[callOf('echo', '1')], [callOf('echo', '2')]] });
    await test.session.send('go');
    const [first, second, third] = test.model.requests.map(({ messages }) => messages);
    assert.deepEqual(second?.slice(0, first?.length), first);
    assert.deepEqual(third?.slice(0, second?.length), second);
  });

  it('waits for the user before it writes, and runs what was shown', async () => {
    const written: string[] = [];
    const write = testTool('write', 'write', async (text) => {
      written.push(text);
      return 'ok';
    });
    const test = testSession({ tools: [write], replies: [[callOf('write', 'x')]] });
    const waiting = nextWaiting(test);
    const run = test.session.send('go');
    const id = await waiting;
    assert.deepEqual(written, []);
    test.session.decide(id, { type: 'run' });
    await run;
    assert.deepEqual(written, ['x']);
  });

  it('tells the model that the user rejected a call, and why', async () => {
    const write = testTool('write', 'write', () => assert.fail('must not run'));
    const test = testSession({ tools: [write], replies: [[callOf('write', 'x')]] });
    const waiting = nextWaiting(test);
    const run = test.session.send('go');
    test.session.decide(await waiting, { type: 'reject', reason: 'wrong file' });
    await run;
    const [result] = results(test.events);
    assert.equal(result?.status, 'denied');
    assert.match(JSON.stringify(test.model.requests[1]?.messages), /rejected this call and said: wrong file/);
  });

  it('G11.bytes: runs the prepared call, even if the shown objects change', async () => {
    const ran: string[] = [];
    const write = testTool('write', 'write', async (text) => {
      ran.push(text);
      return 'ok';
    });
    const test = testSession({ tools: [write], replies: [[callOf('write', 'as shown')]] });
    test.session.onEvent((event) => {
      if (event.type !== 'approval-request') return;
      Object.assign(event.request.call.arguments, { text: 'something else' });
      test.session.decide(event.request.call.id, { type: 'run' });
    });
    await test.session.send('go');
    assert.deepEqual(ran, ['as shown']);
  });

  it('runs neighbouring reads side by side and keeps the order of their results', async () => {
    const order: string[] = [];
    const slow = testTool('slow', 'read', async (text) => {
      order.push(`start ${text}`);
      await turns(text === '1' ? 40 : 20);
      order.push(`end ${text}`);
      return text;
    });
    const test = testSession({ tools: [slow], replies: [[callOf('slow', '1'), callOf('slow', '2')]] });
    await test.session.send('go');
    assert.deepEqual(order, ['start 1', 'start 2', 'end 2', 'end 1']);
    const [, , turn] = turnsOf(test.session.transcript);
    assert.deepEqual(turn?.type === 'results' && turn.results.map(({ result }) => result), ['1', '2']);
  });

  it('answers a tool that is switched off as unavailable', async () => {
    const test = testSession({ tools: [echo], off: ['echo'], replies: [[callOf('echo', 'hi')]] });
    await test.session.send('go');
    assert.match(results(test.events)[0]?.result ?? '', /was not executed: The tool "echo" is switched off/);
    assert.deepEqual(test.model.requests[0]?.tools, undefined);
  });

  it('reports malformed calls and runs the good ones of the same reply', async () => {
    const test = testSession({ tools: [echo], replies: [[callOf('nothing', 'x'), callOf('echo', 'hi')]] });
    await test.session.send('go');
    assert.deepEqual(
      results(test.events).map(({ status }) => status),
      ['error', 'success'],
    );
  });

  it("passes on a tool's refusal with the next step", async () => {
    const test = testSession({ tools: [echo], replies: [[callOf('echo', 'refuse')]] });
    await test.session.send('go');
    assert.deepEqual(
      results(test.events).map(({ result }) => result),
      ['Cannot do that. Try something else.'],
    );
  });

  const cut: readonly ModelDelta[] = [
    { type: 'tool-call', index: 0, id: 'a', name: 'echo', arguments: '{"text":"x"}' },
  ];
  it('runs no call of a reply that ended early', async () => {
    const test = testSession({ tools: [echo], replies: [cut] });
    await test.session.send('go');
    assert.equal(outcome(test.events), 'failed');
    assert.equal(
      test.events.some(({ type }) => type === 'tool-start'),
      false,
    );
  });

  it('ends with the sentence of a failing endpoint', async () => {
    const failure: ModelDelta = { type: 'failure', failure: { code: 'unauthorized', message: 'No key.' } };
    const test = testSession({ replies: [[{ type: 'text', text: 'half' }, failure]] });
    await test.session.send('go');
    assert.deepEqual(test.events.at(-1), {
      type: 'run-end',
      outcome: { type: 'failed', message: 'No key.', canContinue: true },
    });
    assert.equal(await test.session.resume(), true);
    assert.equal(outcome(test.events), 'done');
    const [first, second] = test.model.requests;
    assert.deepEqual(second?.messages, first?.messages);
  });

  it('stops a running tool through its signal and says that the effect is unknown', async () => {
    const hang = testTool('hang', 'read', (_, { signal }) => untilAborted(signal));
    const test = testSession({ tools: [hang], replies: [[callOf('hang', 'x')]] });
    test.session.onEvent((event) => {
      if (event.type === 'tool-start') setImmediate(() => test.session.stop());
    });
    await test.session.send('go');
    assert.equal(outcome(test.events), 'aborted');
    const [, , turn] = turnsOf(test.session.transcript);
    assert.equal(turn?.type === 'results' && turn.results[0]?.result, 'Interrupted, effect unknown.');
  });

  it('abandons a tool that ignores a stop while it is prepared', async () => {
    const lost = {
      ...testTool('lost', 'read', async () => 'ok'),
      prepare: () => new Promise<never>(() => undefined),
    };
    const test = testSession({ tools: [lost], replies: [[callOf('lost', 'x')]] });
    test.session.onEvent((event) => {
      if (event.type === 'reply-end') setImmediate(() => test.session.stop());
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const run = test.session.send('go');
      await turns();
      // It might still end.
      assert.notEqual(test.events.at(-1)?.type, 'run-end');
      mock.timers.tick(10_000);
      await run;
    } finally {
      mock.timers.reset();
    }
    assert.equal(outcome(test.events), 'aborted');
    const [, , turn] = turnsOf(test.session.transcript);
    assert.match(turn?.type === 'results' ? (turn.results[0]?.result ?? '') : '', /Not executed/);
  });

  it('ends a tool at its time limit and continues', async () => {
    const hang = testTool('hang', 'read', (_, { signal }) => untilAborted(signal));
    const test = testSession({ tools: [hang], config: { timeout: 20 }, replies: [[callOf('hang', 'x')]] });
    await test.session.send('go');
    assert.equal(outcome(test.events), 'done');
    assert.match(results(test.events)[0]?.result ?? '', /Stopped after 0.02 s/);
  });

  it('pauses when the rounds are used up', async () => {
    const replies = Array.from({ length: 5 }, (_, index) => [callOf('echo', String(index))]);
    const test = testSession({ tools: [echo], config: { maxIterations: 2 }, replies });
    await test.session.send('go');
    assert.equal(outcome(test.events), 'budget');
    assert.equal(test.model.requests.length, 2);
  });

  it('survives a tool that throws, and logs the error', async () => {
    const broken = testTool('broken', 'read', () => Promise.reject(new Error('bug')));
    const test = testSession({ tools: [broken], replies: [[callOf('broken', 'x')]] });
    await test.session.send('go');
    assert.equal(outcome(test.events), 'failed');
    assert.deepEqual(test.errors.map(String), ['Error: bug']);
    await test.session.send('again');
    assert.equal(outcome(test.events), 'done');
  });

  it('runs no call of a reply cut by a content filter', async () => {
    const filtered: ModelDelta[] = [...cut, { type: 'end', reason: 'content-filter' }];
    const test = testSession({ tools: [echo], replies: [filtered] });
    await test.session.send('go');
    assert.equal(outcome(test.events), 'failed');
    assert.equal(
      test.events.some(({ type }) => type === 'tool-start'),
      false,
    );
  });
});

describe('advice on the protocol', () => {
  it('names the format a model writes in, once per run', async () => {
    assert.deepEqual(await advice({ replies: [HERMES, HERMES] }), ['hermes']);
    assert.deepEqual(await advice({ replies: [HERMES], config: { recovery: 'text' } }), ['hermes']);
  });

  it('comes after two malformed replies in a row, by the name of the model', async () => {
    assert.deepEqual(await advice({ replies: [MALFORMED] }), []);
    assert.deepEqual(await advice({ replies: [MALFORMED, MALFORMED, MALFORMED] }), ['hermes']);
  });

  it('comes when an endpoint does not support tools', async () => {
    const failure = { type: 'failure', failure: { code: 'no-tools', message: 'No.' } } as const;
    assert.deepEqual(await advice({ protocol: findProtocol('native')!, replies: [[failure]] }), ['hermes']);
  });

  it('does not suggest what is already in use', async () => {
    const replies = [says('<tool_call>oops'), says('<tool_call>oops'), says('<tool_call>oops')];
    assert.deepEqual(await advice({ protocol: findProtocol('hermes')!, replies }), []);
  });
});
