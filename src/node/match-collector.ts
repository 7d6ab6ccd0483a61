import type { FileWithMatches, MatchLine } from '../tools/workspace';

export interface CollectorOptions {
  /** Decides about a path as ripgrep prints it. */
  readonly accepts: (path: string) => boolean;
  readonly maxPerFile: number;
  /** Beyond so many matching lines they are only counted. */
  readonly most: number;
  readonly lineCharacters: number;
}

/** Folds the events of `rg --json`. Those of one file come together. */
export class MatchCollector {
  readonly files: FileWithMatches[] = [];
  total = 0;
  totalFiles = 0;
  private kept = 0;
  private lines: MatchLine[] = [];
  private matches = 0;
  private accepted = false;
  /** Whether only the context after the last match is still wanted. */
  private closing = false;

  constructor(private readonly options: CollectorOptions) {}

  /** One line of the output. */
  add(line: Buffer): void {
    if (!this.needs(line)) return;
    // SAFETY: ripgrep is ours and prints nothing else.
    const event = JSON.parse(line.toString()) as RipgrepEvent;
    switch (event.type) {
      case 'begin':
        this.begin(pathOf(event.data));
        break;
      case 'match':
      case 'context':
        this.addLines(event);
        break;
      case 'end':
        this.end(event.data);
        break;
      case 'summary':
        break;
    }
  }

  /** Reading JSON is what costs most here, and of a flood hardly anything is kept. */
  private needs(line: Buffer): boolean {
    switch (line[TYPE_AT]) {
      case LETTER.begin:
        return true;
      case LETTER.match:
        return this.accepted && this.wantsMore();
      case LETTER.context:
        return this.accepted && (this.wantsMore() || this.closing);
      case LETTER.end:
        return this.accepted;
      default:
        return false;
    }
  }

  private begin(path: string): void {
    this.accepted = this.options.accepts(path);
    this.lines = [];
    this.matches = 0;
    this.closing = false;
  }

  private wantsMore(): boolean {
    return this.matches < this.options.maxPerFile && this.kept + this.matches < this.options.most;
  }

  private addLines({ type, data }: LineEvent): void {
    const isMatch = type === 'match';
    if (this.closing && data.line_number !== (this.lines.at(-1)?.line ?? 0) + 1) {
      this.closing = false;
      return;
    }
    const text = bytesOf(data.lines);
    const parts = text.replace(/\r?\n$/, '').split(/\r?\n/);
    const [first] = parts.length === 1 ? data.submatches : [];
    const start = first ? Buffer.from(text).subarray(0, first.start).toString().length : 0;
    for (const [index, part] of parts.entries()) {
      const line = data.line_number + index;
      this.lines.push({ line, text: around(part, start, this.options.lineCharacters), isMatch });
    }
    if (isMatch) {
      this.matches += parts.length;
      this.closing = !this.wantsMore();
    }
  }

  private end(data: EndEvent['data']): void {
    const { matched_lines: total } = data.stats;
    if (data.binary_offset !== null || total === 0) return;
    this.total += total;
    this.totalFiles++;
    if (this.lines.length === 0) return;
    this.kept += this.matches;
    this.files.push({ path: pathOf(data), lines: this.lines, total });
  }
}

/** Every event begins with `{"type":"`. */
const TYPE_AT = 9;

/** The first letter of a type tells it from the others. */
const LETTER = { begin: 0x62, match: 0x6d, context: 0x63, end: 0x65 } as const;

type Bytes = { readonly text: string } | { readonly bytes: string };

type RipgrepEvent = BeginEvent | LineEvent | EndEvent | { readonly type: 'summary' };

interface BeginEvent {
  readonly type: 'begin';
  readonly data: { readonly path: Bytes };
}

interface LineEvent {
  readonly type: 'match' | 'context';
  readonly data: {
    readonly lines: Bytes;
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number }[];
  };
}

interface EndEvent {
  readonly type: 'end';
  readonly data: {
    readonly path: Bytes;
    readonly binary_offset: number | null;
    readonly stats: { readonly matched_lines: number };
  };
}

function pathOf({ path }: { path: Bytes }): string {
  return bytesOf(path);
}

/** What is not UTF-8 comes in base64. */
function bytesOf(value: Bytes): string {
  return 'text' in value ? value.text : Buffer.from(value.bytes, 'base64').toString();
}

/** The part of a long line that holds the match. */
function around(line: string, match: number, most: number): string {
  if (line.length <= most) return line;
  const start = Math.max(0, Math.min(match - Math.floor(most / 4), line.length - most));
  const part = line.slice(start, start + most);
  return `${start > 0 ? '…' : ''}${part}${start + most < line.length ? '…' : ''}`;
}
