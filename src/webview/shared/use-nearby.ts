import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

interface Parts {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Contains the entries; each has its index (`data-entry`). */
  readonly content: RefObject<HTMLElement | null>;
  /** Number of entries. */
  readonly count: number;
  /** Entries without content, which have no element. */
  readonly isEmpty?: (index: number) => boolean;
  /** The end is kept visible, so nothing else is. */
  readonly following?: boolean;
  /** Entries that are always drawn. */
  readonly held?: readonly number[];
  /** How many entries a selection keeps drawn, so that they can be copied; unlimited if not given. */
  readonly mostSelected?: number;
  /** Initial position; the end if not given. */
  readonly start?: EntryPlace | undefined;
  /** Called with the visible position; nothing at the end. */
  readonly onPlace?: (place: EntryPlace | undefined) => void;
  /** Called with the first visible entry, also at the end. */
  readonly onTop?: (entry: number | undefined) => void;
}

interface Nearby {
  /** Entries by index, and ranges of entries that are not drawn. */
  readonly drawn: readonly (number | EntryRange)[];
  /** In pixels. */
  readonly heightOf: (range: EntryRange) => number;
}

interface Choice {
  readonly near: EntryRange;
  readonly held: readonly number[];
}

/** Entries around the initial position; heights are not known yet. */
const AT_FIRST = { before: 3, after: 12 };

/**
 * Chooses the entries to draw: those within a screen of the visible part. If the height of one differs from the
 * estimate, the visible part stays in place.
 */
export function useNearby(parts: Parts): Nearby {
  const { scroller, content, count, following = false, held = [], mostSelected = Infinity } = parts;
  const { start, onPlace, onTop, isEmpty } = parts;
  const heights = useMemo(() => new EntryHeights(), []);
  heights.isEmpty = isEmpty;
  const [choice, setChoice] = useState<Choice>(() => ({ near: around(start, count), held: [] }));
  const latest = useRef({ count, choice, following, onPlace, onTop });
  latest.current = { count, choice, following, onPlace, onTop };
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
      latest.current.onTop?.(kept.place?.entry);
      const { scrollTop, clientHeight } = box;
      const { count, choice } = latest.current;
      const next = {
        near: heights.between(scrollTop - clientHeight, scrollTop + 2 * clientHeight, count),
        held: [...used, ...focused(list), ...selected(list, mostSelected)],
      };
      if (isSame(choice, next)) return;
      // If nothing drawn is visible, there is nothing to keep in place while other heights become known.
      const seen = heights.between(scrollTop, scrollTop + clientHeight, count);
      if (choice.near.from <= seen.from && seen.to <= choice.near.to) heights.learn();
      setChoice(next);
    };
    // Content that the user unfolded must not be folded while out of view.
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
    // Entries that have just been drawn may be in sight, and the list as high as before.
    again.current?.();
  }, [choice]);
  // A list with a minimum height does not grow with its first entries, so the observer would not fire.
  useLayoutEffect(() => again.current?.(), [count]);
  useLayoutEffect(() => onPlace?.(following ? undefined : place.current?.place), [following]);

  return {
    drawn: drawnEntries(count, choice.near, [...choice.held, ...held]),
    heightOf: (range) => heights.of(range),
  };
}

function around(place: EntryPlace | undefined, count: number): EntryRange {
  if (!place) return { from: count, to: count };
  return {
    from: Math.max(0, place.entry - AT_FIRST.before),
    to: Math.min(count, place.entry + AT_FIRST.after),
  };
}

/** The focused entry must not be removed with its focus. */
function focused(list: Element): readonly number[] {
  const index = indexAround(document.activeElement, list);
  return index === undefined ? [] : [index];
}

/** Selected text can be copied even if it is out of view. */
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

/** Indices from one up to another, which is excluded. */
interface EntryRange {
  readonly from: number;
  readonly to: number;
}

/** Number of entries at the end that are always drawn: waiting calls and new entries are there. */
export const NEWEST = 4;

/** Estimated height in pixels before anything was measured. */
const UNKNOWN = 100;

/** Heights of the entries: measured ones as they were last drawn, others by the average. */
export class EntryHeights {
  /** Whether an entry has no height. */
  isEmpty: ((index: number) => boolean) | undefined;
  private readonly known = new Map<number, number>();
  private average = UNKNOWN;

  set(index: number, height: number): void {
    this.known.set(index, height);
  }

  /** Updates the average with new measurements. Called explicitly, because placeholders must be redrawn then. */
  learn(): void {
    const sum = [...this.known.values()].reduce((total, height) => total + height, 0);
    if (sum > 0) this.average = sum / this.known.size;
  }

  of({ from, to }: EntryRange): number {
    let sum = 0;
    for (let index = from; index < to; index++) sum += this.at(index);
    return sum;
  }

  /** Of the first `count` entries, those between two positions from the top of the first. */
  between(top: number, bottom: number, count: number): EntryRange {
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
    if (this.isEmpty?.(index)) return 0;
    return this.known.get(index) ?? this.average;
  }
}

/**
 * What is drawn, in order: entries by index, and ranges of entries replaced by a placeholder. Drawn are nearby
 * entries, the newest, and those that are held.
 */
export function drawnEntries(
  count: number,
  near: EntryRange,
  held: Iterable<number>,
): readonly (number | EntryRange)[] {
  const newest = { from: count - NEWEST, to: count };
  const indices = [...indicesIn(near), ...indicesIn(newest), ...held].filter(
    (index) => index >= 0 && index < count,
  );
  const drawn: (number | EntryRange)[] = [];
  let next = 0;
  for (const index of [...new Set(indices)].sort((a, b) => a - b)) {
    if (index > next) drawn.push({ from: next, to: index });
    drawn.push(index);
    next = index + 1;
  }
  return drawn;
}

export function indicesIn({ from, to }: EntryRange): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

/** A visible entry. */
export interface EntryPlace {
  readonly entry: number;
  /** Distance in pixels of its upper edge from that of the box. */
  readonly top: number;
}

/**
 * Keeps an entry in place while heights above it change. Not done by the browser, because its scroll anchoring uses
 * placeholders as anchors.
 */
class KeptPlace {
  private entry: Element | undefined;
  /** Distance of the entry from the upper edge of the box. */
  private top = 0;
  private scrollTop = 0;

  constructor(private readonly box: Element) {}

  /** Keeps the first visible one of these entries in place. */
  note(entries: readonly Element[]): void {
    const { top } = this.box.getBoundingClientRect();
    this.entry = entries.find((entry) => entry.getBoundingClientRect().bottom > top);
    this.top = this.entry ? this.entry.getBoundingClientRect().top - top : 0;
    this.scrollTop = this.box.scrollTop;
  }

  /** Scrolls an entry to its previous position. */
  put(entry: Element, top: number): void {
    this.entry = entry;
    this.top = top;
    this.scrollTop = this.box.scrollTop;
    this.keep();
  }

  /** The kept position. */
  get place(): EntryPlace | undefined {
    const entry = this.entry && indexOf(this.entry);
    return entry === undefined ? undefined : { entry, top: Math.round(this.top) };
  }

  keep(): void {
    const { box, entry } = this;
    // A scroll event is pending.
    if (!entry?.isConnected || Math.abs(box.scrollTop - this.scrollTop) > 1) return;
    const top = entry.getBoundingClientRect().top - box.getBoundingClientRect().top;
    box.scrollTop += top - this.top;
    this.scrollTop = box.scrollTop;
  }
}

/** Index of the conversation entry of an element. */
function indexOf(element: Element): number | undefined {
  const index = element instanceof HTMLElement ? element.dataset['entry'] : undefined;
  return index === undefined ? undefined : Number(index);
}
