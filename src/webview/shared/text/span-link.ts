import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useState } from 'preact/hooks';

/** Side on which a span is shown: in the text, or in the list of findings. */
type SpanSide = 'text' | 'list';

/** Links spans of a text to list items: highlighting one side marks both. */
export interface SpanLink {
  /** Id of the span under the pointer, else of the last selected one. */
  readonly marked: string | undefined;
  /** The clicked or focused side; the other side scrolls it into view. */
  readonly picked: { readonly id: string; readonly side: SpanSide } | undefined;
  readonly tie: TieSpan;
}

/** Properties of an element that represents a span. */
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

/** Scrolls to the span that was selected on the other side. `root` contains the elements of this side. */
export function useReveal({ picked }: SpanLink, side: SpanSide, root: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (!picked || picked.side === side) return;
    root.current
      ?.querySelector(`[data-span="${CSS.escape(picked.id)}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }, [picked]);
}
