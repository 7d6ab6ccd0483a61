import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Marks an element whose end must have been in view. */
export const MUST_BE_SEEN = { 'data-must-be-seen': '' } as const;
/** Marks a button behind which a part of the request is hidden. */
export const HIDES_REST = { 'data-hides-rest': '' } as const;

/**
 * Calls `onSeen` once the end of every marked element in the box has been in view, at the same time or one after
 * another, and nothing is hidden behind a button. `key` starts over.
 */
export function useAllSeen(box: RefObject<HTMLElement | null>, key: unknown, onSeen: () => void): void {
  const seen = useRef(new WeakSet<Element>());
  const isDone = useRef<unknown>(undefined);
  const look = (): void => {
    const { current } = box;
    if (!current || isDone.current === key || document.visibilityState !== 'visible') return;
    const marked = [...current.querySelectorAll('[data-must-be-seen]')];
    for (const each of marked) if (isEndInView(each)) seen.current.add(each);
    if (current.querySelector('[data-hides-rest]') || !marked.every((each) => seen.current.has(each))) return;
    isDone.current = key;
    onSeen();
  };
  useLayoutEffect(() => {
    seen.current = new WeakSet();
  }, [key]);
  // What is drawn may have changed.
  useLayoutEffect(look);
  const latest = useRef(look);
  latest.current = look;
  useLayoutEffect(() => {
    const again = (): void => latest.current();
    const observer = new ResizeObserver(again);
    for (let each: Element | null = box.current; each; each = each.parentElement) observer.observe(each);
    document.addEventListener('scroll', again, { capture: true, passive: true });
    document.addEventListener('visibilitychange', again);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', again, { capture: true });
      document.removeEventListener('visibilitychange', again);
    };
  }, []);
}

/** Pixels by which positions are rounded. */
const ROUNDING = 1;

/** Whether the beginning of the last line is in the window, and in every scroll box around it. */
function isEndInView(element: Element): boolean {
  const { top, bottom, left } = element.getBoundingClientRect();
  const line = Math.min(bottom - top, Number.parseFloat(getComputedStyle(element).lineHeight) || Infinity);
  const isWithin = (from: number, to: number, [start, end]: readonly [number, number]): boolean =>
    from >= start - ROUNDING && to <= end + ROUNDING;
  if (!isWithin(bottom - line, bottom, [0, innerHeight]) || !isWithin(left, left, [0, innerWidth]))
    return false;
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (getComputedStyle(box).overflowY === 'visible') continue;
    const inner = box.getBoundingClientRect();
    const start = inner.top + box.clientTop;
    if (!isWithin(bottom - line, bottom, [start, start + box.clientHeight])) return false;
  }
  return true;
}
