import assert from 'node:assert/strict';
import { foldEvents } from '../../../../src/core/transcript/fold-events';
import { pausedAt, type Pause } from '../../../../src/core/transcript/history';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { RunOutcome } from '../../../../src/core/words/outcome';
import { replyEnd, roundStart, runStart } from '../../../support/agent/chat-events';

const resume: AgentEvent = { type: 'run-resume', time: 0 };
const restore: AgentEvent = { type: 'restore', entry: 0, changes: [] };
const compaction: AgentEvent = { type: 'compaction', entries: 1, summary: 'Short.', before: 9, after: 5 };
const budget = { type: 'budget', message: 'Paused.', canContinue: true } as const;
const tooLong = { ...budget, compactFirst: true } as const;
const failed = { type: 'failed', message: 'There is nothing to summarize.' } as const;

function end(outcome: RunOutcome): AgentEvent {
  return { type: 'run-end', outcome };
}

/** A message at 0, its reply at 1 and how that ended at 2. */
function run(outcome: RunOutcome): AgentEvent[] {
  return [runStart('go'), roundStart, { type: 'text', text: 'I am at it.' }, replyEnd, end(outcome)];
}

const compacted = [resume, compaction, end({ type: 'done' })];
const here: Pause = { entry: 2, compactFirst: false };
const hereInShort: Pause = { entry: 2, compactFirst: true };

const rows: { name: string; events: readonly AgentEvent[]; expect: Pause | undefined }[] = [
  { name: 'is where a budget ended the run', events: run(budget), expect: here },
  { name: 'says that the history is too long', events: run(tooLong), expect: hereInShort },
  { name: 'outlasts a summary', events: [...run(budget), ...compacted], expect: here },
  { name: 'outlasts a restore', events: [...run(budget), restore], expect: here },
  { name: 'outlasts both', events: [...run(budget), restore, ...compacted, restore], expect: here },
  {
    name: 'outlasts a summary that is stopped',
    events: [...run(budget), resume, { type: 'compaction-start' }, end({ type: 'aborted' })],
    expect: here,
  },
  {
    name: 'outlasts a run that ends before it has begun',
    events: [...run(budget), resume, end(failed)],
    expect: here,
  },
  {
    name: 'needs no second summary if the user made one',
    events: [...run(tooLong), ...compacted],
    expect: here,
  },
  {
    name: 'needs one again if it was undone',
    events: [...run(tooLong), ...compacted, { type: 'compaction-undo' }],
    expect: hereInShort,
  },
  {
    name: 'needs one if only an older one remains',
    events: [compaction, ...run(tooLong), ...compacted, { type: 'compaction-undo' }],
    expect: { entry: 3, compactFirst: true },
  },
  {
    name: 'is the latest one',
    events: [...run(budget), resume, end(tooLong)],
    expect: { entry: 3, compactFirst: true },
  },
  {
    name: 'is where the endpoint failed',
    events: run({ type: 'failed', message: 'No answer.', canContinue: true }),
    expect: { ...here, isAgain: true },
  },
  { name: 'does not exist while the run continues', events: [...run(budget), resume], expect: undefined },
  {
    name: 'does not exist once the run has continued',
    events: [...run(budget), ...run({ type: 'done' })],
    expect: undefined,
  },
  {
    name: 'does not exist once its next reply has failed',
    events: [...run(budget), resume, roundStart, end(failed)],
    expect: undefined,
  },
  {
    name: 'does not exist if the user went back',
    events: [...run(budget), { type: 'rewind', entry: 0 }],
    expect: undefined,
  },
  {
    name: 'does not exist if only a message continues',
    events: run({ type: 'budget', message: 'The reply reached the output limit.' }),
    expect: undefined,
  },
  {
    name: 'is undefined after an answer',
    events: [...run({ type: 'done' }), ...compacted],
    expect: undefined,
  },
  { name: 'does not exist at the beginning', events: [], expect: undefined },
];

describe('a pause', () => {
  for (const { name, events, expect } of rows) {
    it(name, () => assert.deepEqual(pausedAt(foldEvents(events)), expect));
  }
});
