/** Blanks that are held back; more would be kept for nothing. */
const MOST_BLANKS = 64;

/**
 * What a reply says, as the client is to get it: without what it was told in the try before, where that is said again, and
 * without the blanks that a protocol puts in front of a call. Linear, whatever the pieces.
 */
export class SaidText {
  /** Where reading stands in what was said before, as long as the same is said. */
  private at = 0;
  private isNew: boolean;
  private blanks = '';

  constructor(private readonly before: string) {
    this.isNew = before === '';
  }

  /** What may go out now. */
  add(text: string): string {
    const all = this.blanks + this.fresh(text);
    const end = all.trimEnd().length;
    if (all.length - end > MOST_BLANKS) {
      this.blanks = '';
      return all;
    }
    this.blanks = all.slice(end);
    return all.slice(0, end);
  }

  /** What is left at the end of the reply. */
  end(isCalled: boolean): string {
    if (isCalled) return '';
    return this.isNew ? this.blanks : this.before.slice(0, this.at);
  }

  private fresh(text: string): string {
    const { before, at } = this;
    if (this.isNew) return text;
    const count = Math.min(text.length, before.length - at);
    if (!before.startsWith(text.slice(0, count), at)) {
      this.isNew = true;
      return before.slice(0, at) + text;
    }
    this.at += count;
    this.isNew = this.at === before.length;
    return text.slice(count);
  }
}
