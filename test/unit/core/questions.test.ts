import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { AgentEvent } from '../../../src/core/words/events';
import type { ToolResult } from '../../../src/core/words/messages';
import { askUser } from '../../../src/tools/ask-user';
import { testSession, type TestSession, type TestSessionOptions } from '../../support/agent/test-session';
import { turns } from '../../support/turns';

/** A session whose model asks these questions in one reply, each under its id. */
function asking(
  questions: Readonly<Record<string, string>>,
  options: Partial<TestSessionOptions> = {},
): TestSession {
  const parts = Object.entries(questions).map(([id, question]) => ({
    type: 'call' as const,
    call: { id, name: 'ask_user', arguments: { question, options: ['red', 'blue'] } },
  }));
  return testSession({ tools: [askUser()], replies: [parts], ...options });
}

/** Resolves after that many events of the type. */
function seen({ session }: TestSession, type: AgentEvent['type'], times = 1): Promise<void> {
  let left = times;
  return new Promise((resolve) => {
    const listening = session.onEvent((event) => {
      if (event.type !== type || --left > 0) return;
      listening.dispose();
      resolve();
    });
  });
}

function results({ events }: TestSession): (readonly [string, ToolResult['status'], string])[] {
  return events.flatMap((event) =>
    event.type === 'tool-end'
      ? [[event.result.requestId, event.result.status, event.result.result] as const]
      : [],
  );
}

function stateOf({ session }: TestSession, id: string): string | undefined {
  return session.transcript.entries
    .flatMap((entry) => (entry.type === 'reply' ? entry.parts : []))
    .flatMap((part) => (part.type === 'call' && 'call' in part.state ? [part.state] : []))
    .find(({ call }) => call.id === id)?.type;
}

describe('questions to the user', () => {
  it("waits without asking for approval, and gives the model the user's words", async () => {
    const test = asking({ a: 'Which colour?' });
    const asked = seen(test, 'question');
    const run = test.session.send('go');
    await asked;
    assert.equal(stateOf(test, 'a'), 'asking');
    test.session.answerQuestion('a', 'green, if there is any');
    await run;
    assert.deepEqual(results(test), [['a', 'success', 'green, if there is any']]);
    assert.match(JSON.stringify(test.model.requests[1]?.messages), /green, if there is any/);
    assert.deepEqual(
      test.events.filter(({ type }) => /question|approval/.test(type)),
      [
        { type: 'question', callId: 'a', question: 'Which colour?', options: ['red', 'blue'] },
        { type: 'question-end', callId: 'a', answer: 'green, if there is any' },
      ],
    );
  });

  for (const order of [
    ['a', 'b'],
    ['b', 'a'],
  ]) {
    it(`keeps two questions apart when they are answered in the order ${order.join(', ')}`, async () => {
      const test = asking({ a: 'First?', b: 'Second?' });
      const asked = seen(test, 'question', 2);
      const run = test.session.send('go');
      await asked;
      const [first = '', second = ''] = order;
      const ended = seen(test, 'tool-end');
      test.session.answerQuestion(first, `to ${first}`);
      // The second click of a double click, and a late one.
      test.session.answerQuestion(first, 'once more');
      await ended;
      assert.deepEqual(results(test), [[first, 'success', `to ${first}`]]);
      assert.equal(stateOf(test, second), 'asking');
      test.session.answerQuestion(first, 'late');
      test.session.answerQuestion(second, `to ${second}`);
      await run;
      assert.deepEqual(results(test), [
        [first, 'success', `to ${first}`],
        [second, 'success', `to ${second}`],
      ]);
    });
  }

  it('G18.answer: ignores an answer to a call that asks nothing', async () => {
    const test = asking({ a: 'First?' });
    const asked = seen(test, 'question');
    const run = test.session.send('go');
    await asked;
    const before = test.events.length;
    test.session.answerQuestion('b', 'x');
    test.session.answerQuestion('', 'x');
    assert.equal(test.events.length, before);
    assert.equal(stateOf(test, 'a'), 'asking');
    test.session.answerQuestion('a', 'x');
    await run;
  });

  it('G18.answer: an approval answers no question, and an answer approves nothing', async () => {
    const test = asking({ a: 'First?' }, { config: { mode: 'manual' } });
    const waiting = seen(test, 'approval-request');
    const asked = seen(test, 'question');
    const run = test.session.send('go');
    await waiting;
    test.session.answerQuestion('a', 'x');
    assert.equal(stateOf(test, 'a'), 'waiting');
    test.session.decide('a', { type: 'run' });
    await asked;
    test.session.decide('a', { type: 'run' });
    test.session.decide('a', { type: 'reject', reason: '' });
    assert.equal(stateOf(test, 'a'), 'asking');
    test.session.answerQuestion('a', 'yes');
    await run;
    assert.deepEqual(results(test), [['a', 'success', 'yes']]);
  });

  it('ends with Stop and accepts no answer afterwards', async () => {
    const test = asking({ a: 'First?', b: 'Second?' });
    const asked = seen(test, 'question', 2);
    const run = test.session.send('go');
    await asked;
    test.session.stop();
    await run;
    const events = [...test.events];
    test.session.answerQuestion('a', 'late');
    assert.deepEqual(test.events, events);
    assert.deepEqual(test.events.at(-1), { type: 'run-end', outcome: { type: 'aborted' } });
    assert.equal(stateOf(test, 'a'), 'ended');

    await test.session.send('go on');
    const sent = JSON.stringify(test.model.requests[1]?.messages);
    assert.equal(sent.match(/Interrupted: the run ended before the user answered\./g)?.length, 2);
  });

  it('waits longer than a call may take', async () => {
    const test = asking({ a: 'First?' }, { config: { timeout: 10 } });
    const asked = seen(test, 'question');
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const run = test.session.send('go');
      await asked;
      mock.timers.tick(1_000_000);
      await turns();
      test.session.answerQuestion('a', 'in the end');
      await run;
    } finally {
      mock.timers.reset();
    }
    assert.deepEqual(results(test), [['a', 'success', 'in the end']]);
  });

  it('says at once if no user can answer', async () => {
    const test = asking({ a: 'First?' }, { isAttended: false });
    await test.session.send('go');
    assert.deepEqual(results(test), [
      [
        'a',
        'error',
        'No user is available to answer. Decide yourself, or say in your reply what you need to know.',
      ],
    ]);
  });

  it('keeps question and answer beside the result', async () => {
    const test = asking({ a: 'First?' });
    const asked = seen(test, 'question');
    const run = test.session.send('go');
    await asked;
    test.session.answerQuestion('a', 'yes');
    await run;
    const [, reply] = test.session.transcript.entries;
    const [part] = reply?.type === 'reply' ? reply.parts : [];
    assert.ok(part?.type === 'call' && part.state.type === 'ended');
    assert.deepEqual(part.state.answered, { question: 'First?', options: ['red', 'blue'], answer: 'yes' });
  });
});
