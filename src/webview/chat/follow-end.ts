import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** So near to the end counts as there. */
const NEAR = 24;

export interface FollowEnd {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly following: boolean;
  readonly jump: () => void;
}

/** Keeps the end in sight while the user is there; whoever scrolls up is left alone until they come back. */
export function useFollowEnd(): FollowEnd {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  const isFollowing = useRef(true);

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
      const isAtEnd = box.scrollHeight - box.clientHeight - box.scrollTop < NEAR;
      // Growing content moves nobody: only going up is a wish to stay.
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
      if (isFollowing.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(content.current);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  return { scroller, content, following, jump };
}
