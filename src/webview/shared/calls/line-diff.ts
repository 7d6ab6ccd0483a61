export type DiffLine =
  | { readonly type: 'same' | 'removed' | 'added'; readonly text: string }
  /** Unchanged lines that are not shown. */
  | { readonly type: 'gap' };

/** Unchanged lines shown around a change. */
const CONTEXT = 2;

/** Up to this many pairs of lines are compared; a larger change is shown as all old, then all new lines. */
const MOST_PAIRS = 250_000;

/** The changed lines of a text with a little context. Linear in the texts apart from the changed region. */
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
    // One line more than is shown stands for all the others.
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

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The longest common lines stay, by the textbook table. */
function changes(old: readonly string[], fresh: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ({ type: 'removed', text });
  const added = (text: string): DiffLine => ({ type: 'added', text });
  if (old.length * fresh.length > MOST_PAIRS) return [...old.map(removed), ...fresh.map(added)];
  const lengths = commonLengths(old, fresh);
  const at = (i: number, j: number): number => lengths[i * (fresh.length + 1) + j] ?? 0;
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    const left = old[i];
    const right = fresh[j];
    if (left !== undefined && left === right) {
      lines.push({ type: 'same', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i += 1;
    } else if (right !== undefined) {
      lines.push(added(right));
      j += 1;
    }
  }
  return lines;
}

/** At `[i, j]`: how many lines the rests from `i` and from `j` have in common. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      const down = lengths[(i + 1) * width + j] ?? 0;
      const across = lengths[i * width + j + 1] ?? 0;
      const diagonal = lengths[(i + 1) * width + j + 1] ?? 0;
      lengths[i * width + j] = old[i] === fresh[j] ? diagonal + 1 : Math.max(down, across);
    }
  }
  return lengths;
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
