import { doJob, type JobDesk, type JobReply, type JobResult } from './do-job';
import type { ExamJob } from './jobs';
import type { Way } from './ways';

/** One job that was done in one way. */
export interface WorkCheck extends Omit<JobResult, 'outcome' | 'replies'> {
  /** Id of the way. */
  readonly way: string;
  /** Name of the job. */
  readonly job: string;
  readonly outcome: 'solved' | 'wrong' | 'no-call';
  readonly ms: number;
}

export interface WorkExam {
  /** The likeliest first. */
  readonly ways: readonly Way[];
  readonly jobs: readonly ExamJob[];
  /** Maximum of requests, including those of `done`. */
  readonly mostRequests: number;
  /** When to stop, as `now` says it. A job that would probably not end in time is not begun. */
  readonly deadline: number;
  /** In milliseconds. */
  readonly now: () => number;
  readonly open: (job: ExamJob, way: Way, limits: JobLimits, signal: AbortSignal) => Promise<JobDesk>;
}

export interface JobLimits {
  readonly rounds: number;
  readonly minutes: number;
}

export type WorkEnd =
  | { readonly type: 'done' }
  | { readonly type: 'limit' | 'time' | 'stopped' }
  /** The server or the network failed repeatedly. */
  | { readonly type: 'failed'; readonly message: string };

/** A job is over. */
export interface JobDone {
  readonly check: WorkCheck;
  readonly replies: readonly JobReply[];
}

/** A quick look ends after ten minutes. */
export const QUICK_LOOK_MS = 600_000;

/** Requests for one job; those that succeed take five. */
const MOST_ROUNDS = 12;
const MOST_MINUTES = 5;
/** How often to begin a job that a server or network failure interrupted. */
const TRIES = 2;

/**
 * Has a model do the jobs in each way. It ends early if one way solves all of them: a later one can be no better. It
 * can be stopped within a request, and continues from what is done.
 */
export async function* examineWork(
  exam: WorkExam,
  done: readonly WorkCheck[],
  signal: AbortSignal,
): AsyncGenerator<JobDone, WorkEnd, undefined> {
  const checks = [...done];
  for (let tries = 0; ;) {
    const next = nextJob(exam, checks);
    if (!next) return { type: 'done' };
    const { way, job } = next;
    const left = exam.mostRequests - checks.reduce((sum, { requests }) => sum + requests, 0);
    if (left < LEAST_REQUESTS) return { type: 'limit' };
    const start = exam.now();
    const longest = Math.max(0, ...checks.map(({ ms }) => ms));
    if (start + longest > exam.deadline) return { type: 'time' };
    if (signal.aborted) return { type: 'stopped' };
    const limits = {
      rounds: Math.min(MOST_ROUNDS, left),
      minutes: Math.min(MOST_MINUTES, (exam.deadline - start) / 60_000),
    };
    const desk = await exam.open(job, way, limits, signal);
    const { outcome, replies, ...result } = await doJob(job, desk, signal);
    if (outcome === 'stopped') return { type: 'stopped' };
    if (outcome === 'failed') {
      if (++tries === TRIES) return { type: 'failed', message: result.fault ?? '' };
      continue;
    }
    tries = 0;
    const check = { ...result, outcome, way: way.id, job: job.name, ms: exam.now() - start };
    checks.push(check);
    yield { check, replies };
  }
}

/** A job takes at least a look, an edit and an answer. */
const LEAST_REQUESTS = 3;

/** Nothing if no way can become better than the best. */
export function nextJob(
  { ways, jobs }: Pick<WorkExam, 'ways' | 'jobs'>,
  checks: readonly WorkCheck[],
): { readonly way: Way; readonly job: ExamJob } | undefined {
  for (const way of ways) {
    const own = checks.filter((check) => check.way === way.id);
    const job = jobs.find(({ name }) => own.every((check) => check.job !== name));
    if (job) return { way, job };
    if (own.every(({ outcome }) => outcome === 'solved')) return undefined;
  }
  return undefined;
}

/** What one way solved. */
export interface WayScore {
  readonly way: Way;
  readonly solved: number;
  readonly n: number;
}

export function scoresOf(ways: readonly Way[], checks: readonly WorkCheck[]): readonly WayScore[] {
  return ways.map((way) => {
    const own = checks.filter((check) => check.way === way.id);
    return { way, solved: own.filter(({ outcome }) => outcome === 'solved').length, n: own.length };
  });
}

/**
 * The way that solved most jobs, of those that did all of them; nothing if none solved any. Three jobs say little, so an
 * earlier way is left only for one that solved more.
 */
export function bestWay(
  { ways, jobs }: Pick<WorkExam, 'ways' | 'jobs'>,
  checks: readonly WorkCheck[],
): WayScore | undefined {
  const complete = scoresOf(ways, checks).filter(({ solved, n }) => n === jobs.length && solved > 0);
  const most = Math.max(...complete.map(({ solved }) => solved));
  return complete.find(({ solved }) => solved === most);
}
