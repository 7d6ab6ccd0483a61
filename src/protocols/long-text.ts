/**
 * A text that comes in pieces and may get long. Joined block by block: a million small strings weigh several times
 * their text, and those that die young cost the collector nothing. The engine joins the blocks at the first look inside.
 */
export class LongText {
  private joined = '';
  private pieces: string[] = [];
  private pending = 0;

  get length(): number {
    return this.joined.length + this.pending;
  }

  add(piece: string): void {
    this.pending += piece.length;
    this.pieces.push(piece);
    if (isBlock(this.pieces, this.pending)) this.closeBlock({ isLast: false });
  }

  join(): string {
    this.closeBlock({ isLast: true });
    return this.joined;
  }

  private closeBlock({ isLast }: { isLast: boolean }): void {
    const block = this.pieces.join('');
    this.joined += isLast || this.joined === '' ? narrow(block) : block;
    this.pieces = [];
    this.pending = 0;
  }
}

/** Whether so many pieces of so much text together are worth joining. */
export function isBlock(pieces: readonly string[], length: number): boolean {
  return pieces.length >= 1024 || length >= 16_384;
}

/**
 * Engines keep text that was cut off beside a character outside Latin-1, as many markers are, as wide as that
 * character, and one such piece makes the whole value twice as big.
 */
function narrow(text: string): string {
  return text.split('').join('');
}
