import assert from 'node:assert/strict';
import type { Answer, Judgement } from '../../../../src/core/session';
import type { AgentEvent } from '../../../../src/core/words/events';
import { ToolError, type Tool } from '../../../../src/core/words/tool';
import { callOf, testSession, testTool, type TestSession } from '../../../support/agent/test-session';
import { turns } from '../../../support/turns';

/** Writes what its argument says; refuses "refuse", as every test tool does. */
function writer(written: string[]): Tool {
  return testTool('write', 'write', async (text) => {
    written.push(text);
    return `wrote ${text}`;
  });
}

/** Answers the requests for approval of one call, one after another. */
function answers(test: TestSession, ...list: readonly Answer[]): void {
  const rest = [...list];
  test.session.onEvent((event) => {
    if (event.type !== 'approval-request') return;
    const next = rest.shift();
    if (next) queueMicrotask(() => test.session.decide(event.request.call.id, next));
  });
}

function asked(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'approval-request') return [];
    const { title, edited, problem } = event.request;
    return [`${title}${edited ? ' (edited)' : ''}${problem === undefined ? '' : `: ${problem}`}`];
  });
}

function edited(event: AgentEvent): object[] {
  return event.type === 'approval-request' && event.request.edited ? [event.request.edited] : [];
}

function result(events: readonly AgentEvent[]): string | undefined {
  return events.flatMap((event) => (event.type === 'tool-end' ? [event.result.result] : []))[0];
}

const edit = (text: string): Answer => ({ type: 'edit', arguments: { text } });
const run: Answer = { type: 'run' };

describe('arguments that the user changes', () => {
  it('are shown before they run, and the model learns of it', async () => {
    const written: string[] = [];
    const test = testSession({ tools: [writer(written)], replies: [[callOf('write', 'a')]] });
    answers(test, edit('b'), run);
    await test.session.send('go');
    assert.deepEqual(asked(test.events), ['write a', 'write b (edited)']);
    assert.deepEqual(written, ['b']);
    assert.equal(
      result(test.events),
      'The user changed these arguments before the call ran:\ntext: "b"\n\nwrote b',
    );
    const history = JSON.stringify(test.model.requests[1]?.messages);
    assert.match(history, /\\"text\\":\\"a\\"/, 'the history holds what the model wrote');
    assert.match(history, /text: \\"b\\"/);
  });

  it('wait even if the policy would let them run', async () => {
    const written: string[] = [];
    const judge = (request: { edited?: object }): Judgement => ({
      verdict: { decision: request.edited ? 'auto' : 'ask', reason: 'a rule' },
      grants: [],
    });
    const test = testSession({ tools: [writer(written)], replies: [[callOf('write', 'a')]], judge });
    answers(test, edit('b'));
    const sent = test.session.send('go');
    await turns();
    assert.deepEqual(asked(test.events), ['write a', 'write b (edited)']);
    assert.deepEqual(written, []);
    test.session.stop();
    await sent;
    assert.deepEqual(written, []);
  });

  it('that are invalid leave the call unchanged, with the reason', async () => {
    const written: string[] = [];
    const test = testSession({ tools: [writer(written)], replies: [[callOf('write', 'a')]] });
    answers(test, edit('refuse'), run);
    await test.session.send('go');
    assert.deepEqual(asked(test.events), ['write a', 'write a: Cannot do that. Try something else.']);
    assert.deepEqual(written, ['a']);
    assert.equal(result(test.events), 'wrote a');
  });

  it('that the policy refuses leave the call unchanged', async () => {
    const written: string[] = [];
    const judge = (request: { title: string }): Judgement => ({
      verdict: { decision: request.title === 'write secret' ? 'deny' : 'ask', reason: 'it is secret' },
      grants: [],
    });
    const test = testSession({ tools: [writer(written)], replies: [[callOf('write', 'a')]], judge });
    answers(test, edit('b'), edit('secret'), run);
    await test.session.send('go');
    assert.deepEqual(asked(test.events), [
      'write a',
      'write b (edited)',
      'write b (edited): That is not allowed: it is secret.',
    ]);
    assert.deepEqual(written, ['b']);
  });

  it('G11.edit: an edit of one call does not run or change another', async () => {
    const written: string[] = [];
    const test = testSession({
      tools: [writer(written)],
      config: { mode: 'manual' },
      replies: [[callOf('write', 'a'), callOf('write', 'z')]],
    });
    answers(test, edit('b'), run, { type: 'reject', reason: '' });
    await test.session.send('go');
    assert.deepEqual(asked(test.events), ['write a', 'write b (edited)', 'write z']);
    assert.deepEqual(written, ['b']);
  });

  it('are checked like those of the model', async () => {
    const strict: Tool = {
      ...testTool('write', 'write', async () => 'ok'),
      prepare: async (input) => {
        if (typeof input.text !== 'string') throw new ToolError('"text" must be a text.');
        return {
          title: input.text,
          accesses: [],
          run: async () => ({ text: 'ok' }),
        };
      },
    };
    const test = testSession({ tools: [strict], replies: [[callOf('write', 'a')]] });
    answers(test, { type: 'edit', arguments: {} }, { type: 'reject', reason: '' });
    await test.session.send('go');
    assert.deepEqual(asked(test.events), ['a', 'a: "text" must be a text.']);
  });

  it('are bound like those of the model, and shown as they will run', async () => {
    const written: string[] = [];
    const test = testSession({ tools: [writer(written)], replies: [[callOf('write', 'a')]] });
    answers(
      test,
      { type: 'edit', arguments: { text: ['b'] } },
      { type: 'edit', arguments: { other: 'b' } },
      { type: 'edit', arguments: { Text: 7 } },
      run,
    );
    await test.session.send('go');
    assert.deepEqual(asked(test.events), [
      'write a',
      'write a: The argument "text" must be string, not ["b"]. Send "text" as string.',
      'write a: There is no argument "other". The arguments are: text.',
      'write 7 (edited)',
    ]);
    assert.deepEqual(test.events.flatMap((event) => edited(event)).at(-1), { text: '7' });
    assert.deepEqual(written, ['7']);
    assert.equal(
      result(test.events),
      'The user changed these arguments before the call ran:\ntext: "7"\n\nwrote 7',
    );
  });
});
