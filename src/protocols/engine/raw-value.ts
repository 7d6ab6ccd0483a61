import { blanksEnd, seenOf, type Cursor, type Reading } from './cursor';
import { LongText, ValueText, type CallTags, type ValueEnds } from './long-text';
import type { ReplyWriter } from './reader';
import { closesItself, closingTag } from './tags';

export interface RawValueForm {
  /** Spellings of the tag that closes it, the usual one first. */
  readonly closers: readonly string[];
  /** The same tag opening: an inner pair of them is data. */
  readonly openers: readonly string[];
  /** The closer counts only if one of these follows, white space aside. */
  readonly followers: readonly string[];
  /** The tags around the call. In an unclosed value, reading continues at a closing one that it did not open. */
  readonly call: CallTags;
  /** Which white space at its ends belongs to the form. */
  readonly ends: ValueEnds;
  /** What begins the call's other values: an unclosed value ends before the first one at the beginning of a line. */
  readonly siblings?: readonly string[];
}

interface RawValue {
  readonly text?: string;
  /**
   * It ends where the next value of the call begins, or has no text: the call was closed inside it or right before its
   * end.
   */
  readonly isUnclosed?: boolean;
  /** A closer was read as data. */
  readonly isUncertain?: boolean;
  /** All of it was in a CDATA section. */
  readonly wasWrapped?: boolean;
}

/**
 * Reads a raw text value up to the tag that closes it, and takes that tag. Such values have no escapes, so the closing
 * tag counts only if another part of the call follows. A CDATA section around all of it belongs to the form; tags
 * inside it do not count. Returns no text for a value that ends with the reply.
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
      // Another call, after a place where this one may have ended.
      if (value.isMarked && call.openers.includes(found)) isUncertain = true;
    } else {
      const length = yield* closingTag(cursor, closers);
      if (length > 0 && depth > 0) {
        depth--;
      } else if (length > 0 && (yield* isFollowed(cursor, length, form.followers))) {
        cursor.take(length);
        // Its end is a guess if the call was closed right before it, and goes on nevertheless.
        const wasClosed = call.closers.includes(value.behind?.trim() ?? '');
        if (wasClosed && !(yield* goesOn(cursor, form))) return { isUnclosed: true };
        return { text: value.joinInner(form.ends), isUncertain: isUncertain || wasClosed };
      } else if (length > 0) {
        isUncertain = true;
      }
    }
    add(cursor.take(found.length));
  }
}

const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
/** In CDATA, its own markers are written by closing the section inside the marker and opening the next one. */
const SPLITS = new Map([
  [']]', '>'],
  ['<!', '[CDATA['],
]);

/**
 * Reads a value that is one CDATA section from beginning to end. Otherwise returns the text that was taken, usually
 * none.
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
      // Another section was opened after the end of the call: that ends this one.
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

/** Puts back the text after the place where the call may have ended. */
export function putBackSwallowed(reply: ReplyWriter, { behind }: ValueText): boolean {
  return behind !== undefined && reply.putBackSwallowed(behind);
}

/** Whether another value of the call comes next. */
function* goesOn(cursor: Cursor, { followers: [next = ''] }: RawValueForm): Reading<boolean> {
  return yield* cursor.sees(next, yield* blanksEnd(cursor, 0));
}

function* isFollowed(cursor: Cursor, from: number, followers: readonly string[]): Reading<boolean> {
  const offset = yield* blanksEnd(cursor, from);
  // It also closes at the end of the reply; the call is then rejected as unfinished.
  if ((yield* cursor.char(offset)) === '') return true;
  // Closing tags may contain white space before their last character.
  const begun = followers.map((each) => (each.startsWith('</') ? each.slice(0, -1) : each));
  return (yield* seenOf(cursor, begun, offset)) !== undefined;
}

/** Removes what belongs to the form: a line break at each end, and a CDATA section around all of it. */
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

const BEGINS_SECTION = /^[\s\u200b-\u200d\u2060\ufeff]*<!\[CDATA\[/;

/**
 * Puts a text that contains tags of the call, or begins like such a section, into a CDATA section, so that it is read
 * back unchanged.
 */
export function guarded(text: string, tags: readonly string[]): string {
  if (!tags.some((tag) => text.includes(tag)) && !BEGINS_SECTION.test(text)) return text;
  const split = text.replace(/(\]\])(>)|(<!)(\[CDATA\[)/g, `$1$3${CDATA_END}${CDATA}$2$4`);
  return `${CDATA}${split}${CDATA_END}`;
}

/** Adds line breaks to a text that begins or ends with one, because the outer ones are not part of the value. */
export function padded(text: string): string {
  return inner(text, 'pair') === text ? text : `\n${text}\n`;
}
