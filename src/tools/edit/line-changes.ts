import { splitLines } from '../text/lines';

/** How many lines an edit adds and removes. */
export interface LineChanges {
  readonly added: number;
  readonly removed: number;
}

export function lineChanges(before: string, after: string): LineChanges {
  const numbers = new Map<string, number>();
  const number = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  const [a, b] = differing(linesOf(before).map(number), linesOf(after).map(number));
  const changes = shortestScript(a, b) ?? setDifference(a, b);
  return { added: (changes + b.length - a.length) / 2, removed: (changes + a.length - b.length) / 2 };
}

/** Beyond so many changes an exact answer costs too much and says little. */
const CHANGES_COUNTED = 1000;

function linesOf(text: string): string[] {
  const lines = splitLines(text);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** What lies between the common beginning and the common end. */
function differing(a: readonly number[], b: readonly number[]): [readonly number[], readonly number[]] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** Lines added and removed together (Myers: the furthest point on each diagonal for 0, 1, 2 … changes). */
function shortestScript(a: readonly number[], b: readonly number[]): number | undefined {
  const most = Math.min(CHANGES_COUNTED, a.length + b.length);
  const furthest = new Int32Array(2 * most + 3);
  for (let changes = 0; changes <= most; changes++) {
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const left = furthest[most + diagonal] ?? 0;
      const right = furthest[most + diagonal + 2] ?? 0;
      const down = diagonal === -changes || (diagonal !== changes && left < right);
      let x = down ? right : left + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      furthest[most + diagonal + 1] = x;
      if (x >= a.length && x - diagonal >= b.length) return changes;
    }
  }
  return undefined;
}

/** The same, as if lines that moved had not changed. */
function setDifference(a: readonly number[], b: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of b) counts.set(line, (counts.get(line) ?? 0) - 1);
  return [...counts.values()].reduce((sum, each) => sum + Math.abs(each), 0);
}
