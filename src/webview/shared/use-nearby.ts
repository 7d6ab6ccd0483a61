import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

interface Parts {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Holds the entries; each of them says its index (`data-entry`). */
  readonly content: RefObject<HTMLElement | null>;
  /** How many entries there are. */
  readonly count: number;
  /** The end is kept in sight, so nothing else is. */
  readonly following?: boolean;
  /** Entries that are drawn wherever they are. */
  readonly held?: readonly number[];
  /** How many entries a selection keeps drawn, so that they can be copied; any number if not given. */
  readonly mostSelected?: number;
  /** What is in sight at first; the end if not given. */
  readonly start?: EntryPlace | undefined;
  /** Told what is in sight; nothing when that is the end. */
  readonly onPlace?: (place: EntryPlace | undefined) => void;
}

interface Nearby {
  /** Entries by index, and ranges of them that are not drawn. */
  readonly drawn: readonly (number | Range)[];
  /** In pixels. */
  readonly heightOf: (range: Range) => number;
}

interface Choice {
  readonly near: Range;
  readonly held: readonly number[];
}

/** Around the place where a page begins; how high entries are nobody knows yet. */
const AT_FIRST = { before: 3, after: 12 };

/**
 * Chooses the entries that are drawn: those within a screen of what is in sight. Where the height of one turns out
 * otherwise than expected, what is in sight stays where it is.
 */
export function useNearby(parts: Parts): Nearby {
  const { scroller, content, count, following = false, held = [], mostSelected = Infinity } = parts;
  const { start, onPlace } = parts;
  const heights = useMemo(() => new EntryHeights(), []);
  const [choice, setChoice] = useState<Choice>(() => ({ near: around(start, count), held: [] }));
  const latest = useRef({ count, choice, following, onPlace });
  latest.current = { count, choice, following, onPlace };
  const place = useRef<KeptPlace>(undefined);
  const again = useRef<() => void>(undefined);

  useLayoutEffect(() => {
    const [box, list] = [scroller.current, content.current];
    if (!box || !list) return undefined;
    const kept = new KeptPlace(box);
    place.current = kept;
    const first = start && list.querySelector(`:scope > [data-entry="${start.entry}"]`);
    if (first) kept.put(first, start.top);
    const used = new Set<number>();
    const look = (): void => {
      const entries = [...list.children].filter((child) => indexOf(child) !== undefined);
      for (const entry of entries) heights.set(indexOf(entry) ?? 0, entry.getBoundingClientRect().height);
      kept.note(entries);
      latest.current.onPlace?.(latest.current.following ? undefined : kept.place);
      const { scrollTop, clientHeight } = box;
      const { count, choice } = latest.current;
      const next = {
        near: heights.between(scrollTop - clientHeight, scrollTop + 2 * clientHeight, count),
        held: [...used, ...focused(list), ...selected(list, mostSelected)],
      };
      if (isSame(choice, next)) return;
      // With nothing drawn in sight there is nothing to keep in its place while other heights become known.
      const seen = heights.between(scrollTop, scrollTop + clientHeight, count);
      if (choice.near.from <= seen.from && seen.to <= choice.near.to) heights.learn();
      setChoice(next);
    };
    // What the user has unfolded there must not be folded behind their back.
    const onClick = ({ target }: Event): void => {
      const control = target instanceof Element ? target.closest('summary, button') : null;
      const index = control && indexAround(control, list);
      if (typeof index === 'number') used.add(index);
    };
    const observer = new ResizeObserver(() => {
      if (!latest.current.following) kept.keep();
      look();
    });
    observer.observe(list);
    observer.observe(box);
    again.current = () => {
      observer.unobserve(list);
      observer.observe(list);
    };
    box.addEventListener('scroll', look, { passive: true });
    list.addEventListener('click', onClick);
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', look);
      list.removeEventListener('click', onClick);
    };
  }, []);

  useLayoutEffect(() => {
    if (!following) place.current?.keep();
  }, [choice]);
  // A list with a minimum height does not grow with its first entries, and then the observer would not fire.
  useLayoutEffect(() => again.current?.(), [count]);
  useLayoutEffect(() => onPlace?.(following ? undefined : place.current?.place), [following]);

  return {
    drawn: drawnEntries(count, choice.near, [...choice.held, ...held]),
    heightOf: (range) => heights.of(range),
  };
}

function around(place: EntryPlace | undefined, count: number): Range {
  if (!place) return { from: count, to: count };
  return {
    from: Math.max(0, place.entry - AT_FIRST.before),
    to: Math.min(count, place.entry + AT_FIRST.after),
  };
}

/** The entry that has the focus must not take it away with itself. */
function focused(list: Element): readonly number[] {
  const index = indexAround(document.activeElement, list);
  return index === undefined ? [] : [index];
}

/** What is selected can be copied, also where it is out of sight. */
function selected(list: Element, most: number): readonly number[] {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return [];
  const ends = [selection.anchorNode, selection.focusNode].flatMap((node) => indexAround(node, list) ?? []);
  if (ends.length === 0) return [];
  const range = { from: Math.min(...ends), to: Math.max(...ends) + 1 };
  return range.to - range.from > most ? [] : indicesIn(range);
}

function indexAround(node: Node | null, list: Element): number | undefined {
  if (node === null || !list.contains(node)) return undefined;
  let element = node instanceof Element ? node : node.parentElement;
  while (element && element.parentElement !== list) element = element.parentElement;
  return element ? indexOf(element) : undefined;
}

function isSame(before: Choice, next: Choice): boolean {
  return (
    before.near.from === next.near.from &&
    before.near.to === next.near.to &&
    before.held.join() === next.held.join()
  );
}

/** Indices from one up to another, which is not among them. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** So many at the end are always drawn: what waits for the user stands there, and what is new. */
export const NEWEST = 4;

/** What an entry is taken for before any was measured, in pixels. */
const UNKNOWN = 100;

/** How high the entries are: those that were drawn as they were then, the others as these are on average. */
export class EntryHeights {
  private readonly known = new Map<number, number>();
  private average = UNKNOWN;

  set(index: number, height: number): void {
    this.known.set(index, height);
  }

  /** Counts what was measured since in the average. Not by itself: whatever stands for entries must be drawn anew. */
  learn(): void {
    const sum = [...this.known.values()].reduce((total, height) => total + height, 0);
    if (sum > 0) this.average = sum / this.known.size;
  }

  of({ from, to }: Range): number {
    let sum = 0;
    for (let index = from; index < to; index++) sum += this.at(index);
    return sum;
  }

  /** Those of the first `count` that stand between two places, counted from the top of the first. */
  between(top: number, bottom: number, count: number): Range {
    let [from, place] = [0, 0];
    for (; from < count; from++) {
      const end = place + this.at(from);
      if (end > top) break;
      place = end;
    }
    let to = from;
    for (; to < count && place < bottom; to++) place += this.at(to);
    return { from, to };
  }

  private at(index: number): number {
    return this.known.get(index) ?? this.average;
  }
}

/**
 * What is drawn, in order: entries by index, and ranges of entries in whose place only their room is kept. Drawn are the
 * near ones, the newest, and those that are held.
 */
export function drawnEntries(
  count: number,
  near: Range,
  held: Iterable<number>,
): readonly (number | Range)[] {
  const newest = { from: count - NEWEST, to: count };
  const indices = [...indicesIn(near), ...indicesIn(newest), ...held].filter(
    (index) => index >= 0 && index < count,
  );
  const drawn: (number | Range)[] = [];
  let next = 0;
  for (const index of [...new Set(indices)].sort((a, b) => a - b)) {
    if (index > next) drawn.push({ from: next, to: index });
    drawn.push(index);
    next = index + 1;
  }
  return drawn;
}

export function indicesIn({ from, to }: Range): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

/** An entry that is in sight. */
export interface EntryPlace {
  readonly entry: number;
  /** Of its upper edge, in pixels below that of the box. */
  readonly top: number;
}

/**
 * Keeps an entry where it is in sight while heights above it change. Our own: the browser's scroll anchoring takes the
 * room of entries that are not drawn for something to hold on to.
 */
class KeptPlace {
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
  get place(): EntryPlace | undefined {
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
function indexOf(element: Element): number | undefined {
  const index = element instanceof HTMLElement ? element.dataset['entry'] : undefined;
  return index === undefined ? undefined : Number(index);
}
