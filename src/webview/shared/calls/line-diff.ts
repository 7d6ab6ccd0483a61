import { diffArrays } from 'diff';

export type DiffLine =
  | { readonly type: 'same' | 'removed' | 'added'; readonly text: string }
  /** Unchanged lines that are not shown. */
  | { readonly type: 'gap' };

/** Unchanged lines shown around a change. */
const CONTEXT = 2;

/** Maximum number of line pairs to compare. */
const MOST_PAIRS = 250_000;

/** If this many lines differ, the change is shown as all old, then all new lines. */
const MOST_CHANGES = 1000;

/** Changed lines of a text with some context. Linear in the texts apart from the changed region. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const shorter = Math.min(old.length, fresh.length) - start;
  while (end < shorter && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ type: 'same', text }));
  return withGaps([
    // One line more than is shown represents all others.
    ...same(old.slice(Math.max(0, start - CONTEXT - 1), start)),
    ...changes(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...same(old.slice(old.length - end).slice(0, CONTEXT + 1)),
  ]);
}

export function countChanges(lines: readonly DiffLine[]): {
  readonly added: number;
  readonly removed: number;
} {
  const count = (type: DiffLine['type']): number => lines.filter((line) => line.type === type).length;
  return { added: count('added'), removed: count('removed') };
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Keeps as many lines as possible. */
function changes(old: string[], fresh: string[]): readonly DiffLine[] {
  const isSmall = old.length * fresh.length <= MOST_PAIRS;
  const found = diffArrays(old, fresh, { maxEditLength: isSmall ? Infinity : MOST_CHANGES });
  const lines = (type: 'same' | 'removed' | 'added', texts: readonly string[]): DiffLine[] =>
    texts.map((text) => ({ type, text }));
  if (!found) return [...lines('removed', old), ...lines('added', fresh)];
  return found.flatMap(({ added, removed, value }) =>
    lines(added ? 'added' : removed ? 'removed' : 'same', value),
  );
}

function withGaps(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Uint8Array(lines.length);
  lines.forEach((line, index) => {
    if (line.type !== 'same') near.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  });
  return lines.flatMap((line, index): DiffLine[] => {
    if (near[index]) return [line];
    const goesOn = index > 0 && !near[index - 1];
    return goesOn ? [] : [{ type: 'gap' }];
  });
}
