import type { Cursor, Reading } from './cursor';
import { JsonStream, type TextListener } from './json-stream';

/** White space that may stand between the brace and the first key. */
const BLANK_LIMIT = 1024;

/** Whether the brace here may begin an object: only a quote may follow it, so that braces in prose and code are text. */
export function* beginsObject(
  cursor: Cursor,
  _opener: string,
  _isLineStart: boolean,
  from = 0,
): Reading<boolean> {
  let offset = from + 1;
  while (offset < from + BLANK_LIMIT && /\s/.test(yield* cursor.char(offset))) offset++;
  return /["'“]/.test(yield* cursor.char(offset));
}

export interface Candidate {
  readonly text: string;
  /** False when the reply ended inside it. */
  readonly isComplete: boolean;
}

/** Takes one JSON value by its brackets and strings alone. `onText` gets the text of top-level keys as it streams. */
export function* takeObject(cursor: Cursor, onText?: TextListener): Reading<Candidate> {
  const pieces: string[] = [];
  const stream = new JsonStream(onText);
  const isComplete = yield* cursor.through((piece) => {
    const used = stream.push(piece);
    pieces.push(used === undefined ? piece : piece.slice(0, used));
    return used;
  });
  return { text: pieces.join(''), isComplete };
}

/**
 * Where each object at a depth ends, as offsets in the text; at 2 it stands in a list directly inside the outer object.
 * The parts of a block that belong to its single calls are cut there.
 */
export function itemEnds(text: string, itemDepth = 2): number[] {
  const ends: number[] = [];
  let depth = 0;
  for (const token of text.matchAll(/"(?:[^"\\]|\\[^])*"|[{}[\]]/g)) {
    const [mark] = token;
    if (mark === '{' || mark === '[') depth++;
    else if (mark === '}' || mark === ']') depth--;
    if (mark === '}' && depth === itemDepth) ends.push(token.index + 1);
  }
  return ends;
}
