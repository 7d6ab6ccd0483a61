/**
 * Which white space at the ends of a raw value belongs to the form: `pair`: line breaks, but only one counts for both
 * ends together; `each`: one at each end; `trimmed`: all of it.
 */
export type ValueEnds = 'pair' | 'each' | 'trimmed';

/**
 * A text that arrives in pieces and may become long. Joined block by block: a million small strings weigh several times
 * their text, and short-lived ones cost the garbage collector nothing. The engine flattens the blocks at the first
 * access.
 */
export class LongText {
  /** The first block, of at least two characters; kept apart because its beginning may be left out. */
  private head = '';
  private rest = '';
  private pieces: string[] = [];
  private pending = 0;

  get length(): number {
    return this.head.length + this.rest.length + this.pending;
  }

  add(piece: string): void {
    if (piece === '') return;
    this.pending += piece.length;
    this.pieces.push(piece);
    if (isBlock(this.pieces, this.pending)) this.closeBlock({ isLast: false });
  }

  join(): string {
    this.closeBlock({ isLast: true });
    return this.head + this.rest;
  }

  /** The text without the form's white space at its ends; line breaks are searched only in the first and last block. */
  joinInner(ends: ValueEnds): string {
    if (ends === 'trimmed') return this.join().trim();
    const last = this.pieces.join('');
    const start = /^\r?\n/.exec(this.head || last)?.[0].length ?? 0;
    const end = /\r?\n$/.exec(last)?.[0].length ?? 0;
    const isPair = start > 0 && end > 0 && start + end <= this.length;
    const isCut = ends === 'each' || isPair;
    this.pieces = [isCut ? last.slice(0, last.length - end) : last];
    this.pending = this.pieces[0]?.length ?? 0;
    this.closeBlock({ isLast: true });
    return (isCut ? this.head.slice(start) : this.head) + this.rest;
  }

  private closeBlock({ isLast }: { isLast: boolean }): void {
    // The last two pieces stay for the next block, so that a final line break is never split.
    const next = isLast ? [] : this.pieces.splice(-2);
    const block = this.pieces.join('');
    if (this.head.length < 2) this.head += narrow(block);
    else this.rest += isLast ? narrow(block) : block;
    this.pieces = next;
    this.pending = next.reduce((sum, piece) => sum + piece.length, 0);
  }
}

/** Whether so many pieces with so much text are worth joining. */
export function isBlock(pieces: readonly string[], length: number): boolean {
  return pieces.length >= 1024 || length >= 16_384;
}

/**
 * Engines store a slice of a text with characters outside Latin-1 (as many markers have) in two bytes per character,
 * and one such piece doubles the whole value.
 */
function narrow(text: string): string {
  return text.split('').join('');
}

/** How the tags around a call may be spelled. */
export interface CallTags {
  readonly openers: readonly string[];
  readonly closers: readonly string[];
}

/** The text of a value as it streams in, and the part of it after a place where it may have ended. */
export class ValueText extends LongText {
  /** Whether only blanks have come since the last line break. */
  isLineStart = false;
  /** The last character that was not a blank. */
  lastVisible = '';
  /** How many calls are open in it. */
  calls = 0;
  private swallowed: LongText | undefined;

  override add(piece: string): void {
    super.add(piece);
    this.swallowed?.add(piece);
    this.isLineStart = endsAtLineStart(piece, this.isLineStart);
    this.lastVisible = piece.trimEnd().at(-1) ?? this.lastVisible;
  }

  /** Marks a place where the unclosed text may have ended; only the first one counts. */
  mark(): void {
    this.swallowed ??= new LongText();
  }

  /** A tag of a call. If nothing in the value has opened it, it may be the end of the surrounding call. */
  pass(tag: string, { openers }: CallTags): void {
    if (openers.includes(tag)) this.calls++;
    else if (this.calls > 0) this.calls--;
    else this.mark();
  }

  get isMarked(): boolean {
    return this.swallowed !== undefined;
  }

  /** The text after the mark; `undefined` without a mark. */
  get behind(): string | undefined {
    return this.swallowed?.join();
  }
}

function endsAtLineStart(text: string, before: boolean): boolean {
  // A loop, because a regex anchored at the end would try every run of blanks.
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text[at];
    if (char === '\n') return true;
    if (char !== ' ' && char !== '\t') return false;
  }
  return before;
}
