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
  private path = '';
  private accepted = false;
  /** Whether only the context after the last match is still wanted. */
  private closing = false;

  constructor(private readonly options: CollectorOptions) {}

  /** One line of the output. Reading JSON is what costs most here, and of a flood hardly anything is kept. */
  add(line: Buffer): void {
    switch (line[TYPE_AT]) {
      case LETTER.begin:
        this.begin(beginPath(line));
        break;
      case LETTER.match:
        if (this.accepted && this.wantsMore()) this.addLines(parse(line));
        break;
      case LETTER.context:
        if (this.accepted && (this.wantsMore() || this.closing)) this.addLines(parse(line));
        break;
      case LETTER.end:
        if (this.accepted) this.end(line);
        break;
    }
  }

  private begin(path: string): void {
    this.path = path;
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

  private end(line: Buffer): void {
    // A file that turned out to be binary has a number there.
    const end = /"binary_offset":null,.*"matched_lines":(\d+)/.exec(line.toString('latin1'));
    const total = Number(end?.[1] ?? 0);
    if (total === 0) return;
    this.total += total;
    this.totalFiles++;
    if (this.lines.length === 0) return;
    this.kept += this.matches;
    this.files.push({ path: this.path, lines: this.lines, total });
  }
}

/** Every event begins with `{"type":"`. */
const TYPE_AT = 9;

/** The first letter of a type tells it from the others. */
const LETTER = { begin: 0x62, match: 0x6d, context: 0x63, end: 0x65 } as const;

type Bytes = { readonly text: string } | { readonly bytes: string };

interface LineEvent {
  readonly type: 'match' | 'context';
  readonly data: {
    readonly path: Bytes;
    readonly lines: Bytes;
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number }[];
  };
}

const BEGIN = '{"type":"begin","data":{"path":{"text":"';

/** Most paths stand there as they are. */
function beginPath(line: Buffer): string {
  const isPlain = !line.includes('\\') && line.toString('latin1', 0, BEGIN.length) === BEGIN;
  if (isPlain) return line.toString('utf8', BEGIN.length, line.length - '"}}}'.length);
  return bytesOf(parse(line).data.path);
}

function parse(line: Buffer): LineEvent {
  // SAFETY: ripgrep is ours, and each event that is read has at least the path; lines are asked only of those that have some.
  return JSON.parse(line.toString()) as LineEvent;
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
