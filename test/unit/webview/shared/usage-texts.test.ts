import assert from 'node:assert/strict';
import type { Usage } from '../../../../src/core/words/model';
import { emptyTranscript, type Entry } from '../../../../src/core/transcript/transcript';
import { runUsage } from '../../../../src/webview/chat/conversation/conversation';
import { dollarsText, paceTexts } from '../../../../src/webview/shared/usage-texts';
import { englishPage } from '../../../support/pages/english-page';

const user: Entry = { type: 'user', text: 'go', attachments: [] };
const stopped: Entry = { type: 'outcome', outcome: { type: 'aborted' } };

function reply(usage?: Usage): Entry {
  const entry = {
    type: 'reply',
    number: 0,
    round: 1,
    maxRounds: 50,
    protocol: 'vcp',
    parts: [],
    warnings: [],
    raw: '',
  } as const;
  return usage ? { ...entry, usage } : entry;
}

describe('usage of a run', () => {
  const used = { inputTokens: 10, outputTokens: 2, cost: 0.25 };
  it('counts what summaries have used, whichever model wrote them', () => {
    const usage = { inputTokens: 5, outputTokens: 1, cost: 0.5 };
    const summary: Entry = {
      ...{ type: 'compaction', entries: 0, summary: 'S', before: 9, after: 1, isUndone: false },
      ...{ writtenBy: 'small', usage },
    };
    assert.deepEqual(runUsage([user, summary, reply(used)], 2), {
      inputTokens: 15,
      outputTokens: 3,
      cost: 0.75,
    });
  });

  const entries = [user, reply(used), reply(used), reply(), stopped, user, reply(used), user, reply()];

  it('is the sum of its replies, at its end', () => {
    assert.deepEqual(
      entries.map((_, index) => runUsage(entries, index)),
      [
        ...Array<undefined>(4).fill(undefined),
        { inputTokens: 20, outputTokens: 4, cost: 0.5 },
        undefined,
        used,
        undefined,
        undefined,
      ],
    );
  });

  it('counts what a sub-agent has used', () => {
    const call = {
      id: 'c',
      name: 'call_sub_agent',
      arguments: {},
      start: 0,
      end: 0,
      notes: [],
      mark: 'clean',
    } as const;
    const subAgent = { ...emptyTranscript, entries: [user, reply(used), reply(used)] };
    const state = { type: 'running', call, title: '', output: '', subAgent } as const;
    const part = { type: 'call', index: 0, name: call.name, draft: [], state } as const;
    const caller: Entry = {
      type: 'reply',
      number: 0,
      round: 1,
      maxRounds: 50,
      protocol: 'vcp',
      parts: [part],
      warnings: [],
      raw: '',
      usage: used,
    };
    assert.deepEqual(runUsage([user, caller], 1), { inputTokens: 30, outputTokens: 6, cost: 0.75 });
  });

  it('has no cost unless each reply has one', () => {
    const mixed = [user, reply(used), reply({ inputTokens: 1, outputTokens: 1 })];
    assert.deepEqual(runUsage(mixed, 2), { inputTokens: 11, outputTokens: 3 });
  });

  const rows: [number, string][] = [
    [0, '$0'],
    [0.0000001, '< $0.000001'],
    [0.0000012, '$0.0000012'],
    [0.00123, '$0.0012'],
    [0.352, '$0.35'],
    [0.5, '$0.5'],
    [3.5, '$3.50'],
    [1234.567, '$1234.57'],
  ];
  for (const [dollars, text] of rows) {
    it(`writes ${dollars} dollars as ${text}`, () => assert.equal(dollarsText(dollars), text));
  }
});

describe('pace of a reply', () => {
  englishPage();
  const usage = { inputTokens: 10, outputTokens: 200 };
  const rows = [
    {
      timing: { firstMs: 400, totalMs: 10_400 },
      usage,
      expect: ['first token after 400 ms', '20 per second'],
    },
    { timing: { firstMs: 7_000, totalMs: 7_100 }, usage, expect: ['first token after 7.0 s'] },
    { timing: { firstMs: 7_000, totalMs: 9_000 }, expect: ['first token after 7.0 s'] },
    { usage, expect: [] },
  ];
  for (const { expect, ...reply } of rows) {
    it(`is ${expect.join(', ') || 'nothing'}`, () => assert.deepEqual(paceTexts(reply), expect));
  }
});
