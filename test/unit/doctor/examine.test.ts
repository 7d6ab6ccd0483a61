import assert from 'node:assert/strict';
import type { Model, ModelDelta, ModelFailure } from '../../../src/core/words/model';
import {
  nextExam,
  ROUND,
  ROUNDS,
  standingsOf,
  taskOf,
  type Check,
  enteredIn,
} from '../../../src/doctor/contest';
import { estimateCost, examCost, sumOfCosts } from '../../../src/doctor/cost';
import { examine, requestsOf, type Examination, type ExaminationEnd } from '../../../src/doctor/examine';
import { Random } from '../../../src/doctor/random';
import { reportOf } from '../../../src/doctor/report';
import type { Contestant, Help } from '../../../src/doctor/take-exam';
import { caseCount } from '../../hosts/random-cases';
import { contestant, ExamModel, examRoom, tokensIn } from '../../support/agent/exam-model';

/** A few tools make it quick; whether the right ones are offered is a matter of the exams. */
const small = { ...examRoom, tools: examRoom.tools.filter(({ name }) => /^(read|write)_file$/.test(name)) };
const SEED = 5;

/** Protocols with the shares of exams that a model gets wrong in them. */
type Errors = Readonly<Record<string, number>>;

function examination(errors: Errors, run: number, more: Partial<Examination> = {}): Examination {
  const contestants = Object.keys(errors).map(contestant);
  const models = new Map(
    contestants.map(({ id, protocol }) => {
      const random = new Random(run, id);
      return [id, new ExamModel({ protocol, seed: SEED, errors: errors[id]!, random })];
    }),
  );
  return {
    contestants,
    helps: [],
    seed: SEED,
    mostRequests: 10_000,
    roomOf: ({ id }: Contestant) => ({ ...small, model: models.get(id)! }),
    ...more,
  };
}

interface Outcome {
  readonly checks: readonly Check[];
  readonly end: ExaminationEnd;
  readonly windows: readonly number[];
}

async function examined(
  asked: Examination,
  {
    done = [],
    signal = new AbortController().signal,
  }: { done?: readonly Check[]; signal?: AbortSignal } = {},
): Promise<Outcome> {
  const running = examine(asked, done, signal);
  const checks = [...done];
  const windows: number[] = [];
  for (;;) {
    const next = await running.next();
    if (next.done) return { checks, windows, end: next.value };
    checks.push(next.value.check);
    if (next.value.window !== undefined) windows.push(next.value.window);
  }
}

const best = ({ end }: Pick<Outcome, 'end'>): string | undefined =>
  end.type === 'best' ? end.contestant : undefined;

describe('an examination', function () {
  this.timeout(300_000);

  for (const errors of [
    { vcp: 0.1, hermes: 0.3, json: 0.5 },
    { vcp: 0.05, hermes: 0.5, json: 0.6, xml: 0.7 },
    { vcp: 0.2, hermes: 0.22, json: 0.4 },
    { vcp: 0.02, hermes: 0.12, json: 0.2, xml: 0.9 },
  ] satisfies readonly Errors[]) {
    it(`picks one of the best of ${JSON.stringify(errors)}, with fewer exams than all`, async () => {
      const least = Math.min(...Object.values(errors));
      const runs = caseCount(100);
      let right = 0;
      let taken = 0;
      for (let run = 0; run < runs; run++) {
        const outcome = await examined(examination(errors, run));
        const error = errors[(best(outcome) ?? '') as keyof typeof errors] ?? 1;
        if (error <= least + 0.05) right++;
        taken += outcome.checks.length;
      }
      assert.ok(right >= runs * 0.95, `${right} of ${runs}`);
      assert.ok(taken / runs < Object.keys(errors).length * ROUND * ROUNDS * 0.75, String(taken / runs));
    });
  }

  it('says after two rounds that no protocol works for a model that never calls', async () => {
    const { checks, end } = await examined(examination({ vcp: 1, hermes: 1, json: 1 }, 1));
    assert.equal(end.type, 'none-works');
    assert.equal(checks.length, 3 * 2 * ROUND);
  });

  it('says so too for a model that always says the same', async () => {
    const model: Model = { name: 'null', stream: () => said([{ type: 'text', text: 'I cannot.' }, END]) };
    const asked = examination({ vcp: 0, json: 0 }, 1, { roomOf: () => ({ ...small, model }) });
    const { checks, end } = await examined(asked);
    assert.equal(end.type, 'none-works');
    const plain = checks.filter(({ outcome }) => outcome === 'right').map(({ task }) => task);
    assert.deepEqual([...new Set(plain)], ['no-call', 'no-tool']);
  });

  it('costs about what was estimated', async () => {
    for (const errors of [
      { vcp: 0.1, hermes: 0.3 },
      { json: 0.05, xml: 0.2, vcp: 0.5 },
    ] satisfies Errors[]) {
      const asked = examination(errors, 2);
      const { checks } = await examined(asked);
      const { least, most } = estimateCost(asked.contestants, SEED, small);
      const estimated = sumOfCosts(
        checks.map((check) => examCost(contestant(check.contestant), SEED, check.number, small)),
      );
      const used = checks.reduce((sum, { inputTokens }) => sum + inputTokens, 0);
      assert.ok(Math.abs(estimated.inputTokens / used - 1) < 0.2, `${estimated.inputTokens} ${used}`);
      assert.ok(requestsOf(checks) >= least.requests * 0.8 && requestsOf(checks) <= most.requests);
    }
  });

  it('gives the same exams in the same order to all, each once', async () => {
    const { checks } = await examined(examination({ vcp: 0.3, hermes: 0.3 }, 3));
    const of = (id: string): readonly string[] =>
      checks.filter((check) => check.contestant === id).map(({ task, number }) => `${number} ${task}`);
    const [one, other] = [of('vcp'), of('hermes')];
    assert.deepEqual(one, [...new Set(one)]);
    const shared = Math.min(one.length, other.length);
    assert.deepEqual(one.slice(0, shared), other.slice(0, shared));
  });

  it('drops protocols that cannot win', async () => {
    const { checks } = await examined(examination({ vcp: 0.05, hermes: 0.1, json: 0.95 }, 4));
    const [, , last] = standingsOf(['vcp', 'hermes', 'json'].map(contestant), checks);
    assert.equal(last?.isOut, true);
    assert.equal(checks.filter(({ contestant: id }) => id === 'json').length, ROUND);
  });

  it('stops within a request and resumes there', async () => {
    const errors = { vcp: 0.1, hermes: 0.3, json: 0.5 };
    const whole = await examined(examination(errors, 6));
    const stop = new AbortController();
    let requests = 0;
    const asked = examination(errors, 6);
    const stopping: Examination = {
      ...asked,
      roomOf: (of) => {
        const { model, ...rest } = asked.roomOf(of);
        return {
          ...rest,
          model: {
            name: 'stopping',
            stream: (request, signal) => {
              if (++requests === 20) stop.abort();
              return model.stream(request, signal);
            },
          },
        };
      },
    };
    const first = await examined(stopping, { signal: stop.signal });
    assert.equal(first.end.type, 'stopped');
    assert.equal(requests, 20);
    assert.ok(first.checks.length > 5 && first.checks.length < whole.checks.length);
    const second = await examined(examination(errors, 6), { done: first.checks });
    assert.deepEqual(second.checks.slice(0, first.checks.length), first.checks);
    assert.equal(second.end.type, 'best');
  });

  it('ends at the request limit', async () => {
    const { checks, end } = await examined(examination({ vcp: 0.1, hermes: 0.2 }, 7, { mostRequests: 12 }));
    assert.equal(end.type, 'limit');
    assert.ok(requestsOf(checks) <= 12);
    assert.ok(checks.length > 4);
  });

  it('does not count network failures against the model, and gives up if they continue', async () => {
    const failure: ModelFailure = { code: 'rate-limited', message: 'Too many requests.' };
    let asked = 0;
    const failing = (every: number): Examination => {
      const own = examination({ vcp: 0, hermes: 0.6 }, 8);
      return {
        ...own,
        roomOf: (of) => {
          const inside = own.roomOf(of);
          const stream: Model['stream'] = (request, signal) =>
            ++asked % every === 0
              ? said([{ type: 'failure', failure }])
              : inside.model.stream(request, signal);
          return { ...inside, model: { name: 'failing', stream } };
        },
      };
    };
    const { checks, end } = await examined(failing(5));
    assert.equal(best({ end }), 'vcp');
    assert.ok(checks.every(({ contestant: id, outcome }) => id !== 'vcp' || outcome === 'right'));
    assert.deepEqual((await examined(failing(1))).end, { type: 'failed', failure });
  });

  it('leaves out what does not fit into the window', async () => {
    const failure: ModelFailure = { code: 'too-long', message: 'Too long.', figures: { window: 4_096 } };
    const own = examination({ vcp: 0 }, 9);
    const { checks, end, windows } = await examined({
      ...own,
      roomOf: (of) => {
        const inside = own.roomOf(of);
        const stream: Model['stream'] = (request, signal) =>
          tokensIn(JSON.stringify(request.messages)) > 5_000
            ? said([{ type: 'failure', failure }])
            : inside.model.stream(request, signal);
        return { ...inside, model: { name: 'small', stream } };
      },
    });
    assert.equal(best({ end }), 'vcp');
    for (const { task, outcome } of checks) assert.equal(outcome, task === 'long' ? 'skipped' : 'right');
    assert.ok(windows.every((window) => window === 4_096));
  });

  it('leaves out native calls if the server does not support them', async () => {
    const failure: ModelFailure = { code: 'no-tools', message: 'No tools.' };
    const own = examination({ native: 0, vcp: 0.1 }, 10);
    const { checks, end } = await examined({
      ...own,
      roomOf: (of) => {
        const inside = own.roomOf(of);
        const stream = (): AsyncIterable<ModelDelta> => said([{ type: 'failure', failure }]);
        return of.id === 'native' ? { ...inside, model: { name: 'plain', stream } } : inside;
      },
    });
    assert.equal(best({ end }), 'vcp');
    assert.equal(checks.filter(({ contestant: id }) => id === 'native').length, 1);
  });

  describe('of a model that does too little', () => {
    const errors = { vcp: 0.5, hermes: 0.95 };
    /** Fails fewer exams with this help. */
    const helpedBy = (help: Help | undefined, run: number): Examination => {
      const asked = examination(errors, run, { helps: ['short', 'example', 'cool'] });
      const random = new Random(run, 'helped');
      const { protocol } = contestant('vcp');
      const better = new ExamModel({ protocol, seed: SEED, errors: 0.02, random });
      return {
        ...asked,
        roomOf: (of) => {
          if (of.help !== undefined && of.help === help) return { ...small, model: better };
          return asked.roomOf(contestant(of.protocol.id));
        },
      };
    };

    it('finds the help that helps, and what to write for it', async () => {
      const asked = helpedBy('cool', 12);
      const { checks, end } = await examined(asked);
      assert.equal(best({ end }), 'vcp+cool');
      const entered = enteredIn(asked.contestants, asked.helps, checks);
      assert.deepEqual(
        entered.map(({ id }) => id),
        ['vcp', 'hermes', 'vcp+short', 'vcp+example', 'vcp+cool'],
      );
      const { settings } = reportOf(FACTS, entered, checks, end);
      assert.deepEqual(settings, { protocol: 'vcp', temperature: 0.2 });
      assert.ok(checks.every(({ contestant: id }) => !id.startsWith('hermes+')));
    });

    it('writes down a worked example that helps', async () => {
      const asked = helpedBy('example', 15);
      const { checks, end } = await examined(asked);
      assert.equal(best({ end }), 'vcp+example');
      const { settings } = reportOf(FACTS, enteredIn(asked.contestants, asked.helps, checks), checks, end);
      assert.deepEqual(settings, { protocol: 'vcp', prompt: 'example' });
    });

    it('gives no example if calls are not text', () => {
      const native = contestant('native');
      const checks = Array.from({ length: ROUND }, (_, number): Check => ({
        ...{ contestant: 'native', task: taskOf(number).id, number, form: 'clean' },
        ...{ outcome: number % 2 === 0 ? 'right' : 'wrong', requests: 1, inputTokens: 1, outputTokens: 1 },
      }));
      assert.deepEqual(
        enteredIn([native], ['short', 'example', 'cool'], checks).map(({ id }) => id),
        ['native', 'native+short', 'native+cool'],
      );
    });

    it('uses no help if nothing helps', async () => {
      const outcome = await examined(helpedBy(undefined, 13));
      assert.equal(best(outcome)?.startsWith('vcp'), true);
    });

    it('does not ask for help for one that does well', async () => {
      const { checks } = await examined(
        examination({ vcp: 0, hermes: 0.9 }, 14, { helps: ['short', 'cool'] }),
      );
      assert.deepEqual([...new Set(checks.map(({ contestant: id }) => id))], ['vcp', 'hermes']);
    });
  });

  it('has nothing left to ask when it is over', async () => {
    const asked = examination({ vcp: 0.1, hermes: 0.5 }, 11);
    const { checks, end } = await examined(asked);
    assert.deepEqual(nextExam(asked.contestants, checks), { type: 'end', end });
  });
});

const FACTS = {
  ...{ model: 'm', endpoint: '', server: '', parley: '0', time: '2026-01-01T00:00:00Z', seed: SEED },
  speed: {},
} as const;

const END: ModelDelta = { type: 'end', reason: 'stop' };

async function* said(deltas: readonly ModelDelta[]): AsyncGenerator<ModelDelta> {
  yield* deltas;
}
