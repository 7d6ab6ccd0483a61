import { blanksEnd } from './blank';
import type { Cursor, Reading } from './cursor';

export interface RawValueForm {
  /** How the tag that closes it may be spelled, the usual way first. */
  readonly closers: readonly string[];
  /** The same tag opening: an inner pair of them is data. */
  readonly openers: readonly string[];
  /** Only in front of one of these, white space aside, does the closer really close. */
  readonly followers: readonly string[];
  /** The tags around the call; if the value is never closed, reading goes on at a closing one that is not its own. */
  readonly call?: { readonly openers: readonly string[]; readonly closers: readonly string[] };
}

export type RawValue =
  | {
      readonly type: 'closed';
      readonly text: string;
      /** A closer was read as data. */ readonly isUncertain: boolean;
      /** The whole value stood in a CDATA section. */ readonly wasWrapped: boolean;
    }
  /** Closed behind the call, or never; then the cursor stands in front of the tag that closes the call. */
  | { readonly type: 'unclosed' }
  | { readonly type: 'over' };

const NO_CALL = { openers: [], closers: [] };

/**
 * Reads a raw text value up to the tag that closes it and takes that tag. Nothing is escaped in such values, so the
 * closing tag counts only where something of the call follows it. One line break at each end belongs to the form.
 */
export function* readRawValue(
  cursor: Cursor,
  form: RawValueForm,
  onPiece: (text: string) => void,
): Reading<RawValue> {
  const { closers, openers, call = NO_CALL } = form;
  const literals = [...closers, ...openers, ...call.closers, ...call.openers];
  const pieces: string[] = [];
  const inner = { values: 0, calls: 0 };
  let isUncertain = false;
  let callEnd: number | undefined;
  const add = (text: string): void => {
    pieces.push(text);
    onPiece(text);
  };
  for (;;) {
    const found = yield* cursor.upTo(literals, add);
    if (found === undefined) {
      const isPutBack = callEnd !== undefined && cursor.putBack(pieces.slice(callEnd).join(''));
      return { type: isPutBack ? 'unclosed' : 'over' };
    }
    if (openers.includes(found)) {
      inner.values++;
    } else if (call.openers.includes(found)) {
      inner.calls++;
    } else if (call.closers.includes(found)) {
      if (inner.calls > 0) inner.calls--;
      else callEnd ??= pieces.length;
    } else if (inner.values > 0) {
      inner.values--;
    } else if (yield* isFollowed(cursor, found, form.followers)) {
      cursor.take(found.length);
      // Where it ends is a guess if the call was closed right before it.
      if (callEnd !== undefined && call.closers.includes(pieces.slice(callEnd).join('').trim()))
        return { type: 'unclosed' };
      return { type: 'closed', ...unwrapped(pieces.join('')), isUncertain };
    } else {
      isUncertain = true;
    }
    add(cursor.take(found.length));
  }
}

function* isFollowed(cursor: Cursor, closer: string, followers: readonly string[]): Reading<boolean> {
  const offset = yield* blanksEnd(cursor, closer.length);
  // At the end of the reply it closes too; the call is rejected as unfinished then.
  if ((yield* cursor.char(offset)) === '') return true;
  for (const follower of followers) {
    if (yield* cursor.sees(follower, offset)) return true;
  }
  return false;
}

/** Takes away what belongs to the form: a line break at each end, and a CDATA section around all of it. */
export function unwrapped(raw: string): { readonly text: string; readonly wasWrapped: boolean } {
  const text = raw.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
  const section = text.trim();
  if (!section.startsWith(CDATA) || section.indexOf(']]>') !== section.length - 3)
    return { text, wasWrapped: false };
  return { text: section.slice(CDATA.length, -3), wasWrapped: true };
}

const CDATA = '<![CDATA[';
