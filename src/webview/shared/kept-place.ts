/** An entry that is in sight. */
export interface Place {
  readonly entry: number;
  /** Of its upper edge, in pixels below that of the box. */
  readonly top: number;
}

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

  /** Puts an entry where it was in sight before. */
  put(entry: Element, top: number): void {
    this.entry = entry;
    this.top = top;
    this.scrollTop = this.box.scrollTop;
    this.keep();
  }

  /** What is kept. */
  get place(): Place | undefined {
    const entry = this.entry && indexOf(this.entry);
    return entry === undefined ? undefined : { entry, top: Math.round(this.top) };
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

/** Which entry of the conversation an element is. */
export function indexOf(element: Element): number | undefined {
  const index = element instanceof HTMLElement ? element.dataset['entry'] : undefined;
  return index === undefined ? undefined : Number(index);
}
