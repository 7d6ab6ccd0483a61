import type { Steps } from '../core/words/grammar';
import { COOL } from './exam-rooms';
import type { Contestant, ExamReply } from './take-exam';
import { standingsOf, tallyOf, type Check, type Standing } from './contest';
import type { ExaminationEnd } from './examine';
import { wilson, type Interval } from './statistics';
import { tasks, type TaskId } from './tasks';
import type { Way } from './ways';
import { bestWay } from './work-exam';
import {
  adviceFrom,
  workRows,
  workText,
  type WayAdvice,
  type WorkFindings,
  type WorkRow,
} from './work-report';

export const VERSION = 'parley-doctor/1';

/** The results of an examination, to be kept and compared. Contains no key and no text of a model. */
export interface DoctorReport {
  readonly version: typeof VERSION;
  readonly model: string;
  /** The origin of its address. */
  readonly endpoint: string;
  /** What the server reports about itself: `llama.cpp b9842`; empty if nothing. */
  readonly server: string;
  /** Parley's version. */
  readonly parley: string;
  /** When it ended, in ISO 8601. */
  readonly time: string;
  readonly seed: number;
  /** In tokens, if known. */
  readonly window?: number;
  readonly speed: Speed;
  readonly rows: readonly ReportRow[];
  /** The id of a contestant. */
  readonly recommended?: string;
  /** In a few sentences. */
  readonly why: string;
  /** Profile fields for the recommendation. */
  readonly settings: ProfileAdvice;
  /** The work exam: every job in every way that was tried. Absent if no job was begun. */
  readonly work?: readonly WorkRow[];
  /** What is recommended together after the work exam; absent if no way solved a job. */
  readonly way?: WayAdvice;
}

/** Tokens per second, median of all replies; only what could be measured. */
export interface Speed {
  readonly prompt?: number;
  readonly output?: number;
}

export interface ReportRow {
  /** The id of a contestant. */
  readonly protocol: string;
  readonly task: TaskId;
  /** Exams that were taken. */
  readonly n: number;
  readonly clean: number;
  readonly repaired: number;
  readonly recovered: number;
  readonly malformed: number;
  readonly none: number;
  readonly right: number;
  readonly interval: Interval;
  /** Input and output. */
  readonly tokens: number;
  /** Exams that did not fit into the window. */
  readonly skipped?: number;
}

export interface ProfileAdvice {
  readonly protocol?: string;
  readonly forcedForm?: 'on';
  readonly prompt?: 'short' | 'example';
  readonly temperature?: number;
  readonly steps?: Steps;
  /** The window that the server reported, and the wait for its first event in seconds. */
  readonly contextWindow?: number;
  readonly timeouts?: { readonly firstEvent: number };
  /** The endpoint requires reasoning in every message, or refuses it. */
  readonly reasoning?: 'echo' | 'drop';
}

/** Found during the exams, for a profile without these fields. */
export type FoundSettings = Pick<ProfileAdvice, 'contextWindow' | 'timeouts' | 'reasoning'>;

/** A first event later than this share of the timeout may miss it another time. */
const NEAR_TIMEOUT = 0.5;
const ROOM = 4;

/** How long to wait for the first event if the timeout is too short; `seconds` is the current timeout. */
export function timeoutsFrom(
  replies: readonly ExamReply[],
  seconds: number,
): Pick<FoundSettings, 'timeouts'> {
  const slowest = Math.max(0, ...replies.map(({ timing }) => timing.firstMs)) / 1000;
  return seconds > 0 && slowest > seconds * NEAR_TIMEOUT
    ? { timeouts: { firstEvent: Math.ceil(slowest * ROOM) } }
    : {};
}

/** Facts besides the exams. */
export type ReportFacts = Pick<
  DoctorReport,
  'model' | 'endpoint' | 'server' | 'parley' | 'time' | 'seed' | 'window' | 'speed'
>;

export function reportOf(
  facts: ReportFacts,
  contestants: readonly Contestant[],
  checks: readonly Check[],
  end: ReportEnd,
  found: FoundSettings = {},
  work?: WorkFindings,
): DoctorReport {
  const verdict = verdictOf(standingsOf(contestants, checks), end);
  const score = work && bestWay(work, work.checks);
  const recommended = score ? score.way.contestant : verdict.recommended;
  const best = contestants.find(({ id }) => id === verdict.recommended);
  const advice = score ? wayAdvice(score.way) : best && adviceOf(best);
  return {
    version: VERSION,
    ...facts,
    rows: contestants.flatMap(({ id }) => tasks.flatMap(({ id: task }) => rowOf(id, task, checks))),
    ...(recommended !== undefined && { recommended }),
    why: work ? workText(verdict.why, work, score) : verdict.why,
    settings: advice ? { ...advice, ...found } : {},
    ...(work && work.checks.length > 0 && { work: workRows(work) }),
    ...(score && { way: adviceFrom(score.way) }),
  };
}

/** How the examination ended; `quick`: only the work exam was taken. */
export type ReportEnd = ExaminationEnd | { readonly type: 'quick' };

function wayAdvice({ protocol, isForced, steps, temperature, promptForm }: Way): ProfileAdvice {
  return {
    protocol,
    ...(isForced && { forcedForm: 'on' }),
    ...((promptForm === 'short' || promptForm === 'example') && { prompt: promptForm }),
    ...(temperature !== undefined && { temperature }),
    steps,
  };
}

function adviceOf({ protocol, isForced, help }: Contestant): ProfileAdvice {
  return {
    protocol: protocol.id,
    ...(isForced && { forcedForm: 'on' }),
    ...((help === 'short' || help === 'example') && { prompt: help }),
    ...(help === 'cool' && { temperature: COOL }),
  };
}

/** The result at the end, or the intermediate state. */
function verdictOf(
  standings: readonly Standing[],
  end: ReportEnd,
): { readonly recommended?: string; readonly why: string } {
  switch (end.type) {
    case 'best': {
      const { right, n } = end;
      const why = end.isLikely
        ? `"${end.contestant}" did ${right} of ${n} tasks and is at least 90 % likely to be within five points of the best.`
        : `"${end.contestant}" did ${right} of ${n} tasks, the most; others may be as good.`;
      return { recommended: end.contestant, why };
    }
    case 'quick':
      return { why: 'It took a quick look.' };
    case 'none-works':
      return {
        why: 'No protocol works: hardly any call of the model is right. Try a larger or newer model.',
      };
    case 'limit':
      return { why: `The request limit was reached before one was best. ${leaderText(standings)}` };
    case 'stopped':
      return { why: `It was stopped before one was best. ${leaderText(standings)}` };
    case 'failed':
      return { why: `The server failed repeatedly: ${end.failure.message} ${leaderText(standings)}` };
  }
}

function leaderText(standings: readonly Standing[]): string {
  const [leader] = standings.filter(({ n }) => n > 0).toSorted((one, other) => other.chance - one.chance);
  return leader
    ? `"${leader.contestant}" is ahead with ${leader.right} of ${leader.n}.`
    : 'Nothing was found.';
}

/** Empty if no exam was started. */
export function rowOf(protocol: string, task: TaskId, checks: readonly Check[]): readonly ReportRow[] {
  const own = checks.filter((check) => check.contestant === protocol && check.task === task);
  const taken = own.filter(({ outcome }) => outcome === 'right' || outcome === 'wrong');
  const skipped = own.filter(({ outcome }) => outcome === 'skipped').length;
  if (taken.length === 0 && skipped === 0) return [];
  const count = (form: Check['form']): number => taken.filter((check) => check.form === form).length;
  const tally = tallyOf(protocol, own);
  return [
    {
      ...{ protocol, task, ...tally, interval: wilson(tally) },
      clean: count('clean'),
      repaired: count('repaired'),
      recovered: count('recovered'),
      malformed: count('malformed'),
      none: count('none'),
      tokens: taken.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
      ...(skipped > 0 && { skipped }),
    },
  ];
}

/** A shorter time measures the clock rather than the server. */
const SHORTEST_MS = 50;

export function speedOf(replies: readonly Pick<ExamReply, 'usage' | 'timing'>[]): Speed {
  const prompt = middle(
    replies.map(({ usage, timing }) =>
      perSecond(usage.inputTokens - (usage.cachedTokens ?? 0), timing.firstMs),
    ),
  );
  const output = middle(
    replies.map(({ usage, timing }) => perSecond(usage.outputTokens, timing.totalMs - timing.firstMs)),
  );
  return { ...(prompt !== undefined && { prompt }), ...(output !== undefined && { output }) };
}

function perSecond(tokens: number, ms: number): number | undefined {
  return ms < SHORTEST_MS || tokens <= 0 ? undefined : (tokens * 1000) / ms;
}

function middle(values: readonly (number | undefined)[]): number | undefined {
  const known = values.flatMap((value) => value ?? []).toSorted((one, other) => one - other);
  const value = known[Math.floor(known.length / 2)];
  return value === undefined ? undefined : Math.round(value * 10) / 10;
}
