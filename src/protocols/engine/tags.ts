import { blanksEnd, isBlank, seenOf, type Cursor, type Reading } from './cursor';

interface OpenTag {
  readonly attributes: ReadonlyMap<string, string>;
  /** `<tag/>`: it has no content and no closing tag. */
  readonly isEmpty: boolean;
}

const TAG_LIMIT = 16_384;
const NAME_LIMIT = 200;

/** The end of the name that begins at an offset. */
export function* nameEnd(cursor: Cursor, from: number): Reading<number> {
  let end = from;
  while (end < from + NAME_LIMIT && /[\w.-]/.test(yield* cursor.char(end))) end++;
  return end;
}

/** Whether the tag of exactly this name is here: `<create-file` and not `<create-files`. */
export function* isTag(cursor: Cursor, start: string, offset = 0): Reading<boolean> {
  if (!(yield* cursor.sees(start, offset))) return false;
  const next = yield* cursor.char(offset + start.length);
  return next === '>' || next === '/' || isBlank(next);
}

/** The length of the closing tag at an offset, `</b>` or `</b >`; 0 if it is none of these tags. */
export function* closingTag(cursor: Cursor, tags: readonly string[], offset = 0): Reading<number> {
  for (const tag of tags) {
    if (!(yield* cursor.sees(tag.slice(0, -1), offset))) continue;
    const end = yield* blanksEnd(cursor, offset + tag.length - 1);
    if ((yield* cursor.char(end)) === '>') return end + 1 - offset;
  }
  return 0;
}

/** Takes the closing tag if it is here. */
export function* takesClosing(cursor: Cursor, ...tags: readonly string[]): Reading<boolean> {
  return cursor.take(yield* closingTag(cursor, tags)) !== '';
}

/** Characters of a tag that are searched for its end. */
const LOOK_AHEAD = 1024;

/** The text between an offset in a tag and its end; empty if there is no end. */
export function* restOfTag(cursor: Cursor, from: number): Reading<string> {
  for (let end = from; end < from + LOOK_AHEAD; end++) {
    const char = yield* cursor.char(end);
    if (char === '>') return cursor.unread.slice(from, end);
    if (char === '' || char === '<') break;
  }
  return '';
}

/** Whether the tag whose name ends at an offset is self-closing, as `<tag/>`. */
export function* closesItself(cursor: Cursor, from: number): Reading<boolean> {
  return (yield* restOfTag(cursor, from)).endsWith('/');
}

/**
 * Takes an opening tag with its attributes. Accepts either quote, blanks around `=`, `>` inside quotes, the five
 * entities and numeric ones. `undefined` if it is malformed or the reply ends; then only its beginning was taken.
 */
export function* readAttributes(
  cursor: Cursor,
  start: string,
  { mayBeBare = false } = {},
): Reading<OpenTag | undefined> {
  cursor.take(start.length);
  // A blank as some tokenizers encode it, left undecoded.
  yield* cursor.takes('Ġ');
  const attributes = new Map<string, string>();
  for (;;) {
    yield* cursor.takeWhile(isBlank, TAG_LIMIT);
    if (yield* cursor.takes('>')) return { attributes, isEmpty: false };
    if (yield* cursor.takes('/>')) return { attributes, isEmpty: true };
    const name = yield* cursor.takeWhile((char) => /[\w:.-]/.test(char), TAG_LIMIT);
    yield* cursor.takeWhile(isBlank, TAG_LIMIT);
    if (name === '' || attributes.has(name) || !(yield* cursor.takes('='))) return undefined;
    yield* cursor.takeWhile(isBlank, TAG_LIMIT);
    const quote = (yield* seenOf(cursor, ['"', "'"])) ?? '';
    if (quote === '' && !mayBeBare) return undefined;
    cursor.take(quote.length);
    const isInside = (char: string): boolean => (quote === '' ? /[\w.-]/.test(char) : char !== quote);
    const value = yield* cursor.takeWhile(isInside, TAG_LIMIT);
    if (quote === '' ? value === '' : !(yield* cursor.takes(quote))) return undefined;
    attributes.set(name, decodeEntities(value));
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Encodes a text for an attribute in quotes. */
export function encodeEntities(text: string): string {
  const names = Object.entries(ENTITIES);
  return text.replace(/[<>&"]/g, (char) => `&${names.find(([, each]) => each === char)?.[0] ?? ''};`);
}

export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g,
    (whole, decimal, hex, name) => {
      if (typeof name === 'string') return ENTITIES[name] ?? whole;
      const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
