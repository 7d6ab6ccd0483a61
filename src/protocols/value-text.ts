import { LongText } from './long-text';

/** The text of a value as it streams in, and what of it stands behind a place where it may have ended. */
export class ValueText {
  /** Whether nothing but blanks has come since the last line break. */
  isLineStart = false;
  private readonly all = new LongText();
  private rest: LongText | undefined;

  add(piece: string): void {
    this.all.add(piece);
    this.rest?.add(piece);
    this.isLineStart = endsAtLineStart(piece, this.isLineStart);
  }

  /** Whatever was unclosed may have ended here; only the first such place counts. */
  mark(): void {
    this.rest ??= new LongText();
  }

  get isMarked(): boolean {
    return this.rest !== undefined;
  }

  /** What came behind the mark; `undefined` without one. */
  get behind(): string | undefined {
    return this.rest?.join();
  }

  join(): string {
    return this.all.join();
  }

  /** The text without one line break at each end. */
  joinInner(): string {
    return this.all.joinInner();
  }
}

function endsAtLineStart(text: string, before: boolean): boolean {
  // By hand: a pattern anchored at the end would try every run of blanks.
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text[at];
    if (char === '\n') return true;
    if (char !== ' ' && char !== '\t') return false;
  }
  return before;
}
