import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useState } from 'preact/hooks';

/** Where a span can be met: in the text, or in a list of what was found in it. */
type SpanSide = 'text' | 'list';

/** Ties the spans of a text to the items of a list: what is looked at on one side is marked on both. */
export interface SpanLink {
  /** The id of the span under the pointer, else of the one picked last. */
  readonly marked: string | undefined;
  /** The one that was clicked or has got the focus; the other side brings it into sight. */
  readonly picked: { readonly id: string; readonly side: SpanSide } | undefined;
  readonly tie: TieSpan;
}

/** The properties of an element that stands for a span. */
export type TieSpan = (id: string, side: SpanSide) => SpanProps;

interface SpanProps {
  readonly 'data-span': string;
  readonly onMouseEnter: () => void;
  readonly onMouseLeave: () => void;
  readonly onFocus: () => void;
  readonly onClick: () => void;
}

export function useSpanLink(): SpanLink {
  const [hovered, setHovered] = useState<string>();
  const [picked, setPicked] = useState<SpanLink['picked']>();
  const tie = useCallback<TieSpan>((id, side) => {
    const pick = (): void => setPicked({ id, side });
    return {
      'data-span': id,
      onMouseEnter: () => setHovered(id),
      onMouseLeave: () => setHovered((now) => (now === id ? undefined : now)),
      onFocus: pick,
      onClick: pick,
    };
  }, []);
  return { marked: hovered ?? picked?.id, picked, tie };
}

/** Brings into sight what was picked on the other side. `root` holds the elements of this one. */
export function useReveal({ picked }: SpanLink, side: SpanSide, root: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (!picked || picked.side === side) return;
    root.current
      ?.querySelector(`[data-span="${CSS.escape(picked.id)}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }, [picked]);
}
