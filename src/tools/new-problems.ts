import type { RunContext } from '../core/tool';
import { grouped } from './amounts';
import { problemLine, tally, type PlacedProblem } from './problem-text';
import { reachable } from './reachable';
import type { ObservedChange, Place, Problem, Surroundings } from './workspace';

/**
 * Makes a change of a file and adds to its report which errors and warnings the editor knows now that it did not know
 * before, also in other files. Nothing is added where there is no editor, or where it has nothing to say.
 */
export async function withNewProblems(
  place: Place,
  change: () => Promise<string>,
  surroundings: Surroundings,
  { signal }: Pick<RunContext, 'signal'>,
): Promise<string> {
  const { languages } = surroundings;
  if (!languages) return change();
  const observed = await languages.aroundChange(place, change, signal);
  return [observed.result, ...(await report(observed, place, surroundings))].join('\n');
}

async function report(
  { before, after }: ObservedChange<string>,
  changed: Place,
  { files, limits }: Surroundings,
): Promise<readonly string[]> {
  const placeOf = reachable(files, changed);
  const found: PlacedProblem[] = [];
  for (const problem of notAmong(before ?? [], after.problems.filter(isSevere))) {
    const place = await placeOf(problem.path);
    // Where nothing was known before, only the changed file has anything to do with the change.
    if (place && (before || place.resolved === changed.resolved)) found.push({ place, problem });
  }
  if (found.length === 0) return before && after.isFresh ? ['No new problems.'] : [];
  const shown = found.slice(0, limits.newProblems);
  const more = found.length - shown.length;
  return [
    `${before ? 'New problems' : 'Problems now, perhaps not all of them new'}: ${tally(found)}.`,
    ...shown.map((each) => problemLine(each, limits.searchLineCharacters)),
    ...(more > 0 ? [`[${grouped(more)} more: get_problems shows them.]`] : []),
  ];
}

function isSevere({ severity }: Problem): boolean {
  return severity === 'error' || severity === 'warning';
}

/** As often as they come more often than before. Their lines do not count: a change moves what stands below it. */
function notAmong(before: readonly Problem[], after: readonly Problem[]): readonly Problem[] {
  const known = new Map<string, number>();
  for (const problem of before) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return after.filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}

function keyOf({ path, severity, message, source, code }: Problem): string {
  return JSON.stringify([path, severity, message, source, code]);
}
