import type { Cursor, Reading } from './cursor';

/** The one of the literals that stands at an offset. */
export function* seenOf(
  cursor: Cursor,
  literals: readonly string[],
  offset = 0,
): Reading<string | undefined> {
  for (const literal of literals) {
    if (yield* cursor.sees(literal, offset)) return literal;
  }
  return undefined;
}
