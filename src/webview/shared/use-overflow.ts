import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Whether the box overflows; then the keyboard must reach it to scroll. */
export function useOverflow(box: RefObject<HTMLElement | null>): boolean {
  const [isOver, setOver] = useState(false);
  const look = (): void => {
    const { current } = box;
    if (current) setOver(current.scrollHeight > current.clientHeight + 1);
  };
  useLayoutEffect(look);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return isOver;
}
