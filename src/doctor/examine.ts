import type { ModelFailure } from '../core/words/model';
import { type Check, type ContestEnd, nextExamOrHelp } from './contest';
import { Random } from './random';
import { takeExam, type Contestant, type ExamResult, type ExamRoom, type Help } from './take-exam';

export interface Examination {
  readonly contestants: readonly Contestant[];
  /** Kinds of help that the best one tries if it is not good enough. */
  readonly helps: readonly Help[];
  /** The same seed gives the same exams. */
  readonly seed: number;
  /** Maximum of requests for all exams together, including `done`. */
  readonly mostRequests: number;
  readonly roomOf: (contestant: Contestant) => ExamRoom;
}

/** An exam is over. `result` is absent if it was skipped or refused. */
interface ExamTaken {
  readonly check: Check;
  readonly result?: ExamResult;
  /** The model's window in tokens, as the server reported it. */
  readonly window?: number;
}

export type ExaminationEnd =
  | ContestEnd
  | { readonly type: 'limit' }
  | { readonly type: 'stopped' }
  /** The server or the network failed repeatedly. */
  | { readonly type: 'failed'; readonly failure: ModelFailure };

/** How often to try an exam that a server or network failure interrupted. */
const TRIES = 2;

/**
 * Lets the contestants take exams until the best is known. It can be stopped within a request, and continues from the
 * checks so far.
 */
export async function* examine(
  { contestants, helps, seed, mostRequests, roomOf }: Examination,
  done: readonly Check[],
  signal: AbortSignal,
): AsyncGenerator<ExamTaken, ExaminationEnd, undefined> {
  const checks = [...done];
  for (let tries = 0; ;) {
    const next = nextExamOrHelp(contestants, helps, checks);
    if (next.type === 'end') return next.end;
    const { contestant, task, number } = next;
    const exam = task.make(new Random(seed, number), contestant.protocol);
    if (requestsOf(checks) + exam.steps.length > mostRequests) return { type: 'limit' };
    if (signal.aborted) return { type: 'stopped' };
    const outcome = await takeExam(exam, contestant, roomOf(contestant), signal);
    if (outcome.type === 'stopped') return outcome;
    const isRefusal = outcome.type === 'failure' && outcome.failure.code === 'no-tools';
    if (outcome.type === 'failure' && !isRefusal) {
      if (!PASSING.has(outcome.failure.code) || ++tries === TRIES)
        return { type: 'failed', failure: outcome.failure };
      continue;
    }
    tries = 0;
    const of = { contestant: contestant.id, task: task.id, number };
    if (outcome.type !== 'result') {
      const check: Check = { ...of, ...NOTHING_SENT, outcome: isRefusal ? 'refused' : 'skipped' };
      checks.push(check);
      const window = outcome.type === 'skipped' ? outcome.window : undefined;
      yield { check, ...(window !== undefined && { window }) };
      continue;
    }
    const { isRight, form, usage, replies } = outcome;
    const { inputTokens, outputTokens } = usage;
    const spent = { requests: replies.length, inputTokens, outputTokens };
    const check: Check = { ...of, ...spent, form, outcome: isRight ? 'right' : 'wrong' };
    checks.push(check);
    yield { check, result: outcome };
  }
}

/** The same request may succeed a little later. */
const PASSING: ReadonlySet<ModelFailure['code']> = new Set([
  ...(['unreachable', 'rate-limited', 'server-error', 'not-a-stream', 'cut-off', 'timed-out'] as const),
]);

const NOTHING_SENT = { form: 'none', requests: 0, inputTokens: 0, outputTokens: 0 } as const;

export function requestsOf(checks: readonly Check[]): number {
  return checks.reduce((sum, { requests }) => sum + requests, 0);
}
