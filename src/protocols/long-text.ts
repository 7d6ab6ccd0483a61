/**
 * A text that comes in pieces and may get long. Joined block by block: a million small strings weigh several times
 * their text, and those that die young cost the collector nothing.
 */
export class LongText {
  length = 0;
  private pieces: string[] = [];
  private readonly blocks: string[] = [];

  add(piece: string): void {
    this.length += piece.length;
    if (this.pieces.push(piece) === PIECES_PER_BLOCK) this.closeBlock();
  }

  join(): string {
    this.closeBlock();
    return this.blocks.length === 1 ? (this.blocks[0] ?? '') : this.blocks.join('');
  }

  private closeBlock(): void {
    this.blocks.push(this.pieces.join(''));
    this.pieces = [];
  }
}

const PIECES_PER_BLOCK = 1024;
