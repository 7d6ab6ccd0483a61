/**
 * Keeps an entry where it is in sight while heights above it change. Our own: the browser's scroll anchoring takes the
 * room of entries that are not drawn for something to hold on to.
 */
export class KeptPlace {
  private entry: Element | undefined;
  /** Of the entry, from the upper edge of the box. */
  private top = 0;
  private scrollTop = 0;

  constructor(private readonly box: Element) {}

  /** The first of these entries that is in sight is kept where it is now. */
  note(entries: readonly Element[]): void {
    const { top } = this.box.getBoundingClientRect();
    this.entry = entries.find((entry) => entry.getBoundingClientRect().bottom > top);
    this.top = this.entry ? this.entry.getBoundingClientRect().top - top : 0;
    this.scrollTop = this.box.scrollTop;
  }

  keep(): void {
    const { box, entry } = this;
    // Somebody has scrolled, and will be heard of.
    if (!entry?.isConnected || Math.abs(box.scrollTop - this.scrollTop) > 1) return;
    const top = entry.getBoundingClientRect().top - box.getBoundingClientRect().top;
    box.scrollTop += top - this.top;
    this.scrollTop = box.scrollTop;
  }
}
