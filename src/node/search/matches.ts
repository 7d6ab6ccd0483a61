import type { FileWithMatches, MatchLine } from '../../tools/ports/search';

interface KeptOptions {
  readonly maxPerFile: number;
  /** After this many matching lines, further ones are only counted. */
  readonly most: number;
  readonly lineCharacters: number;
}

/** The matches of a search. Counts all and keeps as many as may be shown. */
export class KeptMatches {
  readonly files: FileWithMatches[] = [];
  total = 0;
  totalFiles = 0;
  /** The number of matching lines in finished files. */
  kept = 0;

  constructor(readonly options: KeptOptions) {}

  file(path: string): FileLines {
    return new FileLines(path, this);
  }
}

/** The lines of one file, in order. */
export class FileLines {
  private readonly lines: MatchLine[] = [];
  private matches = 0;
  /** Whether only the context after the last match is still needed. */
  private closing = false;

  constructor(
    private readonly path: string,
    private readonly all: KeptMatches,
  ) {}

  get wantsMatches(): boolean {
    const { maxPerFile, most } = this.all.options;
    return this.matches < maxPerFile && this.all.kept + this.matches < most;
  }

  get wantsContext(): boolean {
    return this.wantsMatches || this.closing;
  }

  /** Adds the lines of one match. `start` is the match's offset in a single line, in characters. */
  match(line: number, texts: readonly string[], start: number): void {
    if (!this.wantsMatches) return;
    for (const [index, text] of texts.entries()) this.add(line + index, text, start, true);
    this.matches += texts.length;
    this.closing = !this.wantsMatches;
  }

  context(line: number, text: string): void {
    if (!this.wantsContext) return;
    if (this.closing && line !== (this.lines.at(-1)?.line ?? 0) + 1) this.closing = false;
    else this.add(line, text, 0, false);
  }

  /** `total`: the number of all matching lines. */
  end(total: number): void {
    if (total === 0) return;
    this.all.total += total;
    this.all.totalFiles++;
    if (this.lines.length === 0) return;
    this.all.kept += this.matches;
    this.all.files.push({ path: this.path, lines: this.lines, total });
  }

  private add(line: number, text: string, start: number, isMatch: boolean): void {
    this.lines.push({ line, text: around(text, start, this.all.options.lineCharacters), isMatch });
  }
}

/** Cuts a long line to the part that contains the match. */
function around(line: string, match: number, most: number): string {
  if (line.length <= most) return line;
  const start = Math.max(0, Math.min(match - Math.floor(most / 4), line.length - most));
  const part = line.slice(start, start + most);
  return `${start > 0 ? '…' : ''}${part}${start + most < line.length ? '…' : ''}`;
}

/** Folds the events of `rg --json`. All events of one file arrive together. */
export class MatchCollector {
  /** Absent while a file is skipped. */
  private file: FileLines | undefined;

  constructor(
    private readonly kept: KeptMatches,
    /** Returns the name for a path as ripgrep prints it, or `undefined` to skip the file. */
    private readonly nameOf: (path: string) => string | undefined,
  ) {}

  /**
   * Reads one line of the output. Parsing JSON is the slowest part, so matches that will not be kept are not parsed.
   */
  add(line: Buffer): void {
    switch (line[TYPE_AT]) {
      case LETTER.begin: {
        const name = this.nameOf(beginPath(line));
        this.file = name === undefined ? undefined : this.kept.file(name);
        break;
      }
      case LETTER.match:
        if (this.file?.wantsMatches) addMatch(parse(line), this.file);
        break;
      case LETTER.context:
        if (this.file?.wantsContext) addContext(parse(line), this.file);
        break;
      case LETTER.end: {
        // For a file that turned out to be binary, `binary_offset` is a number.
        const end = /"binary_offset":null,.*"matched_lines":(\d+)/.exec(line.toString('latin1'));
        this.file?.end(Number(end?.[1] ?? 0));
        break;
      }
    }
  }
}

function addMatch({ data }: LineEvent, file: FileLines): void {
  const text = bytesOf(data.lines);
  const parts = linesOf(text);
  const [first] = parts.length === 1 ? data.submatches : [];
  const start = first ? Buffer.from(text).subarray(0, first.start).toString().length : 0;
  file.match(data.line_number, parts, start);
}

function addContext({ data }: LineEvent, file: FileLines): void {
  for (const [index, text] of linesOf(bytesOf(data.lines)).entries())
    file.context(data.line_number + index, text);
}

/** Splits a text into lines without their line breaks. */
export function linesOf(text: string): string[] {
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Where the type begins: every event starts with `{"type":"`. */
const TYPE_AT = 9;

/** The first letter identifies the type. */
const LETTER = { begin: 0x62, match: 0x6d, context: 0x63, end: 0x65 } as const;

type Bytes = { readonly text: string } | { readonly bytes: string };

interface LineEvent {
  readonly data: {
    readonly path: Bytes;
    readonly lines: Bytes;
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number }[];
  };
}

const BEGIN = '{"type":"begin","data":{"path":{"text":"';

/** Reads the path. Most paths need no JSON parser. */
function beginPath(line: Buffer): string {
  const isPlain = !line.includes('\\') && line.toString('latin1', 0, BEGIN.length) === BEGIN;
  if (isPlain) return line.toString('utf8', BEGIN.length, line.length - '"}}}'.length);
  return bytesOf(parse(line).data.path);
}

function parse(line: Buffer): LineEvent {
  // SAFETY: this is our ripgrep, and each event that is read has a path; `lines` is read only from events that have it.
  return JSON.parse(line.toString()) as LineEvent;
}

/** Text that is not UTF-8 comes in base64. */
function bytesOf(value: Bytes): string {
  return 'text' in value ? value.text : Buffer.from(value.bytes, 'base64').toString();
}
