import assert from 'node:assert/strict';
import { changedSince, changesSince, restorableEntries } from '../../../../src/core/transcript/file-changes';
import { foldEvents } from '../../../../src/core/transcript/fold-events';
import { turnsOf } from '../../../../src/core/transcript/history';
import { withLeft } from '../../../../src/core/transcript/rewind';
import type { Entry, Transcript } from '../../../../src/core/transcript/transcript';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { ToolCall } from '../../../../src/core/words/messages';
import { testSession } from '../../../support/agent/test-session';
import { replyEnd, roundStart, runStart, toolEnd } from '../../../support/agent/chat-events';

const end: AgentEvent = { type: 'run-end', outcome: { type: 'done' } };

function run(text: string, answer: string): AgentEvent[] {
  return [runStart(text), roundStart, { type: 'text', text: answer }, replyEnd, end];
}

function callOf(id: string, name: string, input: ToolCall['arguments'] = {}): ToolCall {
  return { id, name, arguments: input, start: 0, end: 1, notes: [], mark: 'clean' };
}

/** A run in which a call changes a file. */
function changing(text: string, id: string, before: string, after: string): AgentEvent[] {
  const call = callOf(id, 'edit_file');
  const change = { path: '/w/a.txt', display: 'a.txt', before };
  return [
    runStart(text),
    roundStart,
    { type: 'call-end', index: 0, call },
    replyEnd,
    { type: 'tool-start', callId: id, title: 'Edit' },
    { type: 'file-change', callId: id, change },
    { type: 'file-change', callId: id, change: { ...change, after } },
    toolEnd(call, 'success', 'Edited.'),
    end,
  ];
}

function planning(text: string, id: string, items: readonly string[]): AgentEvent[] {
  const todos = items.map((each) => ({ text: each, status: 'pending' }));
  const call = callOf(id, 'update_todos', { items: todos });
  return [
    runStart(text),
    roundStart,
    { type: 'call-end', index: 0, call },
    replyEnd,
    { type: 'tool-start', callId: id, title: 'Plan' },
    toolEnd(call, 'success', 'Noted.'),
    end,
  ];
}

const back = (entry: number): AgentEvent => ({ type: 'rewind', entry });

function said(transcript: Transcript): readonly string[] {
  return turnsOf(transcript).map((turn) => {
    if (turn.type === 'user') return turn.text;
    if (turn.type === 'results') return 'results';
    return turn.parts.map((part) => ('text' in part ? part.text : part.type)).join();
  });
}

function typesOf(entries: readonly Entry[]): readonly string[] {
  return entries.map(({ type }) => type);
}

describe('going back to a message', () => {
  const talk = [...run('one', 'first'), ...run('two', 'second'), ...run('three', 'third')];
  const summary = { type: 'compaction', summary: 'short', before: 9, after: 1 } as const;
  const failed: AgentEvent = { type: 'run-end', outcome: { type: 'failed', message: 'No.' } };
  const rows: { name: string; events: AgentEvent[]; expect: readonly string[] }[] = [
    {
      name: 'leaves it out with all that came after',
      events: [...talk, back(2), ...run('two, please', 'other')],
      expect: ['one', 'first', 'two, please', 'other'],
    },
    { name: 'leaves nothing when it is the first', events: [...talk, back(0)], expect: [] },
    {
      name: 'can be done again, further back',
      events: [...talk, back(4), ...run('3', 'c'), back(2), ...run('2', 'b')],
      expect: ['one', 'first', '2', 'b'],
    },
    {
      name: 'leaves an answer out, for one that the user gives',
      events: [...run('a', 'b'), back(1)],
      expect: ['a'],
    },
    {
      name: 'changes nothing at an entry that is not a message',
      events: [runStart('a'), failed, back(1)],
      expect: ['a'],
    },
    { name: 'changes nothing at no entry', events: [...run('a', 'b'), back(7)], expect: ['a', 'b'] },
    {
      name: 'takes a summary away that was made after it',
      events: [...talk, { ...summary, entries: 4 }, back(2), ...run('2', 'b')],
      expect: ['one', 'first', '2', 'b'],
    },
    {
      name: 'keeps a summary that was made before it',
      events: [...run('one', 'first'), { ...summary, entries: 2 }, ...run('two', 'second'), back(3)],
      expect: ['short'],
    },
  ];
  for (const { name, events, expect } of rows) {
    it(name, () => assert.deepEqual(said(foldEvents(events)), expect));
  }

  it('keeps what was left out, also what an earlier return had left out', () => {
    const { entries } = foldEvents([...talk, back(2), ...run('2', 'b'), back(0), ...run('1', 'a')]);
    assert.deepEqual(typesOf(entries), ['rewind', 'user', 'reply']);
    const texts = withLeft(entries).flatMap((entry) => (entry.type === 'user' ? [entry.text] : []));
    assert.deepEqual(texts, ['one', 'two', 'three', '2', '1']);
  });

  it('restores the earlier plan', () => {
    const planned = [...planning('plan', 'p', ['a']), ...planning('more', 'q', ['b', 'c'])];
    assert.deepEqual(foldEvents([...planned, back(2)]).todos, [{ text: 'a', status: 'pending' }]);
    assert.deepEqual(foldEvents([...planned, back(0)]).todos, []);
  });

  it('can still restore files changed in the removed part, and tells the model about them', () => {
    const events = [...run('one', 'first'), ...changing('change', 'c1', 'x', 'y')];
    const transcript = foldEvents([...events, back(2), ...changing('again', 'c2', 'y', 'z')]);
    assert.deepEqual(
      [...restorableEntries(transcript)].sort((one, other) => one - other),
      [0, 2, 3],
    );
    assert.deepEqual(
      changesSince(transcript, 2).map(({ before, after }) => [before, after]),
      [['x', 'z']],
    );
    assert.deepEqual(
      changesSince(transcript, 3).map(({ before, after }) => [before, after]),
      [['y', 'z']],
    );
    assert.match(said(transcript)[2] ?? '', /removed part: a\.txt\. Read them again/);
  });

  it('does not tell the model about files that were restored before', () => {
    const restore: AgentEvent = {
      type: 'restore',
      entry: 0,
      changes: [{ path: '/w/a.txt', display: 'a.txt', before: 'y', after: 'x' }],
    };
    const transcript = foldEvents([...changing('change', 'c1', 'x', 'y'), restore, back(0)]);
    assert.deepEqual(said(transcript), []);
    assert.deepEqual(changedSince(transcript, 0), []);
  });

  it('is an event of the session, and impossible during a run', async () => {
    const { session, events, model } = testSession({ replies: [[{ type: 'text', text: 'no' }]] });
    await session.send('one');
    const running = session.send('two');
    assert.equal(session.rewind(0), false);
    await running;
    assert.equal(session.rewind(1), false);
    assert.equal(session.rewind(2), true);
    await session.send('2');
    assert.deepEqual(
      events.filter(({ type }) => type === 'rewind'),
      [back(2)],
    );
    assert.deepEqual(
      model.requests.at(-1)?.messages.map(({ content }) => content),
      ['Be good.', 'one', 'no', '2'],
    );
  });
});
