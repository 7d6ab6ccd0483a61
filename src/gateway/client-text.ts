/** Maximum of blanks that are held back. */
const MOST_BLANKS = 64;

/**
 * The text of a reply for the client: without repeating text from the previous attempt, and without the blanks that a
 * protocol puts before a call. Linear, however the text is split.
 */
export class ClientText {
  /** Position in the previous text, while the new text is the same. */
  private at = 0;
  private isNew: boolean;
  private blanks = '';

  constructor(private readonly before: string) {
    this.isNew = before === '';
  }

  /** The text that may be sent now. */
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
