import assert from 'node:assert/strict';
import { foldTranscript } from '../../../../src/core/transcript/fold-transcript';
import { turnsOf } from '../../../../src/core/transcript/history';
import { emptyTranscript } from '../../../../src/core/transcript/transcript';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { Turn } from '../../../../src/core/words/messages';

const round: AgentEvent = { type: 'round-start', round: 1, maxRounds: 50, protocol: 'native', model: 'm' };
const end: AgentEvent = { type: 'run-end', outcome: { type: 'done' } };

function run(text: string, answer: string): AgentEvent[] {
  return [{ type: 'run-start', text, time: 0 }, round, { type: 'text', text: answer }, end];
}

function broken(text: string, answer: string): AgentEvent[] {
  const failed: AgentEvent = {
    type: 'run-end',
    outcome: { type: 'failed', message: 'It broke.', canContinue: true },
  };
  const cut: AgentEvent = { type: 'reply-end', reason: 'cut', raw: answer };
  return [{ type: 'run-start', text, time: 0 }, round, { type: 'text', text: answer }, cut, failed];
}

function compaction(entries: number, summary: string): AgentEvent {
  return { type: 'compaction', entries, summary, before: 100, after: 10 };
}

const undo: AgentEvent = { type: 'compaction-undo' };

function told(events: readonly AgentEvent[]): string[] {
  return turnsOf(events.reduce(foldTranscript, emptyTranscript)).map(textOf);
}

function textOf(turn: Turn): string {
  if (turn.type === 'user') return turn.text;
  if (turn.type === 'results') return turn.results.map(({ result }) => result).join();
  return turn.parts.map((part) => ('text' in part ? part.text : part.type)).join();
}

const talk = [...run('one', 'first'), ...run('two', 'second')];

describe('history', () => {
  const rows: { name: string; events: AgentEvent[]; expect: string[] }[] = [
    { name: 'is everything', events: talk, expect: ['one', 'first', 'two', 'second'] },
    {
      name: 'begins with the summary of what was summarized',
      events: [...talk, compaction(2, 'short'), ...run('three', 'third')],
      expect: ['short', 'two', 'second', 'three', 'third'],
    },
    {
      name: 'is everything again when that is taken back',
      events: [...talk, compaction(2, 'short'), undo],
      expect: ['one', 'first', 'two', 'second'],
    },
    {
      name: 'begins with the last of several summaries',
      events: [...talk, compaction(2, 'short'), compaction(3, 'shorter')],
      expect: ['shorter', 'second'],
    },
    {
      name: 'goes back to the summary before when the last is taken back',
      events: [...talk, compaction(2, 'short'), compaction(3, 'shorter'), undo],
      expect: ['short', 'two', 'second'],
    },
    {
      name: 'leaves out a reply that ended early if nothing followed',
      events: [...run('one', 'first'), ...broken('two', 'sec')],
      expect: ['one', 'first', 'two'],
    },
    {
      name: 'holds it where something was',
      events: [...broken('one', 'fir'), ...run('two', 'second')],
      expect: ['one', 'fir', 'two', 'second'],
    },
    {
      name: 'is not changed by an undo without a compaction',
      events: [...run('a', 'b'), undo],
      expect: ['a', 'b'],
    },
  ];
  for (const { name, events, expect } of rows) {
    it(name, () => assert.deepEqual(told(events), expect));
  }

  it('tells the model which files the user has restored', () => {
    const changes = [
      { path: '/w/a.txt', display: 'a.txt', before: 'aa', after: 'bb' },
      { path: '/w/b.txt', display: 'b.txt', before: 'aa', after: 'absent' },
    ];
    const [, , note] = told([...run('one', 'first'), { type: 'restore', entry: 0, changes }]);
    assert.match(note ?? '', /a\.txt, b\.txt\. Read them again/);
  });

  it('carries the attachments of a message, but not the missing ones', () => {
    const file = { type: 'text', source: 'file', label: 'a.ts', text: 'x' } as const;
    const missing = { type: 'missing', label: 'b.ts', problem: 'gone' } as const;
    const start: AgentEvent = { type: 'run-start', text: 'look', attachments: [file, missing], time: 0 };
    const [turn] = turnsOf([start].reduce(foldTranscript, emptyTranscript));
    assert.deepEqual(turn, { type: 'user', text: 'look', attachments: [file] });
  });
});

describe('transcript', () => {
  it('keeps what a call does to files, each change once', () => {
    const call = {
      id: 'c',
      name: 'edit',
      arguments: {},
      start: 0,
      end: 1,
      notes: [],
      mark: 'clean',
    } as const;
    const change = (path: string, before: string, after?: string): AgentEvent => ({
      type: 'file-change',
      callId: 'c',
      change: { path, display: path, before, ...(after !== undefined && { after }) },
    });
    const { entries } = [
      ...run('go', '').slice(0, 2),
      { type: 'call-end', index: 0, call } as const,
      { type: 'tool-start', callId: 'c', title: 'Edit' } as const,
      ...[
        change('a', '1'),
        change('a', '1', '2'),
        change('b', 'absent'),
        change('b', 'absent', '3'),
        change('a', '2'),
      ],
    ].reduce(foldTranscript, emptyTranscript);
    const reply = entries.at(-1);
    const part = reply?.type === 'reply' ? reply.parts.at(-1) : undefined;
    assert.ok(part?.type === 'call' && part.state.type === 'running');
    assert.deepEqual(part.state.changes, [
      { path: 'a', display: 'a', before: '1', after: '2' },
      { path: 'b', display: 'b', before: 'absent', after: '3' },
      { path: 'a', display: 'a', before: '2' },
    ]);
  });
});
