import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** Pixels from the end that still count as the end. */
const NEAR = 24;

interface FollowEnd {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly following: boolean;
  readonly jump: () => void;
  /** Stays where the user is sent, until they scroll to the end. */
  readonly stay: () => void;
}

/**
 * Keeps the end visible while the user is there; a user who scrolls up stays there until they scroll back. `rest` may
 * return a more important position before the end. `isAtEnd` is the initial state.
 */
export function useFollowEnd(rest: (box: HTMLElement) => number = scrollEnd, isAtEnd = true): FollowEnd {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(isAtEnd);
  const isFollowing = useRef(isAtEnd);
  const placed = useRef(-1);

  const follow = (value: boolean): void => {
    isFollowing.current = value;
    setFollowing(value);
  };
  const jump = (): void => {
    follow(true);
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  };

  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    let top = box.scrollTop;
    const onScroll = (): void => {
      const isOurs = Math.abs(box.scrollTop - placed.current) < 1;
      placed.current = -1;
      if (isOurs) {
        top = box.scrollTop;
        return;
      }
      const isAtEnd = box.scrollHeight - box.clientHeight - box.scrollTop < NEAR;
      // Growing content moves nothing; only scrolling up means that the user wants to stay.
      if (isAtEnd) follow(true);
      else if (box.scrollTop < top) follow(false);
      top = box.scrollTop;
    };
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => box.removeEventListener('scroll', onScroll);
  }, []);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !content.current) return undefined;
    const observer = new ResizeObserver(() => {
      if (!isFollowing.current) return;
      box.scrollTop = rest(box);
      // The following event is not caused by the user, even if the browser scrolled first.
      placed.current = box.scrollTop;
    });
    observer.observe(content.current);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  return { scroller, content, following, jump, stay: () => follow(false) };
}

export function scrollEnd(box: HTMLElement): number {
  return box.scrollHeight - box.clientHeight;
}
