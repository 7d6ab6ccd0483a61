import assert from 'node:assert/strict';
import { activityOf, type Activity } from '../../../../src/core/transcript/activity';
import { foldEvents } from '../../../../src/core/transcript/fold-events';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { ToolCall } from '../../../../src/core/words/messages';
import {
  runWithWaitingCall,
  replyEnd,
  roundStart,
  runStart,
  toolCall,
} from '../../../support/agent/chat-events';

const edit: ToolCall = { ...toolCall('edit_file', { path: 'a' }), id: 'c1' };
const read: ToolCall = { ...toolCall('read_file', { path: 'b' }), id: 'c2' };
const start = [runStart('go'), roundStart];
const replied: readonly AgentEvent[] = [
  ...start,
  { type: 'call-end', index: 0, call: edit },
  { type: 'call-end', index: 1, call: read },
  replyEnd,
];
const started = ({ id }: ToolCall): AgentEvent => ({ type: 'tool-start', callId: id, title: 'Do it' });
const waits = runWithWaitingCall(edit).at(-1);
assert.ok(waits);

const rows: readonly { name: string; events: readonly AgentEvent[]; expect: Activity }[] = [
  { name: 'before the first message', events: [], expect: { type: 'idle' } },
  { name: 'while the model answers', events: start, expect: { type: 'reply' } },
  {
    name: 'while two of them run',
    events: [...replied, started(edit), started(read)],
    expect: { type: 'calls', names: ['edit_file', 'read_file'] },
  },
  {
    name: 'while one call waits and another runs',
    events: [...replied, started(read), waits],
    expect: { type: 'waiting', calls: 1 },
  },
  {
    name: 'while a call asks, too',
    events: [
      ...replied,
      waits,
      started(read),
      { type: 'question', callId: read.id, question: 'Which?', options: [] },
    ],
    expect: { type: 'waiting', calls: 2 },
  },
  {
    name: 'while an agent inside a call waits',
    events: [
      ...replied,
      started(read),
      ...[...replied, waits].map((event): AgentEvent => ({ type: 'sub-agent', callId: read.id, event })),
    ],
    expect: { type: 'waiting', calls: 1 },
  },
  {
    name: 'while older messages are summarized',
    events: [...start, { type: 'compaction-start' }],
    expect: { type: 'summarizing' },
  },
  {
    name: 'after the end',
    events: [...replied, waits, { type: 'run-end', outcome: { type: 'aborted' } }],
    expect: { type: 'idle' },
  },
];

describe('activity', () => {
  for (const { name, events, expect } of rows) {
    it(`is ${expect.type} ${name}`, () => assert.deepEqual(activityOf(foldEvents(events)), expect));
  }
});
