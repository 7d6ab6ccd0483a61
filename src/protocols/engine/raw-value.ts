import { blanksEnd, seenOf, type Cursor, type Reading } from './cursor';
import { ValueText } from './long-text';
import type { ReplyWriter } from './reader';
import { closesItself } from './tags';

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

type RawValue =
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
 * closing tag counts only where something of the call follows it. One line break at each end belongs to the form, and
 * so does a CDATA section around all of it, in which no tag counts.
 */
export function* readRawValue(
  reply: ReplyWriter,
  form: RawValueForm,
  onPiece: (text: string) => void,
): Reading<RawValue> {
  const { cursor } = reply;
  const { closers, openers, call = NO_CALL } = form;
  const section = yield* readSection(reply, form, onPiece);
  if (typeof section === 'object') return section;
  const literals = [...closers, ...openers, ...call.closers, ...call.openers];
  const value = new ValueText();
  value.add(section);
  const inner = { values: 0, calls: 0 };
  let isUncertain = false;
  const add = (text: string): void => {
    value.add(text);
    onPiece(text);
  };
  for (;;) {
    const found = yield* cursor.upTo(literals, add);
    if (found === undefined) return { type: putBackSwallowed(reply, value) ? 'unclosed' : 'over' };
    if (openers.includes(found)) {
      if (found.endsWith('>') || !(yield* closesItself(cursor, found.length))) inner.values++;
    } else if (call.openers.includes(found)) {
      inner.calls++;
      // Another call, behind what may have been the end of this one.
      if (value.isMarked) isUncertain = true;
    } else if (call.closers.includes(found)) {
      if (inner.calls > 0) inner.calls--;
      else value.mark();
    } else if (inner.values > 0) {
      inner.values--;
    } else if (yield* isFollowed(cursor, found.length, form.followers)) {
      cursor.take(found.length);
      // Where it ends is a guess if the call was closed right before it.
      if (call.closers.includes(value.behind?.trim() ?? '')) return { type: 'unclosed' };
      return { type: 'closed', text: value.joinInner(), isUncertain, wasWrapped: false };
    } else {
      isUncertain = true;
    }
    add(cursor.take(found.length));
  }
}

const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
/** The marks themselves are written by closing the section in the middle of them and opening the next. */
const SPLITS = new Map([
  [']]', '>'],
  ['<!', '[CDATA['],
]);

/**
 * Reads a value that is one CDATA section from its beginning to its end. A text is what was taken of one that is not,
 * usually nothing.
 */
function* readSection(
  reply: ReplyWriter,
  { closers, followers, call = NO_CALL }: RawValueForm,
  onPiece: (text: string) => void,
): Reading<RawValue | string> {
  const { cursor } = reply;
  const opening = yield* blanksEnd(cursor, 0);
  if (!(yield* cursor.sees(CDATA, opening))) return '';
  const raw = new ValueText();
  raw.add(cursor.take(opening + CDATA.length));
  const pieces: string[] = [];
  let tail = '';
  const add = (text: string): void => {
    raw.add(text);
    pieces.push(text);
    tail = (tail + text).slice(-2);
    onPiece(text);
  };
  const unclosed = (): RawValue => ({ type: putBackSwallowed(reply, raw) ? 'unclosed' : 'over' });
  let calls = 0;
  let isReopened = false;
  for (;;) {
    const found = yield* cursor.upTo([CDATA_END, CDATA, ...call.closers, ...call.openers], add);
    if (found === undefined) return unclosed();
    if (found !== CDATA_END) {
      if (found === CDATA) isReopened ||= raw.isMarked;
      else if (call.openers.includes(found)) calls++;
      else if (calls > 0) calls--;
      else raw.mark();
      add(cursor.take(found.length));
      continue;
    }
    const end = yield* blanksEnd(cursor, CDATA_END.length);
    const closer = yield* seenOf(cursor, closers, end);
    if (closer !== undefined && (yield* isFollowed(cursor, end + closer.length, followers))) {
      raw.add(cursor.take(end + closer.length));
      // Behind the end of the call another section was opened: this one ends that.
      if (isReopened) return unclosed();
      return { type: 'closed', text: pieces.join(''), isUncertain: false, wasWrapped: true };
    }
    const rest = SPLITS.get(tail);
    const isSplit = rest !== undefined && (yield* cursor.sees(CDATA + rest, CDATA_END.length));
    raw.add(cursor.take(CDATA_END.length));
    if (!isSplit) return raw.join();
    raw.add(cursor.take(CDATA.length));
  }
}

/** Lets what stands behind the place where the call may have ended be read again. */
function putBackSwallowed(reply: ReplyWriter, { behind }: ValueText): boolean {
  return behind !== undefined && reply.putBackSwallowed(behind);
}

function* isFollowed(cursor: Cursor, from: number, followers: readonly string[]): Reading<boolean> {
  const offset = yield* blanksEnd(cursor, from);
  // At the end of the reply it closes too; the call is rejected as unfinished then.
  if ((yield* cursor.char(offset)) === '') return true;
  return (yield* seenOf(cursor, followers, offset)) !== undefined;
}

/** Takes away what belongs to the form: a line break at each end, and a CDATA section around all of it. */
export function unwrapped(raw: string): { readonly text: string; readonly wasWrapped: boolean } {
  const text = trimmed(raw);
  const section = text.trim();
  if (!section.startsWith(CDATA) || section.indexOf(CDATA_END) !== section.length - CDATA_END.length)
    return { text, wasWrapped: false };
  return { text: section.slice(CDATA.length, -CDATA_END.length), wasWrapped: true };
}

function trimmed(text: string): string {
  return text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}

/** A text that holds tags of the call goes into a CDATA section, so that it is read back as it is. */
export function guarded(text: string, tags: RegExp): string {
  if (!tags.test(text) && !text.includes(CDATA)) return text;
  const split = text.replace(/(\]\])(>)|(<!)(\[CDATA\[)/g, `$1$3${CDATA_END}${CDATA}$2$4`);
  return `${CDATA}${split}${CDATA_END}`;
}

/** One line break at each end is no part of a value, so a text that has its own gets one more. */
export function padded(text: string): string {
  return /^\r?\n|\r?\n$/.test(text) ? `\n${text}\n` : text;
}
