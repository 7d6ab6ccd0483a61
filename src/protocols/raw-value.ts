import type { Cursor, Reading } from './cursor';
import { LongText } from './long-text';

export interface RawValueForm {
  readonly closer: string;
  /** The same tag opening: an inner pair of them is data. */
  readonly opener: string;
  /** Only in front of one of these, white space aside, does the closer really close. */
  readonly followers: readonly string[];
}

export type RawValue =
  | {
      readonly type: 'closed';
      readonly text: string;
      /** A closer was read as data. */ readonly isUncertain: boolean;
    }
  | { readonly type: 'over' };

/** White space that may stand between a closing tag and what follows it. */
const BLANK_LIMIT = 1024;

/**
 * Reads a raw text value up to the tag that closes it and takes that tag. Nothing is escaped in such values, so the
 * closing tag counts only where something of the call follows it. One line break at each end belongs to the form.
 */
export function* readRawValue(
  cursor: Cursor,
  form: RawValueForm,
  onPiece: (text: string) => void,
): Reading<RawValue> {
  const value = new LongText();
  let depth = 0;
  let isUncertain = false;
  const add = (text: string): void => {
    value.add(text);
    onPiece(text);
  };
  for (;;) {
    const found = yield* cursor.upTo([form.closer, form.opener], add);
    if (found === undefined) return { type: 'over' };
    if (found === form.opener) {
      depth++;
    } else if (depth > 0) {
      depth--;
    } else if (yield* isFollowed(cursor, form)) {
      cursor.take(form.closer.length);
      return { type: 'closed', text: value.joinInner(), isUncertain };
    } else {
      isUncertain = true;
    }
    add(cursor.take(found.length));
  }
}

function* isFollowed(cursor: Cursor, { closer, followers }: RawValueForm): Reading<boolean> {
  let offset = closer.length;
  while (offset < closer.length + BLANK_LIMIT && /\s/.test(yield* cursor.char(offset))) offset++;
  // At the end of the reply it closes too; the call is rejected as unfinished then.
  if ((yield* cursor.char(offset)) === '') return true;
  for (const follower of followers) {
    if (yield* cursor.sees(follower, offset)) return true;
  }
  return false;
}
