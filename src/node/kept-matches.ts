import type { FileWithMatches, MatchLine } from '../tools/workspace';

export interface KeptOptions {
  readonly maxPerFile: number;
  /** Beyond so many matching lines they are only counted. */
  readonly most: number;
  readonly lineCharacters: number;
}

/** The matches of a search: all are counted, and as many as may be shown are kept. */
export class KeptMatches {
  readonly files: FileWithMatches[] = [];
  total = 0;
  totalFiles = 0;
  /** Matching lines of the files that are done. */
  kept = 0;

  constructor(readonly options: KeptOptions) {}

  file(path: string): FileLines {
    return new FileLines(path, this);
  }
}

/** The lines of one file; they come in their order. */
export class FileLines {
  private readonly lines: MatchLine[] = [];
  private matches = 0;
  /** Whether only the context after the last match is still wanted. */
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

  /** The lines of one match; `start` is where it begins, counted in the characters of a single line. */
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

  /** `total` lines match in all. */
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

/** The part of a long line that holds the match. */
function around(line: string, match: number, most: number): string {
  if (line.length <= most) return line;
  const start = Math.max(0, Math.min(match - Math.floor(most / 4), line.length - most));
  const part = line.slice(start, start + most);
  return `${start > 0 ? '…' : ''}${part}${start + most < line.length ? '…' : ''}`;
}
