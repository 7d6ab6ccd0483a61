import type { ReadCaps } from './numbered-lines';

/** The newest lines of a stream, as many as the caps allow. */
export class LatestLines {
  private kept: string[] = [];
  private start = 0;
  private characters = 0;

  constructor(private readonly caps: ReadCaps) {}

  add(line: string): void {
    this.kept.push(line);
    this.characters += line.length + 1;
    while (this.isOver()) this.characters -= (this.kept[this.start++]?.length ?? 0) + 1;
    // Moving the rest once in a while costs less than moving it for every line.
    if (this.start > this.caps.lines) this.drop();
  }

  lines(): readonly string[] {
    this.drop();
    return this.kept;
  }

  private isOver(): boolean {
    const count = this.kept.length - this.start;
    return count > this.caps.lines || (count > 1 && this.characters > this.caps.bytes);
  }

  private drop(): void {
    this.kept = this.kept.slice(this.start);
    this.start = 0;
  }
}
