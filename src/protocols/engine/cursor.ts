/** How often text may be put back in one reply. */
const PUT_BACKS = 4;
/** Characters of a long text that are examined at a time. */
const SLICE = 4_096;

/** A reader: straight-line code that yields whenever it needs text that has not arrived yet. */
export type Reading<T> = Generator<undefined, T, undefined>;

/**
 * The unread text of a reply. Readers only move forward, and taken text is gone, so nothing can depend on where the
 * stream was split. Every wait is for characters or for the end of the reply.
 */
export class Cursor {
  /** The text that can be examined now. */
  unread = '';
  /** Offset of `unread` in the reply, in UTF-16 units. */
  position = 0;
  /** The part of the position that came from other sources and was never read here. */
  private skipped = 0;
  ended = false;
  /** Whether the reply broke off; then an open block was cut, and its content is unknown. */
  isCut = false;
  private arrived: string[] = [];
  private putBacks = 0;
  /** Text to read before what arrives, the first slice last. */
  private readonly returned: string[] = [];
  /** Receives arriving text while a reader waits for the end of a long value; returns whether to wake the reader. */
  private sink: ((text: string) => boolean) | undefined;

  /** Everything taken since the mark. */
  private marked: string[] | undefined;

  /** Adds text of the reply; returns whether the reader can decide something now. */
  push(text: string): boolean {
    // Waking the reader for every piece of a long value would cost more than reading it.
    if (this.sink && this.unread === '' && this.arrived.length === 0) return this.sink(text);
    if (text !== '') this.arrived.push(text);
    return true;
  }

  /**
   * Marks this position, so that reading can go back to it once. Only one mark at a time; no text is put back
   * meanwhile.
   */
  mark(): void {
    this.marked = [];
  }

  /** Goes back to the mark; its text can be examined again. */
  rewind(): void {
    this.return(this.release());
    this.load();
  }

  /** What was read since the mark. */
  get sinceMark(): string {
    return this.marked?.join('') ?? '';
  }

  /** Drops the mark and returns what was read since. */
  release(): string {
    const read = this.marked?.join('') ?? '';
    this.marked = undefined;
    return read;
  }

  /** Text from other sources counts for the positions. */
  skip(count: number): void {
    this.position += count;
    this.skipped += count;
  }

  /** How much was taken here; unlike the position, it does not move before the text was examined. */
  get taken(): number {
    return this.position - this.skipped;
  }

  /** Whether all of the reply was taken and nothing more will come. */
  get isOver(): boolean {
    return this.ended && this.unread === '' && this.returned.length === 0 && this.arrived.length === 0;
  }

  /** Makes more of the arrived text readable; returns whether there was any. */
  load(): boolean {
    const slice = this.returned.pop() ?? this.firstArrived();
    if (slice === undefined) return false;
    this.unread += slice;
    return true;
  }

  private firstArrived(): string | undefined {
    const { arrived } = this;
    if (arrived.length === 0) return undefined;
    const all = arrived.length === 1 ? (arrived[0] ?? '') : arrived.join('');
    this.arrived = [];
    if (all.length <= SLICE) return all;
    this.queue(all);
    return this.returned.pop();
  }

  take(count: number): string {
    const { unread } = this;
    const taken = count >= unread.length ? unread : unread.slice(0, count);
    this.unread = unread.slice(taken.length);
    this.passed(taken);
    return taken;
  }

  /** Records taken text. */
  private passed(text: string): void {
    this.position += text.length;
    this.marked?.push(text);
  }

  /**
   * Puts back the last taken text, because the block that contained it was misread. Returns false in a reply that was
   * cut, and after a few times, so that the cost stays linear.
   */
  putBack(text: string): boolean {
    if (this.isCut || this.putBacks >= PUT_BACKS) return false;
    this.putBacks++;
    this.return(text);
    return true;
  }

  /** Makes the last taken text unread again. */
  private return(text: string): void {
    this.queue(text + this.unread);
    this.unread = '';
    this.position -= text.length;
  }

  /** Puts a text next, in slices, because readers search all that is unread. */
  private queue(text: string): void {
    const slices: string[] = [];
    for (let at = 0; at < text.length; at += SLICE) slices.push(text.slice(at, at + SLICE));
    this.returned.push(...slices.reverse());
  }

  /** Waits until `count` characters can be examined; false if the reply ends before. */
  *need(count: number): Reading<boolean> {
    while (this.unread.length < count) {
      if (this.load()) continue;
      if (this.ended) return false;
      yield;
    }
    return true;
  }

  /** Whether the literal is at an offset; waits only while that is undecided. */
  *sees(literal: string, offset = 0): Reading<boolean> {
    for (;;) {
      const seen = this.unread.slice(offset, offset + literal.length);
      if (seen === literal) return true;
      if (!literal.startsWith(seen)) return false;
      if (!(yield* this.need(offset + seen.length + 1))) return false;
    }
  }

  /** Takes the literal if it is here. */
  *takes(literal: string): Reading<boolean> {
    if (!(yield* this.sees(literal))) return false;
    this.take(literal.length);
    return true;
  }

  /** The character at an offset; empty at the end of the reply. */
  *char(offset = 0): Reading<string> {
    if (offset >= this.unread.length) yield* this.need(offset + 1);
    return this.unread[offset] ?? '';
  }

  /** Takes characters while they match, at most `limit`. */
  *takeWhile(matches: (char: string) => boolean, limit: number): Reading<string> {
    const pieces: string[] = [];
    let taken = 0;
    for (;;) {
      let count = 0;
      while (count < this.unread.length && taken + count < limit && matches(this.unread[count] ?? ''))
        count++;
      taken += count;
      const decided = count < this.unread.length || taken >= limit;
      if (count > 0) pieces.push(this.take(count));
      if (decided || !(yield* this.need(1))) return pieces.join('');
    }
  }

  /**
   * Passes on text up to the first of the literals, in pieces, and stops before it. Returns the literal, or `undefined`
   * if the reply ended first (then all of it was passed on).
   */
  *upTo(literals: readonly string[], onPiece: (text: string) => void): Reading<string | undefined> {
    const firsts = [...new Set(literals.map((literal) => literal[0] ?? ''))];
    for (;;) {
      const { unread } = this;
      let at = -1;
      let found: string | undefined;
      let held = 0;
      for (const literal of literals) {
        const index = unread.indexOf(literal);
        if (index >= 0 && (at < 0 || index < at)) {
          at = index;
          found = literal;
        }
        held = Math.max(held, heldBack(unread, literal));
      }
      if (found !== undefined) {
        if (at > 0) onPiece(this.take(at));
        return found;
      }
      if (this.ended && this.arrived.length === 0 && this.returned.length === 0) held = 0;
      if (unread.length > held) onPiece(this.take(unread.length - held));
      if (this.load()) continue;
      if (this.ended) return undefined;
      this.sink = (text) => {
        if (firsts.every((char) => !text.includes(char)) || passes(text, literals)) {
          this.passed(text);
          onPiece(text);
          return false;
        }
        this.arrived.push(text);
        return true;
      };
      yield;
      this.sink = undefined;
    }
  }

  /**
   * Passes text to a scanner until it returns how many characters of the last piece it used. False if the reply ended
   * first.
   */
  *through(scan: (piece: string) => number | undefined): Reading<boolean> {
    const scanned = { isOver: false };
    const take = (piece: string): boolean => {
      const used = scan(piece);
      scanned.isOver = used !== undefined;
      this.passed(used === undefined ? piece : piece.slice(0, used));
      this.unread = used === undefined ? '' : piece.slice(used);
      return scanned.isOver;
    };
    for (;;) {
      if (this.unread !== '' && take(this.unread)) return true;
      if (this.load()) continue;
      if (this.ended) return false;
      this.sink = take;
      yield;
      this.sink = undefined;
      if (scanned.isOver) return true;
    }
  }

  /** Waits for the end of the line and returns the rest of it from an offset on; takes nothing. */
  *restOfLine(from: number): Reading<string> {
    const pieces: string[] = [];
    const isEnd = (piece: string): boolean => {
      const end = piece.indexOf('\n');
      pieces.push(end < 0 ? piece : piece.slice(0, end));
      return end >= 0;
    };
    // Searched in place: if a long line were made readable at once, every later reader would search it.
    let isOver = isEnd(this.unread.slice(from)) || this.returned.findLast(isEnd) !== undefined;
    for (let at = 0; !isOver; at++) {
      while (at === this.arrived.length && !this.ended) yield;
      if (at === this.arrived.length) break;
      isOver = isEnd(this.arrived[at] ?? '');
    }
    return pieces.join('');
  }
}

/** Whether a text neither contains one of the literals nor ends with the beginning of one. */
function passes(text: string, literals: readonly string[]): boolean {
  return literals.every((literal) => !text.includes(literal) && heldBack(text, literal) === 0);
}

/** How many characters at the end of a text may be the beginning of the literal. */
export function heldBack(text: string, literal: string): number {
  const first = literal[0] ?? '';
  let at = text.indexOf(first, Math.max(0, text.length - literal.length + 1));
  while (at >= 0) {
    if (literal.startsWith(text.slice(at))) return text.length - at;
    at = text.indexOf(first, at + 1);
  }
  return 0;
}

/** Maximum white space to skip in search of what follows it. */
export const BLANK_LIMIT = 1024;

/** White space between the tokens of a call; includes zero-width characters and the byte order mark. */
export function isBlank(char: string): boolean {
  return /[\s\u200b-\u200d\u2060\ufeff]/.test(char);
}

export function* skipBlanks({ cursor }: { readonly cursor: Cursor }): Reading<void> {
  yield* cursor.takeWhile(isBlank, Infinity);
}

/** The end of the blanks that begin at an offset, up to the limit. Takes nothing. */
export function* blanksEnd(cursor: Cursor, from: number): Reading<number> {
  let offset = from;
  while (offset < from + BLANK_LIMIT && isBlank(yield* cursor.char(offset))) offset++;
  return offset;
}

/** Whether only blanks are between an offset and the end of its line. */
export function* endsLine(cursor: Cursor, from: number): Reading<boolean> {
  let offset = from;
  while (offset < from + BLANK_LIMIT && /[ \t\r]/.test(yield* cursor.char(offset))) offset++;
  const next = yield* cursor.char(offset);
  return next === '' || next === '\n';
}

/** The literal that is at an offset. */
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
