import assert from 'node:assert/strict';
import { foldEvents } from '../../../../../src/core/transcript/fold-events';
import type { AgentEvent } from '../../../../../src/core/words/events';
import {
  doingOf,
  numbersFor,
  type Doing,
  type Pace,
} from '../../../../../src/webview/shared/calls/run-status';
import { englishPage } from '../../../../support/pages/english-page';
import {
  runWithWaitingCall,
  replyEnd,
  roundStart,
  runStart,
  toolCall,
} from '../../../../support/agent/chat-events';

const begun = [runStart('go'), roundStart];
const call = toolCall('edit_file', { path: 'a' });
const written: AgentEvent = { type: 'text', text: 'x'.repeat(800) };
const reading: AgentEvent = {
  type: 'progress',
  stage: 'reading',
  prompt: { read: 1_230, all: 3_000, cached: 0 },
};
const retry: AgentEvent = { type: 'retry', attempt: 2, of: 5, waitMs: 900, message: 'Busy.' };
const counted: AgentEvent = { ...replyEnd, usage: { inputTokens: 1, outputTokens: 400 } };

function doing(events: readonly AgentEvent[]): Doing | undefined {
  return doingOf(foldEvents(events));
}

function numbers(events: readonly AgentEvent[], pace: Partial<Pace> = {}): string {
  const now = doing(events);
  assert.ok(now);
  return numbersFor(now, { elapsedMs: 0, silentMs: 0, ...pace }).join(' · ');
}

describe('what a run is doing', () => {
  englishPage();
  const rows: readonly (readonly [string, readonly AgentEvent[], Doing['type'] | undefined])[] = [
    ['nothing before it begins', [], undefined],
    ['asking before its first round', [runStart('go')], 'asking'],
    ['asking until something arrives', begun, 'asking'],
    ['asking while the server reads', [...begun, reading], 'asking'],
    ['retrying in between', [...begun, retry], 'retrying'],
    ['asking once the server does something again', [...begun, retry, reading], 'asking'],
    ['writing from the first piece on', [...begun, written], 'writing'],
    [
      'calling while a call runs',
      [
        ...begun,
        { type: 'call-end', index: 0, call },
        replyEnd,
        { type: 'tool-start', callId: call.id, title: '' },
      ],
      'calling',
    ],
    ['nothing while the user is asked', runWithWaitingCall(call), undefined],
    ['summarizing', [runStart('go'), { type: 'compaction-start' }], 'summarizing'],
    [
      'nothing at its end',
      [...begun, written, replyEnd, { type: 'run-end', outcome: { type: 'done' } }],
      undefined,
    ],
  ];
  for (const [name, events, type] of rows) {
    it(name, () => assert.equal(doing(events)?.type, type));
  }

  it('has the part of the prompt that was read, and the time', () => {
    assert.equal(numbers([...begun, reading], { elapsedMs: 12_400 }), '41 % · 12 s');
    assert.equal(numbers(begun, { elapsedMs: 125_000 }), '2 min 5 s');
    assert.equal(numbers(begun, { elapsedMs: 400 }), '');
  });

  it('has the tokens and the speed of a reply', () => {
    assert.equal(numbers([...begun, written], { elapsedMs: 10_000 }), 'about 200 tokens · 20 per second');
  });

  it('uses the characters per token of this model', () => {
    const events = [...begun, written, counted, roundStart, written];
    assert.equal(numbers(events, { elapsedMs: 10_000 }), 'about 400 tokens · 40 per second');
  });

  it('says that nothing comes any more', () => {
    const pace = { elapsedMs: 40_000, silentMs: 15_900 };
    assert.equal(numbers([...begun, written], pace), 'about 200 tokens · no output for 15 s');
  });
});
