import { diffArrays } from 'diff';
import { splitLines } from '../text/lines';

/** How many lines an edit adds and removes. */
interface LineChanges {
  readonly added: number;
  readonly removed: number;
}

export function lineChanges(before: string, after: string): LineChanges {
  const a = linesOf(before);
  const b = linesOf(after);
  const changes = diffArrays(a, b, { maxEditLength: CHANGES_COUNTED });
  if (!changes) return setDifference(a, b);
  const count = (type: 'added' | 'removed'): number =>
    changes.reduce((sum, each) => sum + (each[type] ? each.count : 0), 0);
  return { added: count('added'), removed: count('removed') };
}

/** With more changes, an exact answer costs too much and says little. */
const CHANGES_COUNTED = 1000;

function linesOf(text: string): string[] {
  const lines = splitLines(text);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Counts moved lines as unchanged. */
function setDifference(a: readonly string[], b: readonly string[]): LineChanges {
  const counts = new Map<string, number>();
  for (const line of b) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) - 1);
  const differences = [...counts.values()];
  const added = differences.reduce((sum, each) => sum + Math.max(0, each), 0);
  return { added, removed: added + a.length - b.length };
}
