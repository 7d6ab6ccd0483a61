/** Indices from one up to another, which is not among them. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** So many at the end are always drawn: what waits for the user stands there, and what is new. */
export const NEWEST = 4;

/** What an entry is taken for before any was measured, in pixels. */
const UNKNOWN = 100;

/** How high the entries are: those that were drawn as they were then, the others as these are on average. */
export class EntryHeights {
  private readonly known = new Map<number, number>();
  private average = UNKNOWN;

  set(index: number, height: number): void {
    this.known.set(index, height);
  }

  /** Counts what was measured since in the average. Not by itself: whatever stands for entries must be drawn anew. */
  learn(): void {
    const sum = [...this.known.values()].reduce((total, height) => total + height, 0);
    if (sum > 0) this.average = sum / this.known.size;
  }

  of({ from, to }: Range): number {
    let sum = 0;
    for (let index = from; index < to; index++) sum += this.at(index);
    return sum;
  }

  /** Those of the first `count` that stand between two places, counted from the top of the first. */
  between(top: number, bottom: number, count: number): Range {
    let [from, place] = [0, 0];
    for (; from < count; from++) {
      const end = place + this.at(from);
      if (end > top) break;
      place = end;
    }
    let to = from;
    for (; to < count && place < bottom; to++) place += this.at(to);
    return { from, to };
  }

  private at(index: number): number {
    return this.known.get(index) ?? this.average;
  }
}

/**
 * What is drawn, in order: entries by index, and ranges of entries in whose place only their room is kept. Drawn are the
 * near ones, the newest, and those that are held.
 */
export function drawnEntries(
  count: number,
  near: Range,
  held: Iterable<number>,
): readonly (number | Range)[] {
  const newest = { from: count - NEWEST, to: count };
  const indices = [...indicesIn(near), ...indicesIn(newest), ...held].filter(
    (index) => index >= 0 && index < count,
  );
  const drawn: (number | Range)[] = [];
  let next = 0;
  for (const index of [...new Set(indices)].sort((a, b) => a - b)) {
    if (index > next) drawn.push({ from: next, to: index });
    drawn.push(index);
    next = index + 1;
  }
  return drawn;
}

export function indicesIn({ from, to }: Range): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
