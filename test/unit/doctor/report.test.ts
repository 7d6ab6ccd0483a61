import assert from 'node:assert/strict';
import { reportOf, speedOf, timeoutsFrom, type ReportFacts } from '../../../src/doctor/report';
import { reportPage, reportText, totalsOf } from '../../../src/doctor/report-texts';
import type { Check } from '../../../src/doctor/contest';
import type { ExamReply } from '../../../src/doctor/take-exam';
import { contestant } from '../../support/agent/exam-model';

const reply = (firstMs: number, totalMs: number, input = 1_000, output = 50, cached = 0): ExamReply => ({
  deltas: [],
  timing: { firstMs, totalMs },
  usage: { inputTokens: input, outputTokens: output, cachedTokens: cached },
  hasReasoning: false,
});

describe('the speed of a server', () => {
  it('is that in the middle, in tokens a second', () => {
    const replies = [reply(1_000, 2_000), reply(2_000, 3_000), reply(500, 1_000)];
    assert.deepEqual(speedOf(replies), { prompt: 1_000, output: 50 });
  });

  it('leaves out what the server knew, and times too short to tell', () => {
    assert.deepEqual(speedOf([reply(1_000, 2_000, 1_000, 50, 900)]), { prompt: 100, output: 50 });
    assert.deepEqual(speedOf([reply(5, 20)]), {});
    assert.deepEqual(speedOf([]), {});
  });
});

describe('a time-out', () => {
  for (const [slowest, waited, advised] of [
    [10_000, 120, undefined],
    [59_000, 120, undefined],
    [61_000, 120, 244],
    [500_000, 0, undefined],
  ] as const) {
    it(`of ${waited} s is ${advised === undefined ? 'kept' : 'raised'} where the first word took ${slowest / 1000} s`, () => {
      const found = timeoutsFrom([reply(slowest, slowest + 1), reply(1, 2)], waited);
      assert.deepEqual(found, advised === undefined ? {} : { timeouts: { firstEvent: advised } });
    });
  }
});

const FACTS: ReportFacts = {
  ...{ model: '<m>', endpoint: 'http://127.0.0.1:1', server: 'llama.cpp b1', parley: '1', seed: 1 },
  ...{ time: '2026-01-01T00:00:00Z', window: 4_096, speed: { prompt: 100, output: 20 } },
};
const check = (id: string, number: number, more: Partial<Check> = {}): Check => ({
  ...{ contestant: id, task: 'text', number, outcome: 'right', form: 'clean' },
  ...{ requests: 1, inputTokens: 90, outputTokens: 10 },
  ...more,
});
const CHECKS: readonly Check[] = [
  check('vcp', 0),
  check('vcp', 1, { outcome: 'wrong', form: 'malformed' }),
  check('vcp', 2, { task: 'long', outcome: 'skipped', form: 'none' }),
  check('json', 0),
  check('json', 1, { form: 'repaired' }),
];
const CONTESTANTS = ['vcp', 'json', 'xml'].map(contestant);

describe('a report', () => {
  it('has a row for each protocol and task that was begun', () => {
    const { rows } = reportOf(FACTS, CONTESTANTS, CHECKS, { type: 'stopped' });
    const [text, long, json, ...others] = rows;
    assert.deepEqual(others, []);
    const { interval, ...counts } = text!;
    assert.deepEqual(counts, {
      ...{ protocol: 'vcp', task: 'text', n: 2, right: 1, tokens: 200 },
      ...{ clean: 1, repaired: 0, recovered: 0, malformed: 1, none: 0 },
    });
    assert.deepEqual(
      interval.map((share) => Math.round(share * 100)),
      [9, 91],
    );
    assert.deepEqual([long?.n, long?.skipped], [0, 1]);
    assert.deepEqual([json?.protocol, json?.right, json?.repaired], ['json', 2, 1]);
  });

  it('says where the examination stopped', () => {
    const why = (end: Parameters<typeof reportOf>[3]): string =>
      reportOf(FACTS, CONTESTANTS, CHECKS, end).why;
    assert.match(
      why({ type: 'stopped' }),
      /^It was stopped before one was best\. "json" is ahead with 2 of 2\.$/,
    );
    assert.match(why({ type: 'limit' }), /^The request limit was reached/);
    assert.match(why({ type: 'none-works' }), /^No protocol works/);
    const failure = { code: 'unauthorized', message: 'The key is wrong.' } as const;
    assert.match(why({ type: 'failed', failure }), /The key is wrong\. "json"/);
    const nothing = reportOf(FACTS, CONTESTANTS, [], { type: 'stopped' });
    assert.match(nothing.why, /Nothing was found/);
  });

  it('adds its findings to a recommendation, and nothing without one', () => {
    const best = { type: 'best', contestant: 'json', right: 2, n: 2, isLikely: false } as const;
    const found = { contextWindow: 8_192 };
    const { settings, why } = reportOf(FACTS, CONTESTANTS, CHECKS, best, found);
    assert.deepEqual(settings, { protocol: 'json', contextWindow: 8_192 });
    assert.match(why, /others may be as good/);
    assert.deepEqual(reportOf(FACTS, CONTESTANTS, CHECKS, { type: 'limit' }, found).settings, {});
  });

  it('is a table in the terminal and a page, the best first', () => {
    const report = reportOf(FACTS, CONTESTANTS, CHECKS, { type: 'stopped' });
    assert.deepEqual(
      totalsOf(report).map(({ protocol, right, n, clean, made }) => [protocol, right, n, clean, made]),
      [
        ['json', 2, 2, 1, 2],
        ['vcp', 1, 2, 1, 2],
      ],
    );
    const text = reportText(report);
    assert.match(
      text,
      /^<m>, at http:\/\/127\.0\.0\.1:1, llama\.cpp b1, reads 100 tokens a second, writes 20\n/,
    );
    assert.match(text, /^json +2 of 2 +34–100 % +4–100 % +1 of 2 +2\/2/m);
    assert.match(text, /^vcp .* skipped$/m);
    const page = reportPage([report]);
    assert.match(page, /<h2>&lt;m&gt;<\/h2>/);
    assert.match(page, /--share:0\.50/);
    assert.doesNotMatch(page, /<m>|All models/);
  });
});
