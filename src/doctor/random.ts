/** Pseudorandom numbers, the same for the same seed. Not for secrets. */
export class Random {
  private state: number;

  constructor(...seeds: readonly (number | string)[]) {
    this.state = hash(seeds.join(' '));
  }

  /** From 0 up to, but not including, 1. (Mulberry32.) */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<Value>(values: readonly Value[]): Value {
    // SAFETY: the callers give lists that are not empty.
    return values[this.below(values.length)] as Value;
  }

  /** Different values, in random order. */
  some<Value>(values: readonly Value[], count: number): readonly Value[] {
    const left = [...values];
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(this.below(left.length), 1),
    ).flat();
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return value;
}
