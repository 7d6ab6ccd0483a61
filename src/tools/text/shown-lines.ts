import { byteSize, count, grouped, utf8Length } from './amounts';

interface ReadCaps {
  readonly lines: number;
  readonly bytes: number;
}

interface ShownLines {
  readonly text: string;
  /** How many lines it shows. */
  readonly shown: number;
  /** What was left out and how to continue; empty if nothing was. */
  readonly cut: string;
}

interface Numbering {
  /** The number of the first line. */
  readonly first: number;
  /** Each line comes after its number and a tab. */
  readonly numbers: boolean;
}

/** Lines as a model sees them, as many as one call may show. */
export function showLines(
  lines: readonly string[],
  { first, numbers }: Numbering,
  caps: ReadCaps,
): ShownLines {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(0, caps.lines)) {
    const size = utf8Length(line) + 1;
    if (bytes + size > caps.bytes) break;
    bytes += size;
    kept.push(line);
  }
  const [line] = lines;
  if (kept.length === 0 && line !== undefined) return cutLine(line, { first, numbers }, caps);
  const cut = kept.length < lines.length ? cutNote(first + kept.length, caps) : '';
  const shown = numbers ? kept.map((each, at) => numbered(each, first + at)) : kept;
  return { text: shown.join('\n'), shown: kept.length, cut };
}

function numbered(line: string, number: number): string {
  return `${number}\t${line}`;
}

/** A single line that is larger than what a call may show. */
function cutLine(line: string, { first, numbers }: Numbering, caps: ReadCaps): ShownLines {
  // A character takes three bytes at most for each of its UTF-16 units.
  const shown = line.slice(0, Math.floor(caps.bytes / 3)).replace(/[\ud800-\udbff]$/, '');
  const rest = grouped(line.length - shown.length);
  return {
    text: numbers ? numbered(shown, first) : shown,
    shown: 1,
    cut: `[Line ${first} is cut: ${rest} more characters. search_text shows parts of it. Go on with start_line=${first + 1}.]`,
  };
}

function cutNote(next: number, caps: ReadCaps): string {
  return `[Cut: a call shows ${count(caps.lines, 'line')} or ${byteSize(caps.bytes)}. Go on with start_line=${next}.]`;
}

/** The newest lines of a stream, as many as the caps allow. */
export class LatestLines {
  private kept: string[] = [];
  private start = 0;
  private characters = 0;

  constructor(private readonly caps: ReadCaps) {}

  add(line: string): void {
    this.kept.push(line);
    this.characters += line.length + 1;
    while (this.isOver()) this.characters -= (this.kept[this.start++]?.length ?? 0) + 1;
    // Moving the rest once in a while costs less than moving it for every line.
    if (this.start > this.caps.lines) this.drop();
  }

  lines(): readonly string[] {
    this.drop();
    return this.kept;
  }

  private isOver(): boolean {
    const count = this.kept.length - this.start;
    return count > this.caps.lines || (count > 1 && this.characters > this.caps.bytes);
  }

  private drop(): void {
    this.kept = this.kept.slice(this.start);
    this.start = 0;
  }
}
