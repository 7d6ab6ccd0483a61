import type { Cursor, Reading } from './cursor';

/** White space that is looked through, at most, for what stands behind it. */
export const BLANK_LIMIT = 1024;

/** White space as between the tokens of a call: also zero-width characters and the byte order mark. */
export function isBlank(char: string): boolean {
  return /[\s\u200b-\u200d\u2060\ufeff]/.test(char);
}

export function* skipBlanks({ cursor }: { readonly cursor: Cursor }): Reading<void> {
  yield* cursor.takeWhile(isBlank, Infinity);
}

/** Where the blanks that begin at an offset end, as far as they are looked through. Takes nothing. */
export function* blanksEnd(cursor: Cursor, from: number): Reading<number> {
  let offset = from;
  while (offset < from + BLANK_LIMIT && isBlank(yield* cursor.char(offset))) offset++;
  return offset;
}

/** Whether nothing but blanks stands between an offset and the end of its line. */
export function* endsLine(cursor: Cursor, from: number): Reading<boolean> {
  let offset = from;
  while (offset < from + BLANK_LIMIT && /[ \t\r]/.test(yield* cursor.char(offset))) offset++;
  const next = yield* cursor.char(offset);
  return next === '' || next === '\n';
}
