import assert from 'node:assert/strict';
import { examJobs } from '../../../src/doctor/jobs';
import { outcomesOf, reportPage, reportText, totalsOf } from '../../../src/doctor/report-texts';
import { reportOf, rowOf, speedOf, timeoutsFrom, type ReportFacts } from '../../../src/doctor/report';
import type { Check } from '../../../src/doctor/contest';
import { waysFor } from '../../../src/doctor/ways';
import type { WorkCheck } from '../../../src/doctor/work-exam';
import type { WorkFindings } from '../../../src/doctor/work-report';
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

  it('recommends protocol, steps, tools and temperature by the work, and keeps what its fields mean', () => {
    const plain = { ...contestant('plain'), id: 'plain+forced', isForced: true };
    const ways = waysFor(
      [...CONTESTANTS, plain],
      [
        { protocol: 'json', steps: 'many' },
        { protocol: 'plain', steps: 'one' },
      ],
    );
    const jobs = examJobs.slice(0, 1);
    const done = (way: string, outcome: WorkCheck['outcome']): WorkCheck => ({
      ...{ way, job: jobs[0]!.name, outcome, requests: 4, inputTokens: 900, outputTokens: 100, ms: 9_400 },
    });
    const checks = [done('json, many', 'no-call'), done('plain+forced, one', 'solved')];
    const best = { type: 'best', contestant: 'json', right: 2, n: 2, isLikely: true } as const;
    const work: WorkFindings = { ways, jobs, checks, end: { type: 'done' } };
    const report = reportOf(FACTS, CONTESTANTS, CHECKS, best, {}, work);
    const together = { protocol: 'plain+forced', steps: 'one', tools: 'few', temperature: 0.2 } as const;
    assert.deepEqual(
      [report.recommended, report.settings, report.way],
      ['plain+forced', { protocol: 'plain', forcedForm: 'on', temperature: 0.2, steps: 'one' }, together],
    );
    const job = { job: jobs[0]!.name, requests: 4, tokens: 1_000, seconds: 9 };
    assert.deepEqual(report.work, [
      { protocol: 'json', steps: 'many', tools: 'all', outcome: 'no-call', ...job },
      { ...together, outcome: 'solved', ...job },
    ]);
    assert.match(report.why, /^"json" did 2 of 2 .* With "plain\+forced, one" it did 1 of 1 small jobs\.$/);
    assert.match(reportText(report), /^json, many calls, all tools +0 of 1 +no call, 9 s$/m);
    assert.match(
      reportPage([report]),
      /<td>plain\+forced, one call a step, few tools, temperature 0\.2<\/td><td>1 of 1<\/td>/,
    );
    const none = reportOf(FACTS, CONTESTANTS, CHECKS, best, {}, { ...work, checks: checks.slice(0, 1) });
    assert.deepEqual([none.recommended, none.settings, none.way], ['json', { protocol: 'json' }, undefined]);
    assert.match(none.why, /It did none of the small jobs\.$/);
  });

  for (const [name, checks, expected] of [
    [
      'right calls',
      [
        ['right', 'clean'],
        ['right', 'repaired'],
      ],
      { right: 2, wrong: 0, noCall: 0, malformed: 0 },
    ],
    ['a wrong argument', [['wrong', 'clean']], { right: 0, wrong: 1, noCall: 0, malformed: 0 }],
    [
      'no call',
      [
        ['wrong', 'none'],
        ['right', 'clean'],
      ],
      { right: 1, wrong: 0, noCall: 1, malformed: 0 },
    ],
    [
      'calls that cannot be read, or are of another form',
      [
        ['wrong', 'malformed'],
        ['wrong', 'recovered'],
      ],
      { right: 0, wrong: 0, noCall: 0, malformed: 2 },
    ],
  ] as const) {
    it(`tells ${name} apart`, () => {
      const taken = checks.map(([outcome, form], at) => check('vcp', at, { outcome, form }));
      const [row] = rowOf('vcp', 'text', taken);
      assert.deepEqual(outcomesOf(row!), expected);
    });
  }

  it('counts a call where none is needed as wrong, and no call as right', () => {
    const taken = [
      check('vcp', 0, { task: 'no-call', form: 'none' }),
      check('vcp', 1, { task: 'no-call', form: 'clean', outcome: 'wrong' }),
    ];
    const [row] = rowOf('vcp', 'no-call', taken);
    assert.deepEqual(outcomesOf(row!), { right: 1, wrong: 1, noCall: 0, malformed: 0 });
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
    assert.match(text, /^vcp .* 1\/2 \(1 malformed\) /m);
    assert.match(text, /^vcp .* skipped$/m);
    const page = reportPage([report]);
    assert.match(page, /<h2>&lt;m&gt;<\/h2>/);
    assert.match(page, /--share:0\.50/);
    assert.doesNotMatch(page, /<m>|All models/);
  });
});
