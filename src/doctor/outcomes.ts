import type { ReportRow } from './report';
import { tasks } from './tasks';

/** How the exams of a task ended. The numbers add up to those that were taken. */
export interface Outcomes {
  readonly right: number;
  /** Readable, but not what was asked for: wrong arguments, another tool, a wrong answer. */
  readonly wrong: number;
  /** A call was needed, and there was none. */
  readonly noCall: number;
  /** A call could not be read, or was written in the form of another protocol. */
  readonly malformed: number;
}

export function outcomesOf(
  row: Pick<ReportRow, 'task' | 'n' | 'right' | 'none' | 'recovered' | 'malformed'>,
): Outcomes {
  const { task, n, right } = row;
  const needsCall = tasks.some(({ id, needsCall: isNeeded }) => id === task && isNeeded);
  const noCall = needsCall ? row.none : 0;
  const malformed = row.malformed + row.recovered;
  return { right, noCall, malformed, wrong: n - right - noCall - malformed };
}
