import assert from 'node:assert/strict';
import type { Model, ModelDelta, ModelFailure, ModelRequest } from '../../../src/core/words/model';
import { retryAfterMs } from '../../../src/models/exchange/endpoint-failure';
import { retrying, type RetryClock } from '../../../src/models/retrying';
import { native } from '../../../src/protocols/native/native';

const request: ModelRequest = native.request({ instructions: '', turns: [], tools: [] });

/** A clock that only advances with pauses, and records them. */
class TestClock implements RetryClock {
  readonly pauses: number[] = [];
  private time = 0;

  constructor(
    private readonly chance = 1,
    private readonly onPause: () => void = () => undefined,
  ) {}

  now(): number {
    return this.time;
  }

  random(): number {
    return this.chance;
  }

  async pause(ms: number): Promise<void> {
    this.pauses.push(ms);
    this.time += ms;
    this.onPause();
  }
}

function busy(afterMs?: number): ModelDelta {
  const retry = { what: 'The server is busy', ...(afterMs !== undefined && { afterMs }) };
  return { type: 'failure', failure: { code: 'rate-limited', message: 'Busy. Send it again.', retry } };
}
const refused: ModelDelta = { type: 'failure', failure: { code: 'rejected', message: 'No.' } };
const answer: ModelDelta[] = [
  { type: 'text', text: 'hi' },
  { type: 'end', reason: 'stop' },
];

interface Asked {
  readonly deltas: readonly ModelDelta[];
  /** How often the model was asked. */
  readonly tries: number;
  readonly pauses: readonly number[];
  readonly failure: ModelFailure | undefined;
}

/** The output if the model gives these replies one after another and then repeats the last. */
async function ask(
  replies: readonly (readonly ModelDelta[])[],
  clock = new TestClock(),
  signal = new AbortController().signal,
): Promise<Asked> {
  let tries = 0;
  const model: Model = {
    name: 'test',
    async *stream() {
      tries++;
      yield* replies[tries - 1] ?? replies.at(-1) ?? [];
    },
  };
  const deltas: ModelDelta[] = [];
  for await (const delta of retrying(model, clock).stream(request, signal)) deltas.push(delta);
  const last = deltas.at(-1);
  const failure = last?.type === 'failure' ? last.failure : undefined;
  return { deltas, tries, pauses: clock.pauses, failure };
}

describe('retrying', () => {
  it('G32.backoff: tries five times, with pauses that double', async () => {
    const { tries, pauses, failure } = await ask([[busy()]]);
    assert.equal(tries, 5);
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000]);
    assert.equal(failure?.message, 'Busy. Send it again.');
  });

  it('G32.jitter: takes each pause from its whole range', async () => {
    assert.deepEqual((await ask([[busy()]], new TestClock(0))).pauses, [0, 0, 0, 0]);
    assert.deepEqual((await ask([[busy()]], new TestClock(0.5))).pauses, [500, 1_000, 2_000, 4_000]);
  });

  it('G32.visible: says what happened and what comes, and then passes on the reply', async () => {
    const { deltas } = await ask([[busy(3_200)], answer]);
    const message = 'The server is busy. Trying again in 4 s (2 of 5).';
    assert.deepEqual(deltas, [{ type: 'retry', attempt: 2, of: 5, waitMs: 3_200, message }, ...answer]);
  });

  it('G32.retry-after: waits as long as the endpoint asks', async () => {
    assert.deepEqual((await ask([[busy(120_000)], answer])).pauses, [120_000]);
  });

  it('G32.retry-after: does not wait longer than two minutes, and says how long it would be', async () => {
    const { tries, pauses, failure } = await ask([[busy(121_000)], answer]);
    assert.equal(tries, 1);
    assert.deepEqual(pauses, []);
    assert.equal(
      failure?.message,
      'The server is busy and asks to wait 3 minutes. Send the message again then.',
    );
    assert.match((await ask([[busy(9_000_000)]])).failure?.message ?? '', /wait 3 hours\./);
    assert.match((await ask([[busy(900_000_000)]])).failure?.message ?? '', /wait 11 days\./);
  });

  it('G32.total: ends after ten minutes in all', async () => {
    const slow: Model = {
      name: 'slow',
      async *stream() {
        await clock.pause(298_000);
        yield busy(2_000);
      },
    };
    const clock = new TestClock();
    const deltas: ModelDelta[] = [];
    for await (const delta of retrying(slow, clock).stream(request, new AbortController().signal))
      deltas.push(delta);
    // 298 + 2 + 298 s leave room for one pause of 2 s.
    assert.deepEqual(
      deltas.map(({ type }) => type),
      ['retry', 'retry', 'failure'],
    );
  });

  it('makes no more tries than the failure says', async () => {
    const twice: ModelDelta = {
      type: 'failure',
      failure: { code: 'timed-out', message: 'Silent.', retry: { what: 'It was silent', tries: 2 } },
    };
    const { tries, deltas } = await ask([[twice]]);
    assert.equal(tries, 2);
    assert.deepEqual(deltas, [
      {
        type: 'retry',
        attempt: 2,
        of: 2,
        waitMs: 1_000,
        message: 'It was silent. Trying again in 1 s (2 of 2).',
      },
      twice,
    ]);
  });

  function notReady(stage: 'loading' | 'busy', seconds: number, afterMs?: number): ModelDelta {
    const waiting = { stage, withinMs: seconds * 1000 };
    const retry = { what: 'It loads', waiting, ...(afterMs !== undefined && { afterMs }) };
    return { type: 'failure', failure: { code: 'server-error', message: 'It loads.', retry } };
  }

  it('asks a server that loads until it is ready, says so once, and counts no try', async () => {
    const loading = Array.from({ length: 200 }, () => [notReady('loading', 1_200)]);
    const { deltas, tries, pauses } = await ask([...loading, [busy()], [busy()], answer]);
    assert.equal(tries, 203);
    assert.equal(pauses.length, 202);
    assert.ok(pauses.slice(0, 200).every((ms) => ms === 5_000));
    assert.deepEqual(
      deltas.map((delta) => (delta.type === 'retry' ? `retry ${delta.attempt}` : delta.type)),
      ['progress', 'retry 2', 'retry 3', 'text', 'end'],
    );
    assert.deepEqual(deltas[0], { type: 'progress', stage: 'loading' });
  });

  it('gives a server up that is not ready in time, and never one that may take for ever', async () => {
    const { pauses, failure } = await ask([[notReady('loading', 12)]]);
    assert.deepEqual(pauses, [5_000, 5_000, 2_000]);
    assert.equal(failure?.message, 'It loads.');
    const forEver = Array.from({ length: 5_000 }, () => [notReady('busy', Infinity)]);
    assert.deepEqual((await ask([...forEver, answer])).deltas.slice(1), answer);
  });

  it('waits as long as a server asks that is not ready, within reason', async () => {
    assert.deepEqual((await ask([[notReady('loading', 600, 20_000)], answer])).pauses, [20_000]);
    assert.deepEqual((await ask([[notReady('loading', 600, 200_000)], answer])).pauses, [30_000]);
  });

  it('does not treat signs of life as part of the reply', async () => {
    const taken: ModelDelta = { type: 'progress', stage: 'taken' };
    const { tries, deltas } = await ask([[taken, busy()], answer]);
    assert.equal(tries, 2);
    assert.deepEqual(
      deltas.map(({ type }) => type),
      ['progress', 'retry', 'text', 'end'],
    );
  });

  it('G32.unchanged: repeats nothing that would fail again', async () => {
    const { tries, deltas } = await ask([[refused], answer]);
    assert.equal(tries, 1);
    assert.deepEqual(deltas, [refused]);
  });

  for (const begun of [
    { type: 'text', text: 'half' },
    { type: 'reasoning', text: 'hm' },
    { type: 'tool-call', index: 0, name: 'a' },
  ] as const) {
    it(`G32.begun: repeats nothing after ${begun.type} has arrived`, async () => {
      const { tries, deltas } = await ask([[begun, busy()], answer]);
      assert.equal(tries, 1);
      assert.deepEqual(deltas, [begun, busy()]);
    });
  }

  it('G32.abort: ends in the pause, without another try and without a failure', async () => {
    const stop = new AbortController();
    const clock = new TestClock(1, () => stop.abort());
    const { tries, deltas } = await ask([[busy()], answer], clock, stop.signal);
    assert.equal(tries, 1);
    assert.deepEqual(
      deltas.map(({ type }) => type),
      ['retry'],
    );
  });

  it('G32.abort: a real pause ends with the signal', async () => {
    const stop = new AbortController();
    const model: Model = {
      name: 'busy',
      async *stream() {
        yield busy(100_000);
      },
    };
    const seen: string[] = [];
    for await (const { type } of retrying(model).stream(request, stop.signal)) {
      seen.push(type);
      setImmediate(() => stop.abort());
    }
    assert.deepEqual(seen, ['retry']);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const rows: [Record<string, string>, number | undefined][] = [
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': ' 0 ' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ];
  for (const [headers, expected] of rows) {
    it(`reads ${JSON.stringify(headers)}`, () => {
      assert.equal(retryAfterMs(new Headers(headers), now), expected);
    });
  }

  it('waits for a server that loads, also if its form was asked about before', async () => {
    const loading: ModelDelta = {
      type: 'failure',
      failure: {
        code: 'server-error',
        message: 'Loading.',
        retry: { what: 'It loads', waiting: { stage: 'loading', withinMs: 60_000 } },
      },
    };
    const before: readonly ModelDelta[] = [
      { type: 'unforced', message: 'Not enforced.' },
      { type: 'notice', code: 'x', message: 'Said.' },
      { type: 'progress', stage: 'busy' },
    ];
    const { deltas, tries, failure } = await ask([[...before, loading], [loading], answer]);
    assert.equal(failure, undefined);
    assert.equal(tries, 3);
    assert.deepEqual(deltas, [...before, { type: 'progress', stage: 'loading' }, ...answer]);
  });
});
