import { limits } from '../base/limits';
import type { RunContext } from '../core/words/tool';
import { liesIn } from './files/paths';
import type { Files, Place } from './ports/files';
import { SEVERITIES, type ObservedChange, type Problem } from './ports/languages';
import type { Surroundings } from './ports/surroundings';
import { count, grouped } from './text/amounts';
import { splitLines } from './text/lines';

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

/** `src/a.ts:3:7 error (ts 2322): …`, its message on one line, cut if it is long. */
export function problemLine({ place, problem }: PlacedProblem): string {
  const { severity, source, code } = problem;
  const origin = [source, code].filter((each) => each !== undefined).join(' ');
  const most = limits.searchLineCharacters;
  const text = problem.message.replace(/\s*\n\s*/g, ' ');
  const message = text.length > most ? `${text.slice(0, most)}…` : text;
  return `${place.display}:${problem.line}:${problem.column} ${severity}${origin && ` (${origin})`}: ${message}`;
}

/**
 * Which of the files that a service names may be shown: those that need no approval, and those that the approval of
 * their folder covers. Leaves out the rest.
 */
export function reachable(
  files: Pick<Files, 'resolve' | 'separator'>,
  scope: Place,
): (path: string) => Promise<Place | undefined> {
  const known = new Map<string, Promise<Place | undefined>>();
  const look = async (path: string): Promise<Place | undefined> => {
    const place = await files.resolve(path, 'read').catch(() => undefined);
    if (!place) return undefined;
    if (place.resolved === scope.resolved) return place;
    if (place.verdict.decision === 'auto') return place;
    // Neither secret nor hidden, so the approval of the folder covers this file.
    const isCovered = place.verdict.grant?.type === 'read-folder-in-session';
    return isCovered && scope.verdict.isOutside === true && liesIn(scope, place, files) ? place : undefined;
  };
  return (path) => {
    const found = known.get(path) ?? look(path);
    known.set(path, found);
    return found;
  };
}

/**
 * Makes a change to a file and adds the new errors and warnings of the editor to the report, also those in other files.
 * Adds nothing without an editor, or if there is nothing to report.
 */
export async function withNewProblems(
  edit: ChangedText,
  change: () => Promise<string>,
  surroundings: Pick<Surroundings, 'files' | 'languages'>,
  { signal }: Pick<RunContext, 'signal'>,
): Promise<string> {
  const { languages } = surroundings;
  if (!languages) return change();
  const observed = await languages.aroundChange(edit.place, change, signal);
  return [observed.result, ...(await report(observed, edit, surroundings))].join('\n');
}

/** How the text of a file changes. */
interface ChangedText {
  readonly place: Place;
  readonly before: string;
  readonly after: string;
}

async function report(
  { before, after }: ObservedChange<string>,
  edit: ChangedText,
  { files }: Pick<Surroundings, 'files'>,
): Promise<readonly string[]> {
  const changed = edit.place;
  const placeOf = reachable(files, changed);
  const moved = movedBy(edit);
  const known = (before ?? []).map((problem) =>
    problem.path === changed.resolved ? { ...problem, line: moved(problem.line) } : problem,
  );
  const found: PlacedProblem[] = [];
  for (const problem of notAmong(known, after.problems.filter(isSevere))) {
    const place = await placeOf(problem.path);
    // If nothing was known before, only the changed file is related to the change.
    if (place && (before || place.resolved === changed.resolved)) found.push({ place, problem });
  }
  if (found.length === 0) return before && after.isFresh ? ['No new problems so far.'] : [];
  const shown = found.slice(0, limits.newProblems);
  const more = found.length - shown.length;
  return [
    `${before ? 'New problems' : 'Problems now, perhaps not all of them new'}: ${tally(found)}.`,
    ...shown.map(problemLine),
    ...(more > 0 ? [`[${grouped(more)} more: get_problems shows them.]`] : []),
  ];
}

function isSevere({ severity }: Problem): boolean {
  return severity === 'error' || severity === 'warning';
}

/** The number of an old line in the new text: lines from the first change on move by the number of added lines. */
function movedBy({ before, after }: ChangedText): (line: number) => number {
  const [old, now] = [splitLines(before), splitLines(after)];
  const first = old.findIndex((line, index) => line !== now[index]);
  return (line) => (first < 0 || line <= first ? line : line + now.length - old.length);
}

/** The problems that occur more often than before: those farthest from where the known ones are now. */
function notAmong(before: readonly Problem[], after: readonly Problem[]): readonly Problem[] {
  const known = byKey(before);
  const added = new Set<Problem>();
  for (const [key, problems] of byKey(after)) {
    const lines = (known.get(key) ?? []).map(({ line }) => line);
    for (const problem of beyond(lines, problems)) added.add(problem);
  }
  return after.filter((problem) => added.has(problem));
}

/** Each line takes the nearest problem, first of all one on the same line. */
function beyond(lines: readonly number[], problems: readonly Problem[]): readonly Problem[] {
  const left = [...problems];
  const takes = (line: number, farthest: number): boolean => {
    const distances = left.map((problem) => Math.abs(problem.line - line));
    const least = distances.reduce((one, other) => Math.min(one, other), Infinity);
    if (left.length === 0 || least > farthest) return false;
    left.splice(distances.indexOf(least), 1);
    return true;
  };
  const others = lines.filter((line) => !takes(line, 0));
  for (const line of others) takes(line, Infinity);
  return left;
}

function byKey(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = keyOf(problem);
    const group = groups.get(key);
    if (group) group.push(problem);
    else groups.set(key, [problem]);
  }
  return groups;
}

function keyOf({ path, severity, message, source, code }: Problem): string {
  return JSON.stringify([path, severity, message, source, code]);
}
