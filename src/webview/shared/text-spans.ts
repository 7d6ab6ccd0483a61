/** A part of a text that says something of its own. Offsets are in UTF-16 units. */
export interface TextSpan {
  /** Unlike any other in the same text. */
  readonly id: string;
  readonly kind: SpanKind;
  readonly start: number;
  /** Where it is the same as `start`, only the place is marked. */
  readonly end: number;
  /** What it is called where it begins, in a few words: `read_file`. */
  readonly label: string;
}

/** `text` is what needs no mark: it is drawn as it is. */
export type SpanKind = 'text' | 'reasoning' | 'call' | 'malformed' | 'warning';

/** A piece of a row: all of it stands in the same spans. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  /** The outermost first. */
  readonly spans: readonly TextSpan[];
  /** Those that begin here. */
  readonly opened: readonly TextSpan[];
}

/** In the order in which they begin, the wider ones first. */
export function inOrder(spans: readonly TextSpan[]): readonly TextSpan[] {
  return [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Whether it has something in a stretch of text, or at one of its ends. */
export function touches(span: TextSpan, { start, end }: Stretch): boolean {
  return span.start <= end && span.end >= start;
}

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a stretch of text where spans begin and end. The pieces follow each other; an empty one comes last where spans
 * begin at the very end of a text.
 */
export function cutAtSpans(
  { start, end, isLast }: Stretch & { readonly isLast: boolean },
  spans: readonly TextSpan[],
): readonly Piece[] {
  const near = spans.filter((span) => touches(span, { start, end }));
  const inside = near.flatMap((span) => [span.start, span.end]).filter((at) => at > start && at < end);
  const behind = isLast && near.some((span) => span.start === end) ? [end] : [];
  const cuts = [...new Set([start, ...inside, ...behind])].sort((a, b) => a - b);
  return cuts.map((from, index) => ({
    start: from,
    end: cuts[index + 1] ?? end,
    spans: near.filter((span) => span.start <= from && span.end > from),
    opened: near.filter((span) => span.start === from),
  }));
}
