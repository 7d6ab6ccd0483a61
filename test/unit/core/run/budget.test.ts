import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Meter, Spending } from '../../../../src/core/run/budget';
import { turnsOf } from '../../../../src/core/transcript/history';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { ModelDelta } from '../../../../src/core/words/model';
import type { RunOutcome } from '../../../../src/core/words/outcome';
import { callOf, testSession, testTool, type TestSessionOptions } from '../../../support/agent/test-session';
import { noBudget } from '../../../support/agent/no-budget';

const echo = testTool('echo', 'read', async (text) => `said ${text}`);
const broken = testTool('echo', 'read', async () => {
  throw Object.assign(new Error('It is broken. Leave it.'), { name: 'ToolError' });
});

const many = (count: number): ReturnType<typeof callOf>[][] =>
  Array.from({ length: count }, (_, at) => [callOf('echo', String(at))]);

/** A reply with one call, with the usage that the endpoint reports. */
function costly(at: number, tokens: number, cost?: number): ModelDelta[] {
  return [
    { type: 'tool-call', index: 0, id: `id${at}`, name: 'echo', arguments: `{"text":"${at}"}` },
    {
      type: 'usage',
      usage: { inputTokens: tokens - 10, outputTokens: 10, ...(cost !== undefined && { cost }) },
    },
    { type: 'end', reason: 'tool-calls' },
  ];
}

function outcome(events: readonly AgentEvent[]): RunOutcome {
  const last = events.at(-1);
  assert.equal(last?.type, 'run-end');
  return last.outcome;
}

const rows: { name: string; options: TestSessionOptions; rounds: number; message: RegExp }[] = [
  {
    name: 'rounds',
    options: { tools: [echo], replies: many(9), config: { maxIterations: 4 } },
    rounds: 4,
    message: /^Paused after 4 rounds\..*"parley\.toolCalling\.maxIterations"\.$/,
  },
  {
    name: 'tokens, as the endpoint counts them',
    options: { tools: [echo], replies: [0, 1, 2, 3].map((at) => costly(at, 400)), budget: { tokens: 1000 } },
    rounds: 3,
    message: /^Paused after 1,200 tokens\..*"parley\.budget\.tokens"\.$/,
  },
  {
    name: 'tokens, estimated from requests and replies if the endpoint does not count',
    options: {
      tools: [echo],
      replies: Array.from({ length: 9 }, (_, at) => [
        { type: 'text', text: 'x'.repeat(400) } as const,
        callOf('echo', String(at)),
      ]),
      budget: { tokens: 400 },
    },
    rounds: 3,
    message: /^Paused after \d+ tokens\./,
  },
  {
    name: 'dollars, if they are known',
    options: {
      tools: [echo],
      replies: [0, 1, 2, 3].map((at) => costly(at, 400, 0.04)),
      budget: { cost: 0.1 },
    },
    rounds: 3,
    message: /^Paused after \$0\.12\..*"parley\.budget\.cost"\.$/,
  },
  {
    name: 'the same call three times in a row',
    options: {
      tools: [echo],
      replies: Array.from({ length: 9 }, (_, at) => [callOf('echo', 'a', `id${at}`)]),
    },
    rounds: 3,
    message: /^Paused: the model made the same call three times in a row\./,
  },
  {
    name: 'ten calls in a row that came to nothing',
    options: { tools: [broken], replies: many(20), config: { maxIterations: 40 } },
    rounds: 10,
    message: /^Paused: 10 calls in a row failed\./,
  },
];

describe('G36 budgets', () => {
  for (const { name, options, rounds, message } of rows) {
    it(`pause the run: ${name}`, async () => {
      const test = testSession(options);
      await test.session.send('go');
      const end = outcome(test.events);
      assert.equal(end.type, 'budget');
      assert.match(end.message, message);
      assert.equal(test.model.requests.length, rounds);
      const turns = turnsOf(test.session.transcript);
      assert.equal(turns.at(-1)?.type, 'results', 'every call has its result');
    });
  }

  it('continue where they paused, without a new message', async () => {
    const test = testSession({ tools: [echo], replies: many(5), config: { maxIterations: 2 } });
    await test.session.send('go');
    assert.equal(await test.session.resume(), true);
    assert.equal(test.model.requests.length, 4);
    assert.equal(await test.session.resume(), true);
    assert.equal(outcome(test.events).type, 'done');
    const users = turnsOf(test.session.transcript).filter(({ type }) => type === 'user');
    assert.equal(users.length, 1);
    assert.equal(await test.session.resume(), false, 'nothing is paused any more');
  });

  it('continue even after a summary that the user stopped', async () => {
    const test = testSession({ tools: [echo], replies: many(3), config: { maxIterations: 2 } });
    await test.session.send('go');
    const compacting = test.session.summarize();
    test.session.stop();
    await compacting;
    assert.equal(outcome(test.events).type, 'aborted');
    assert.equal(await test.session.resume(), true);
    assert.equal(outcome(test.events).type, 'done');
  });

  it('do not run a third identical call, and tell the model', async () => {
    let ran = 0;
    const counting = testTool('echo', 'read', async () => `ran ${++ran}`);
    const replies = [0, 1, 2].map((at) => [callOf('echo', 'a', `id${at}`)]);
    const test = testSession({ tools: [counting], replies });
    await test.session.send('go');
    assert.equal(ran, 2);
    await test.session.resume();
    assert.match(
      JSON.stringify(test.model.requests.at(-1)?.messages),
      /Not executed: you just made the same call/,
    );
  });

  it('ignore identical calls with other calls in between', async () => {
    const texts = ['a', 'b', 'a', 'a', 'b', 'a'];
    const replies = texts.map((text, at) => [callOf('echo', text, `id${at}`)]);
    const test = testSession({ tools: [echo], replies });
    await test.session.send('go');
    assert.equal(outcome(test.events).type, 'done');
  });

  it('forget failures at the first success', () => {
    const spending = new Spending(new Meter());
    const add = (status: 'success' | 'error' | 'denied', times: number): void => {
      for (let at = 0; at < times; at++)
        spending.add({ requestId: '', toolName: '', status, result: '', durationMs: 0 });
    };
    add('error', 5);
    add('denied', 4);
    add('success', 1);
    add('error', 9);
    assert.equal(spending.exceeded(noBudget), undefined);
    add('denied', 1);
    assert.match(spending.exceeded(noBudget) ?? '', /10 calls/);
  });

  afterEach(() => mock.restoreAll());

  it('do not count the time spent waiting for the user', async () => {
    let now = 0;
    mock.method(performance, 'now', () => now);
    const meter = new Meter();
    let first = (): void => undefined;
    let second = (): void => undefined;
    const one = meter.pausedWhile(() => new Promise<void>((resolve) => (first = resolve)));
    assert.equal(meter.worked, 0);
    const two = meter.pausedWhile(() => new Promise<void>((resolve) => (second = resolve)));
    now += 30;
    first();
    await one;
    now += 30;
    assert.equal(meter.worked, 0, 'the other one still waits');
    second();
    await two;
    now += 5;
    assert.equal(meter.worked, 5);
  });

  it('end a run by its minutes of work', () => {
    const meter = new Meter();
    const spending = new Spending(meter);
    assert.equal(spending.exceeded({ ...noBudget, minutes: 1 }), undefined);
    Object.defineProperty(meter, 'worked', { value: 60_000 });
    assert.match(spending.exceeded({ ...noBudget, minutes: 1 }) ?? '', /^Paused after 1 minute of work\./);
    assert.equal(spending.exceeded({ ...noBudget, minutes: 2 }), undefined);
    assert.equal(spending.exceeded(noBudget), undefined);
  });
});
