/** How often text is put back in one reply. */
const PUT_BACKS = 4;
/** How much of a text that was put back is looked at at once. */
const SLICE = 4_096;

/** A grammar: straight-line code that yields whenever it needs text that has not arrived yet. */
export type Reading<T> = Generator<undefined, T, undefined>;

/**
 * The unread text of a reply. Grammars only move forward; what was taken is gone, so nothing can depend on where the
 * stream was cut. Every wait is for characters or for the end of the reply.
 */
export class Cursor {
  /** What can be looked at now. */
  unread = '';
  /** Offset of `unread` in the reply, in UTF-16 units. */
  position = 0;
  ended = false;
  /** Whether the reply broke off; then what was not closed was cut, and nothing is known about what stands in it. */
  isCut = false;
  private arrived: string[] = [];
  private putBacks = 0;
  /** What was put back and comes before all that arrives, the first slice last. */
  private readonly returned: string[] = [];
  /** Takes text as it arrives while a grammar waits for the end of a long value; says whether to wake the grammar. */
  private sink: ((text: string) => boolean) | undefined;

  /** All that was unread at the mark and has arrived since. */
  private marked: { readonly position: number; readonly pieces: string[] } | undefined;

  /** Takes in more of the reply; says whether the grammar has anything to decide now. */
  push(text: string): boolean {
    this.marked?.pieces.push(text);
    // Waking the grammar for every piece of a long value would cost more than reading it.
    if (this.sink && this.unread === '' && this.arrived.length === 0) return this.sink(text);
    if (text !== '') this.arrived.push(text);
    return true;
  }

  /** Remembers this place, so that reading can go back to it once. One mark at a time. */
  mark(): void {
    const pieces = [this.unread, ...[...this.returned].reverse(), ...this.arrived];
    this.marked = { position: this.position, pieces };
  }

  /** Goes back to the mark. */
  rewind(): void {
    this.return(this.release());
  }

  /** Gives up the mark and returns what was read since. */
  release(): string {
    if (!this.marked) return '';
    const { position, pieces } = this.marked;
    this.marked = undefined;
    return pieces.join('').slice(0, this.position - position);
  }

  /** Whether all of the reply was taken and no more will come. */
  get isOver(): boolean {
    return this.ended && this.unread === '' && this.returned.length === 0 && this.arrived.length === 0;
  }

  /** Makes what has arrived readable; says whether there was anything. */
  load(): boolean {
    const slice = this.returned.pop();
    if (slice !== undefined) {
      this.unread += slice;
      return true;
    }
    const [first] = this.arrived;
    if (first === undefined) return false;
    const more = this.arrived.length === 1 ? first : this.arrived.join('');
    this.arrived = [];
    this.unread = this.unread === '' ? more : this.unread + more;
    return true;
  }

  take(count: number): string {
    const { unread } = this;
    if (count >= unread.length) {
      this.unread = '';
      this.position += unread.length;
      return unread;
    }
    this.unread = unread.slice(count);
    this.position += count;
    return unread.slice(0, count);
  }

  /**
   * Lets the last text that was taken be read again, as what had swallowed it was misread. Answers false where that must
   * not be: in a reply that was cut, and after a few times, so that the cost stays linear.
   */
  putBack(text: string): boolean {
    if (this.isCut || this.putBacks >= PUT_BACKS) return false;
    this.putBacks++;
    this.return(text);
    return true;
  }

  /** Makes the last text that was taken unread again; in slices, as grammars look through all that is unread. */
  private return(text: string): void {
    if (text === '') return;
    const all = text + this.unread;
    const slices: string[] = [];
    for (let at = 0; at < all.length; at += SLICE) slices.push(all.slice(at, at + SLICE));
    this.returned.push(...slices.reverse());
    this.unread = '';
    this.position -= text.length;
  }

  /** Waits until `count` characters can be looked at; false when the reply ends before. */
  *need(count: number): Reading<boolean> {
    while (this.unread.length < count) {
      if (this.load()) continue;
      if (this.ended) return false;
      yield;
    }
    return true;
  }

  /** Whether the literal stands at an offset; waits only while that is undecided. */
  *sees(literal: string, offset = 0): Reading<boolean> {
    for (;;) {
      const seen = this.unread.slice(offset, offset + literal.length);
      if (seen === literal) return true;
      if (!literal.startsWith(seen)) return false;
      if (!(yield* this.need(offset + seen.length + 1))) return false;
    }
  }

  /** Takes the literal if it stands here. */
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
   * Hands over text up to the first of the literals, in pieces, and stops in front of it. Returns the literal, or
   * `undefined` when the reply ended first (then all of it was handed over).
   */
  *upTo(literals: readonly string[], onPiece: (text: string) => void): Reading<string | undefined> {
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
        if (passes(text, literals)) {
          this.position += text.length;
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
   * Hands text to a scanner until it says how many characters of the last piece were its own. False when the reply
   * ended first.
   */
  *through(scan: (piece: string) => number | undefined): Reading<boolean> {
    const scanned = { isOver: false };
    const take = (piece: string): boolean => {
      const used = scan(piece);
      scanned.isOver = used !== undefined;
      this.position += used ?? piece.length;
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

  /**
   * Waits until the rest of the line from an offset can be looked at; returns where it ends. All in front of the offset
   * has been looked at before.
   */
  *lineEnd(from: number): Reading<number> {
    const here = this.unread.indexOf('\n', from);
    if (here >= 0) return here;
    if (this.returned.length > 0) {
      const slices: string[] = [];
      while (this.returned.length > 0 && !slices.at(-1)?.includes('\n'))
        slices.push(this.returned.pop() ?? '');
      this.unread += slices.join('');
      const found = this.unread.indexOf('\n', from);
      if (found >= 0) return found;
    }
    let checked = 0;
    for (;;) {
      // Looked at piece by piece: joining a long line anew for every piece would cost the square of its length.
      while (checked < this.arrived.length) {
        if (this.arrived[checked++]?.includes('\n')) {
          this.load();
          return this.unread.indexOf('\n', from);
        }
      }
      if (this.ended) {
        this.load();
        return this.unread.length;
      }
      yield;
    }
  }
}

/** Whether a text neither holds one of the literals nor ends in the beginning of one. */
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
