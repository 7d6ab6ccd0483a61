import type { Way } from './ways';
import type { WayScore, WorkCheck, WorkEnd, WorkExam } from './work-exam';

/** How to work. `protocol` is the id of a contestant. */
export interface WayAdvice extends Pick<Way, 'steps' | 'tools' | 'temperature'> {
  readonly protocol: string;
}

/** One job, done in one way. */
export interface WorkRow extends WayAdvice {
  /** Name of the job. */
  readonly job: string;
  readonly outcome: WorkCheck['outcome'];
  readonly requests: number;
  /** Input and output. */
  readonly tokens: number;
  readonly seconds: number;
}

/** The work exam and its results. */
export interface WorkFindings extends Pick<WorkExam, 'ways' | 'jobs'> {
  readonly checks: readonly WorkCheck[];
  readonly end: WorkEnd;
}

export function adviceFrom(way: Way): WayAdvice {
  const { contestant: protocol, steps, tools, temperature } = way;
  return { protocol, steps, tools, ...(temperature !== undefined && { temperature }) };
}

export function workRows({ ways, checks }: WorkFindings): readonly WorkRow[] {
  return ways.flatMap((way) =>
    checks
      .filter((check) => check.way === way.id)
      .map(({ job, outcome, requests, inputTokens, outputTokens, ms }) => ({
        ...adviceFrom(way),
        ...{ job, outcome, requests, tokens: inputTokens + outputTokens, seconds: Math.round(ms / 1000) },
      })),
  );
}

/** The sentences so far, and what the work exam adds to them. */
export function workText(before: string, { checks, end }: WorkFindings, score: WayScore | undefined): string {
  return endText(foundText(before, checks.length > 0 && end.type === 'done', score), end);
}

function foundText(before: string, isDone: boolean, score: WayScore | undefined): string {
  if (score) return `${before} With "${score.way.id}" it did ${score.solved} of ${score.n} small jobs.`;
  return isDone ? `${before} It did none of the small jobs.` : before;
}

function endText(before: string, end: WorkEnd): string {
  switch (end.type) {
    case 'done':
      return before;
    case 'limit':
      return `${before} The request limit was reached before all jobs were done.`;
    case 'time':
      return `${before} The time was over before all jobs were done.`;
    case 'stopped':
      return `${before} It was stopped before all jobs were done.`;
    case 'failed':
      return `${before} The server failed repeatedly during the jobs: ${end.message}`;
  }
}
