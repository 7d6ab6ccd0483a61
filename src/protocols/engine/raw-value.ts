import { blanksEnd, seenOf, type Cursor, type Reading } from './cursor';
import { LongText, ValueText, type CallTags, type ValueEnds } from './long-text';
import type { ReplyWriter } from './reader';
import { closesItself, closingTag } from './tags';

export interface RawValueForm {
  /** How the tag that closes it may be spelled, the usual way first. */
  readonly closers: readonly string[];
  /** The same tag opening: an inner pair of them is data. */
  readonly openers: readonly string[];
  /** Only in front of one of these, white space aside, does the closer really close. */
  readonly followers: readonly string[];
  /** The tags around the call; if the value is never closed, reading goes on at a closing one that is not its own. */
  readonly call: CallTags;
  /** What of the white space at its ends belongs to the form. */
  readonly ends: ValueEnds;
  /** What begins the other values of the call: one that is never closed ended in front of the first on a line of its own. */
  readonly siblings?: readonly string[];
}

interface RawValue {
  readonly text?: string;
  /** It ends where the next value of the call begins, or has no text: the call was closed in it or right before its end. */
  readonly isUnclosed?: boolean;
  /** A closer was read as data. */
  readonly isUncertain?: boolean;
  /** All of it stood in a CDATA section. */
  readonly wasWrapped?: boolean;
}

/**
 * Reads a raw text value up to the tag that closes it and takes that tag. Nothing is escaped in such values, so the
 * closing tag counts only where something of the call follows it. A CDATA section around all of it belongs to the form;
 * no tag counts in it. Nothing is returned of a value with which the reply ends.
 */
export function* readRawValue(
  reply: ReplyWriter,
  form: RawValueForm,
  onPiece: (text: string) => void,
): Reading<RawValue> {
  const { cursor } = reply;
  const { closers, openers, call } = form;
  const section = yield* readSection(reply, form, onPiece);
  if (typeof section === 'object') return section;
  const begunClosers = closers.map((closer) => closer.slice(0, -1));
  const literals = [...begunClosers, ...openers, ...call.closers, ...call.openers];
  const value = new ValueText();
  value.add(section);
  /** Where the next value of the call seems to begin. */
  let next = 0;
  let depth = 0;
  let isUncertain = false;
  const add = (text: string): void => {
    value.add(text);
    onPiece(text);
  };
  for (;;) {
    const found = yield* cursor.upTo(literals, add);
    if (found === undefined) {
      if (next === 0) return { isUnclosed: putBackSwallowed(reply, value) };
      const all = value.join();
      if (!reply.putBackSwallowed(all.slice(next))) return {};
      return { text: inner(all.slice(0, next), form.ends), isUnclosed: true };
    }
    if (openers.includes(found)) {
      const mayBeNext = next === 0 && value.isLineStart && depth + value.calls === 0;
      if (mayBeNext && (yield* seenOf(cursor, form.siblings ?? [])) !== undefined) next = value.length;
      if (found.endsWith('>') || !(yield* closesItself(cursor, found.length))) depth++;
    } else if (!begunClosers.includes(found)) {
      value.pass(found, call);
      // Another call, behind what may have been the end of this one.
      if (value.isMarked && call.openers.includes(found)) isUncertain = true;
    } else {
      const length = yield* closingTag(cursor, closers);
      if (length > 0 && depth > 0) {
        depth--;
      } else if (length > 0 && (yield* isFollowed(cursor, length, form.followers))) {
        cursor.take(length);
        // Where it ends is a guess if the call was closed right before it.
        if (call.closers.includes(value.behind?.trim() ?? '')) return { isUnclosed: true };
        return { text: value.joinInner(form.ends), isUncertain };
      } else if (length > 0) {
        isUncertain = true;
      }
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
  { closers, followers, call }: RawValueForm,
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
  let isReopened = false;
  for (;;) {
    const found = yield* cursor.upTo([CDATA_END, CDATA, ...call.closers, ...call.openers], add);
    if (found === undefined) return { isUnclosed: putBackSwallowed(reply, raw) };
    if (found !== CDATA_END) {
      if (found === CDATA) isReopened ||= raw.isMarked;
      else raw.pass(found, call);
      add(cursor.take(found.length));
      continue;
    }
    const end = yield* blanksEnd(cursor, CDATA_END.length);
    const length = yield* closingTag(cursor, closers, end);
    if (length > 0 && (yield* isFollowed(cursor, end + length, followers))) {
      raw.add(cursor.take(end + length));
      // Behind the end of the call another section was opened: this one ends that.
      if (isReopened) return { isUnclosed: putBackSwallowed(reply, raw) };
      return { text: pieces.join(''), wasWrapped: true };
    }
    const rest = SPLITS.get(tail);
    const isSplit = rest !== undefined && (yield* cursor.sees(CDATA + rest, CDATA_END.length));
    raw.add(cursor.take(CDATA_END.length));
    if (!isSplit) return raw.join();
    raw.add(cursor.take(CDATA.length));
  }
}

/** Lets what stands behind the place where the call may have ended be read again. */
export function putBackSwallowed(reply: ReplyWriter, { behind }: ValueText): boolean {
  return behind !== undefined && reply.putBackSwallowed(behind);
}

function* isFollowed(cursor: Cursor, from: number, followers: readonly string[]): Reading<boolean> {
  const offset = yield* blanksEnd(cursor, from);
  // At the end of the reply it closes too; the call is rejected as unfinished then.
  if ((yield* cursor.char(offset)) === '') return true;
  // Closing tags may hold white space in front of their last character.
  const begun = followers.map((each) => (each.startsWith('</') ? each.slice(0, -1) : each));
  return (yield* seenOf(cursor, begun, offset)) !== undefined;
}

/** Takes away what belongs to the form: a line break at each end, and a CDATA section around all of it. */
export function unwrapped(raw: string): { readonly text: string; readonly wasWrapped: boolean } {
  const text = inner(raw, 'each');
  const section = text.trim();
  if (!section.startsWith(CDATA) || section.indexOf(CDATA_END) !== section.length - CDATA_END.length)
    return { text, wasWrapped: false };
  return { text: section.slice(CDATA.length, -CDATA_END.length), wasWrapped: true };
}

function inner(raw: string, ends: ValueEnds): string {
  const text = new LongText();
  text.add(raw);
  return text.joinInner(ends);
}

/** A text that holds tags of the call goes into a CDATA section, so that it is read back as it is. */
export function guarded(text: string, tags: RegExp): string {
  if (!tags.test(text) && !text.includes(CDATA)) return text;
  const split = text.replace(/(\]\])(>)|(<!)(\[CDATA\[)/g, `$1$3${CDATA_END}${CDATA}$2$4`);
  return `${CDATA}${split}${CDATA_END}`;
}

/** Line breaks at both ends are no part of a value, so a text that has its own gets two more. */
export function padded(text: string): string {
  return inner(text, 'pair') === text ? text : `\n${text}\n`;
}
