import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Model, ModelDelta } from '../../../src/core/words/model';
import type { RenderedPart } from '../../../src/core/words/protocol';
import type { RunSetup } from '../../../src/core/run/agent-options';
import { doJob, type JobDesk } from '../../../src/doctor/do-job';
import { countResults, emptyCart, examJobs, timeoutOfSection, type ExamJob } from '../../../src/doctor/jobs';
import { waysFor } from '../../../src/doctor/ways';
import {
  bestWay,
  examineWork,
  type JobDone,
  type WorkEnd,
  type WorkExam,
} from '../../../src/doctor/work-exam';
import { defaultConfig } from '../../../src/cli/built-in';
import { openScratchFolder } from '../../../src/node/scratch-folder';
import { findProtocol } from '../../../src/protocols';
import { contestant } from '../../support/agent/exam-model';

const protocol = findProtocol('native')!;
const signal = new AbortController().signal;
const call = (
  name: string,
  args: Extract<RenderedPart, { type: 'call' }>['call']['arguments'],
): RenderedPart => ({
  type: 'call',
  call: { id: 'c', name, arguments: args },
});
const say = (text: string): RenderedPart => ({ type: 'text', text });

const cart = '{ "customer": "c-3310", "currency": "CHF", "items": [], "total": 0 }';
const RIGHT: Readonly<Record<string, readonly RenderedPart[]>> = {
  [timeoutOfSection.name]: [
    call('edit_file', {
      path: 'conf/worker.ini',
      edits: [{ old: 'timeout = 30\nkeep_alive', new: 'timeout = 45\nkeep_alive' }],
    }),
    say('Done.'),
  ],
  [emptyCart.name]: [call('write_file', { path: 'fixtures/empty-cart.json', content: cart }), say('Done.')],
  [countResults.name]: [
    call('run_shell_command', { command: 'node test/all.js' }),
    say('9 passed, 14 failed'),
  ],
};

/** Says one part after the other. */
function playing(parts: readonly RenderedPart[]): Model {
  const left = [...parts];
  return {
    name: 'playing',
    async *stream(): AsyncGenerator<ModelDelta, void, undefined> {
      yield* protocol.renderReply([left.shift() ?? say('I am done.')]);
      yield { type: 'usage', usage: { inputTokens: 100, outputTokens: 10 } };
      yield { type: 'end', reason: 'stop' };
    },
  };
}

const failing: Model = {
  name: 'failing',
  async *stream(): AsyncGenerator<ModelDelta, void, undefined> {
    yield { type: 'failure', failure: { code: 'server-error', message: 'The server is out of order.' } };
  },
};

describe('a job of the doctor', function () {
  this.timeout(30_000);

  const desk = async (job: ExamJob, model: Model, rounds = 6): Promise<JobDesk> => {
    const { files, commands = [] } = job;
    const place = await openScratchFolder({ files, commands, stateFolder: state }, signal);
    const prepareRun = async (): Promise<RunSetup> => ({
      model: { client: model, window: { tokens: undefined, reply: 400, count: (text) => text.length / 4 } },
      prompt: { protocol, instructions: 'You are an agent.' },
      tools: { offer: place.tools, config: () => defaultConfig },
      limits: { rounds: () => rounds, budget: () => ({ tokens: 0, minutes: 0, cost: 0 }) },
    });
    return { place, prepareRun };
  };
  let state: string;
  before(async () => (state = await mkdtemp(path.join(tmpdir(), 'parley-doctor-state-'))));
  after(() => rm(state, { recursive: true, force: true }));

  for (const job of examJobs)
    it(`is solved: ${job.name}`, async () => {
      const { outcome, fault, requests, outputTokens } = await doJob(
        job,
        await desk(job, playing(RIGHT[job.name]!)),
        signal,
      );
      assert.deepEqual([outcome, fault, requests, outputTokens], ['solved', undefined, 2, 20]);
    });

  for (const [name, job, parts, expected] of [
    ['only claims it', timeoutOfSection, [say('The timeout is 45 now.')], 'no-call'],
    ['does something else', timeoutOfSection, [call('delete_path', { path: 'worker.py' })], 'wrong'],
    ['reads and stops', emptyCart, [call('read_file', { path: 'till.py' })], 'wrong'],
  ] as const)
    it(`is ${expected} if the model ${name}`, async () => {
      const { outcome, fault } = await doJob(job, await desk(job, playing(parts)), signal);
      assert.equal(outcome, expected);
      assert.match(fault ?? '', /\.$/);
    });

  it('is no failure of the model if the server fails', async () => {
    const { outcome, fault } = await doJob(emptyCart, await desk(emptyCart, failing), signal);
    assert.deepEqual([outcome, fault], ['failed', 'The server is out of order.']);
  });

  it('ends when it is stopped', async () => {
    const stop = new AbortController();
    const model: Model = {
      name: 'slow',
      async *stream(_request, stopped): AsyncGenerator<ModelDelta, void, undefined> {
        stop.abort();
        await new Promise<void>((resolve) => {
          if (stopped.aborted) resolve();
          else stopped.addEventListener('abort', () => resolve());
        });
      },
    };
    const { outcome } = await doJob(emptyCart, await desk(emptyCart, model), stop.signal);
    assert.equal(outcome, 'stopped');
  });

  const ways = waysFor(
    [contestant('native'), contestant('plain')],
    [
      { protocol: 'native', steps: 'many' },
      { protocol: 'plain', steps: 'one' },
    ],
  );
  let time = 0;
  const exam = (
    models: Readonly<Record<string, (job: ExamJob) => Model>>,
    more: Partial<WorkExam> = {},
  ): WorkExam => ({
    ...{ ways, jobs: examJobs, mostRequests: 400, deadline: Infinity, now: () => (time += 1_000) },
    open: (job, way, { rounds }) => desk(job, models[way.id]!(job), rounds),
    ...more,
  });
  const taken = async (
    work: WorkExam,
    done: JobDone['check'][] = [],
  ): Promise<{ readonly checks: readonly JobDone['check'][]; readonly end: WorkEnd }> => {
    const checks = [...done];
    const running = examineWork(work, done, signal);
    for (;;) {
      const next = await running.next();
      if (next.done) return { checks, end: next.value };
      checks.push(next.value.check);
    }
  };
  const able = ({ name }: ExamJob): Model => playing(RIGHT[name]!);
  const unable = (): Model => playing([]);

  it('is done in the second way only if the first does not solve all', async () => {
    const both = { 'native, many': able, 'plain, one': unable };
    const { checks, end } = await taken(exam(both));
    assert.deepEqual([checks.length, end.type], [3, 'done']);
    assert.equal(bestWay({ ways, jobs: examJobs }, checks)?.way.id, 'native, many');
    const other = await taken(exam({ 'native, many': unable, 'plain, one': able }));
    assert.equal(other.checks.length, 6);
    const best = bestWay({ ways, jobs: examJobs }, other.checks);
    assert.deepEqual([best?.way.id, best?.solved, best?.n], ['plain, one', 3, 3]);
  });

  it('recommends nothing if nothing is solved, and the first of equals', async () => {
    const none = await taken(exam({ 'native, many': unable, 'plain, one': unable }));
    assert.equal(bestWay({ ways, jobs: examJobs }, none.checks), undefined);
    const half = (job: ExamJob): Model => (job === emptyCart ? able(job) : unable());
    const equal = await taken(exam({ 'native, many': half, 'plain, one': half }));
    assert.equal(bestWay({ ways, jobs: examJobs }, equal.checks)?.way.id, 'native, many');
  });

  it('stops at the limit, when time is over or the server fails, and continues', async () => {
    const models = { 'native, many': able, 'plain, one': able };
    const limited = await taken(exam(models, { mostRequests: 5 }));
    assert.deepEqual([limited.checks.length, limited.end.type], [2, 'limit']);
    time = 0;
    const late = await taken(exam(models, { deadline: 3_500 }));
    assert.deepEqual([late.checks.length, late.end.type], [1, 'time']);
    const failed = await taken(exam({ 'native, many': () => failing }));
    assert.deepEqual(failed.end, { type: 'failed', message: 'The server is out of order.' });
    const rest = await taken(exam(models), [...limited.checks]);
    assert.deepEqual(
      [rest.checks.map(({ job }) => job), rest.end.type],
      [examJobs.map(({ name }) => name), 'done'],
    );
  });
});
