/** A drawn line of a text, or a part of a very long one. Offsets are in UTF-16 units. */
export interface Row {
  readonly start: number;
  /** Excluding the line end. */
  readonly end: number;
  /** Start of the next row. */
  readonly next: number;
}

/** A longer line continues in the next row; otherwise a text without line ends would be laid out as one node. */
const LONGEST_ROW = 2000;

/** Maximum rows per box, which is drawn and laid out as a whole. */
const ROWS_IN_BOX = 50;
const LONGEST_BOX = 8 * 1024;

/** Elements with more rows would exceed the maximum height of a browser (2^25 pixels). */
const MOST_ROWS = 400_000;

/** A text split into rows, and rows into boxes; only boxes near the visible part are drawn. */
export class TextRows {
  /** Offset at which each box begins. */
  readonly boxes: readonly number[];
  /** Whether a line end begins a new row. With too many lines, line ends are drawn as signs. */
  readonly keepsLines: boolean;

  constructor(private readonly text: string) {
    this.keepsLines = countLines(text) <= MOST_ROWS;
    this.boxes = this.cut();
  }

  rangeOf(box: number): { readonly start: number; readonly end: number } {
    const { length } = this.text;
    return { start: this.boxes[box] ?? length, end: this.boxes[box + 1] ?? length };
  }

  rowsOf(box: number): readonly Row[] {
    const { start, end } = this.rangeOf(box);
    const rows: Row[] = [];
    for (let at = start; at < end;) {
      const row = this.rowAt(at);
      rows.push(row);
      at = row.next;
    }
    return rows;
  }

  /** The box that contains an offset; for an offset after the end, the last. */
  boxAt(offset: number): number {
    let [low, high] = [0, this.boxes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.boxes[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  private cut(): number[] {
    const boxes: number[] = [];
    for (let at = 0; at < this.text.length;) {
      boxes.push(at);
      const start = at;
      for (let rows = 0; rows < ROWS_IN_BOX && at < this.text.length; rows++) {
        const { next } = this.rowAt(at);
        if (rows > 0 && next - start > LONGEST_BOX) break;
        at = next;
      }
    }
    return boxes;
  }

  private rowAt(start: number): Row {
    const { text } = this;
    const longest = Math.min(start + LONGEST_ROW, text.length);
    // Not computed from the text itself: without line ends every row would scan all that follows.
    const length = this.keepsLines ? text.slice(start, longest + 1).indexOf('\n') : -1;
    if (length >= 0) {
      const newline = start + length;
      const end = length > 0 && text[newline - 1] === '\r' ? newline - 1 : newline;
      return { start, end, next: newline + 1 };
    }
    const next = longest < text.length && isInsideCharacter(text, longest) ? longest - 1 : longest;
    return { start, end: next, next };
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Between the halves of a surrogate pair, or of a line end. */
function isInsideCharacter(text: string, offset: number): boolean {
  return /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(offset - 1, offset + 1));
}

/** A marked part of a text. Offsets are in UTF-16 units. */
export interface TextSpan {
  /** Unique within the text. */
  readonly id: string;
  readonly kind: SpanKind;
  readonly start: number;
  /** If it equals `start`, only the position is marked. */
  readonly end: number;
  /** Name shown at its beginning, in a few words: `read_file`. */
  readonly label: string;
}

/** `text` needs no mark and is drawn as it is. `form` is the position where the form is violated. */
export type SpanKind = 'text' | 'reasoning' | 'call' | 'malformed' | 'warning' | 'form';

/** A piece of a row that lies entirely in the same spans. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  /** Outermost first. */
  readonly spans: readonly TextSpan[];
  /** Spans that begin here. */
  readonly opened: readonly TextSpan[];
}

/** Sorted by beginning, wider ones first. */
export function inOrder(spans: readonly TextSpan[]): readonly TextSpan[] {
  return [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Whether a span overlaps or touches a stretch of text. */
export function touches(span: TextSpan, { start, end }: Stretch): boolean {
  return span.start <= end && span.end >= start;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Splits a stretch of text where spans begin and end. The pieces are contiguous; an empty one comes last if spans
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
