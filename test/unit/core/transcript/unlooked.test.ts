import { equal } from 'node:assert/strict';
import { foldEvents } from '../../../../src/core/transcript/fold-events';
import { emptyTranscript } from '../../../../src/core/transcript/transcript';
import { isUnlooked } from '../../../../src/core/transcript/unlooked';
import type { AgentEvent } from '../../../../src/core/words/events';
import { replyEnd, roundStart, runStart, toolCall, toolEnd } from '../../../support/agent/chat-events';

const size = { total: 900, tools: 300, fixed: 400, raw: 900, isRough: false };
const offered: AgentEvent = { ...roundStart, size, window: 8_000 };
const says: AgentEvent = { type: 'text', text: 'It is fine.' };
const call = toolCall('read_file', { path: 'a.ts' });
const looked: AgentEvent[] = [
  offered,
  { type: 'call-end', index: 0, call },
  replyEnd,
  toolEnd(call, 'success', 'text'),
];

describe('unlooked', () => {
  const rows: readonly [name: string, message: string, events: readonly AgentEvent[], is: boolean][] = [
    ['a path', 'Is src/a.ts right?', [offered, says, replyEnd], true],
    ['a name in back ticks', 'What does `parse` do?', [offered, says, replyEnd], true],
    ['a mention', 'Explain @file:a.ts', [offered, says, replyEnd], true],
    ['nothing to look at', 'What is a closure?', [offered, says, replyEnd], false],
    ['no tools', 'Is src/a.ts right?', [roundStart, says, replyEnd], false],
    ['a call before the answer', 'Is src/a.ts right?', [...looked, offered, says, replyEnd], false],
    [
      'a reply that was cut off',
      'Is src/a.ts right?',
      [offered, says, { ...replyEnd, reason: 'length' }],
      false,
    ],
    ['a reply that goes on', 'Is src/a.ts right?', [offered, says], false],
  ];
  for (const [name, message, events, is] of rows)
    it(`${is ? 'notices' : 'ignores'} an answer to a message with ${name}`, () => {
      const { entries } = foldEvents([runStart(message), ...events], emptyTranscript);
      equal(isUnlooked(entries, entries.length - 1), is);
    });
});
