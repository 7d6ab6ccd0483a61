import { count } from './amounts';
import { SEVERITIES, type Place, type Problem } from './workspace';

/** A problem in a file that may be shown. */
export interface PlacedProblem {
  readonly place: Place;
  readonly problem: Problem;
}

/** `2 errors, 1 warning` */
export function tally(found: readonly PlacedProblem[]): string {
  return SEVERITIES.map((severity) => ({
    severity,
    amount: found.filter(({ problem }) => problem.severity === severity).length,
  }))
    .filter(({ amount }) => amount > 0)
    .map(({ severity, amount }) =>
      severity === 'information' ? `${amount} of information` : count(amount, severity),
    )
    .join(', ');
}

/** `src/a.ts:3:7 error (ts 2322): …`, its message on one line and no longer than `most` characters. */
export function problemLine({ place, problem }: PlacedProblem, most: number): string {
  const { severity, source, code } = problem;
  const origin = [source, code].filter((each) => each !== undefined).join(' ');
  const text = problem.message.replace(/\s*\n\s*/g, ' ');
  const message = text.length > most ? `${text.slice(0, most)}…` : text;
  return `${place.display}:${problem.line}:${problem.column} ${severity}${origin && ` (${origin})`}: ${message}`;
}
