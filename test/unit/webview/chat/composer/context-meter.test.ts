import assert from 'node:assert/strict';
import { foldEvents } from '../../../../../src/core/transcript/fold-events';
import type { AgentEvent } from '../../../../../src/core/words/events';
import { shortTokens } from '../../../../../src/base/short-tokens';
import { contextUse } from '../../../../../src/webview/chat/composer/context-meter';
import { replyEnd, roundStart, runStart } from '../../../../support/agent/chat-events';

const size = { total: 900, tools: 300, fixed: 400, raw: 900, isRough: false };
const asked: readonly AgentEvent[] = [runStart('go'), { ...roundStart, size, window: 8_000 }];
const counted: AgentEvent = { ...replyEnd, usage: { inputTokens: 1_000, outputTokens: 50 } };
const end: AgentEvent = { type: 'run-end', outcome: { type: 'done' } };
const compaction: AgentEvent = { type: 'compaction', entries: 1, summary: 's', before: 600, after: 80 };
const dropped: AgentEvent = {
  type: 'warning',
  diagnostic: {
    ...{ code: 'tools-not-in-template', level: 'warning', message: 'Dropped.', hint: '' },
    ...{ start: 0, end: 0 },
  },
};

/** Twice as many tokens as were estimated. */
const parts = {
  ...{ instructions: 50, tools: 150, conversation: 250, areToolsApart: false },
  shares: { definitions: 60, list: 40, calls: 25, results: 200 },
};
const divided: AgentEvent = { ...roundStart, size: { ...size, parts }, window: 8_000 };

describe('context use', () => {
  const known = { tools: 300, instructions: 100, window: 8_000 };
  const rows: { name: string; events: readonly AgentEvent[]; expect: object | undefined }[] = [
    { name: 'is unknown before the first request', events: [runStart('go')], expect: undefined },
    { name: 'is what was expected of a request', events: asked, expect: { ...known, used: 900 } },
    {
      name: 'is what the server has counted, answer included',
      events: [...asked, counted, end],
      expect: { ...known, used: 1_050 },
    },
    {
      name: 'is less once older messages are a summary',
      events: [...asked, counted, end, compaction],
      expect: { ...known, used: 480 },
    },
    {
      name: 'says what tools and conversation are made of, the answer being one of the messages',
      events: [runStart('go'), divided, counted],
      expect: {
        ...{ ...known, used: 1_050 },
        shares: { definitions: 120, list: 80, form: 100, messages: 110, calls: 60, results: 480 },
      },
    },
    {
      name: 'knows no form of calls where the API has its own',
      events: [
        runStart('go'),
        { ...roundStart, size: { ...size, parts: { ...parts, areToolsApart: true } }, window: 8_000 },
      ],
      expect: {
        ...{ ...known, used: 900 },
        shares: { definitions: 220, list: 80, form: 0, messages: 50, calls: 50, results: 400 },
      },
    },
    {
      name: 'is divided no more once older messages are a summary',
      events: [runStart('go'), divided, counted, end, compaction],
      expect: { ...known, used: 480 },
    },
    {
      name: 'has no tools where the template of the model drops them',
      events: [runStart('go'), divided, dropped, counted],
      expect: {
        ...{ used: 1_050, tools: 0, instructions: 100, window: 8_000 },
        shares: { definitions: 0, list: 0, form: 0, messages: 140, calls: 90, results: 720 },
      },
    },
    {
      name: 'is as before when that is taken back',
      events: [...asked, counted, end, compaction, { type: 'compaction-undo' }],
      expect: { ...known, used: 1_050 },
    },
    {
      name: 'is that of what is left when the user goes back',
      events: [
        ...asked,
        end,
        runStart('more'),
        { ...roundStart, size: { ...size, total: 5_000 } },
        end,
        { type: 'rewind', entry: 2 },
      ],
      expect: { ...known, used: 900 },
    },
    {
      name: 'never says that its parts are more than all of it',
      events: [...asked, { ...replyEnd, usage: { inputTokens: 350, outputTokens: 0 } }],
      expect: { used: 350, tools: 300, instructions: 50, window: 8_000 },
    },
  ];
  for (const { name, events, expect } of rows) {
    it(name, () => assert.deepEqual(contextUse(foldEvents(events)), expect));
  }

  for (const [tokens, text] of [
    [0, '0'],
    [999, '999'],
    [1_000, '1k'],
    [12_345, '12.3k'],
    [99_960, '100k'],
    [128_000, '128k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [1_048_576, '1M'],
    [1_150_000, '1.1M'],
  ] as const) {
    it(`is written as ${text} for ${tokens}`, () => assert.equal(shortTokens(tokens), text));
  }
});
