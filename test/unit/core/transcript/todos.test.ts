import assert from 'node:assert/strict';
import type { Json } from '../../../../src/base/json';
import { foldTranscript } from '../../../../src/core/transcript/fold-transcript';
import { emptyTranscript } from '../../../../src/core/transcript/transcript';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { ToolResult } from '../../../../src/core/words/messages';

type Step = readonly [text: string, status: string];

/** The events of a run whose only call sets this list. */
function run(
  items: Json,
  { status = 'success', name = 'update_todos' }: { status?: ToolResult['status']; name?: string } = {},
): AgentEvent[] {
  const call = { id: 'c', name, arguments: { items }, start: 0, end: 1, notes: [], mark: 'clean' } as const;
  const result = { requestId: 'c', toolName: name, status, result: 'r', durationMs: 1 };
  return [
    { type: 'run-start', text: 'go', time: 0 },
    { type: 'round-start', round: 1, maxRounds: 50, protocol: 'native', model: 'm' },
    { type: 'call-end', index: 0, call },
    { type: 'reply-end', reason: 'stop', raw: '' },
    { type: 'tool-start', callId: 'c', title: 't' },
    { type: 'tool-end', callId: 'c', result },
    { type: 'run-end', outcome: { type: 'done' } },
  ];
}

function list(...steps: readonly Step[]): Json {
  return steps.map(([text, status]) => ({ text, status }));
}

function todos(events: readonly AgentEvent[]): string {
  return events
    .reduce(foldTranscript, emptyTranscript)
    .todos.map(({ text, status }) => `${text} ${status}`)
    .join(', ');
}

const first = run(list(['a', 'completed'], ['b', 'in_progress']));
const start: AgentEvent = { type: 'run-start', text: 'next', time: 0 };

describe('todo list', () => {
  for (const { name, events, expect } of [
    { name: 'is empty at first', events: [start], expect: '' },
    { name: 'is what the last call has set', events: first, expect: 'a completed, b in_progress' },
    {
      name: 'is replaced as a whole',
      events: [...first, ...run(list(['c', 'pending']))],
      expect: 'c pending',
    },
    { name: 'goes with an empty list', events: [...first, ...run([])], expect: '' },
    {
      name: 'does not change before the call has ended',
      events: [...first, ...run(list(['c', 'pending'])).slice(0, 5)],
      expect: 'a completed, b in_progress',
    },
    {
      name: 'does not change by a call that failed',
      events: [...first, ...run(list(['c', 'pending']), { status: 'error' })],
      expect: 'a completed, b in_progress',
    },
    {
      name: 'does not change by a call that was refused',
      events: [...first, ...run(list(['c', 'pending']), { status: 'denied' })],
      expect: 'a completed, b in_progress',
    },
    {
      name: 'does not change by another tool',
      events: [...first, ...run(list(['c', 'pending']), { name: 'mcp_x_todos' })],
      expect: 'a completed, b in_progress',
    },
    {
      name: 'does not change by items of another shape',
      events: [...first, ...run([{ text: 'c', status: 'done' }]), ...run('c'), ...run([1])],
      expect: 'a completed, b in_progress',
    },
    {
      name: 'stays for the next run while it is not done',
      events: [...first, start],
      expect: 'a completed, b in_progress',
    },
    {
      name: 'stays to be seen when all is done',
      events: run(list(['a', 'completed'])),
      expect: 'a completed',
    },
    {
      name: 'goes with the next message when all is done',
      events: [...run(list(['a', 'completed'])), start],
      expect: '',
    },
  ]) {
    it(name, () => assert.equal(todos(events), expect));
  }
});
