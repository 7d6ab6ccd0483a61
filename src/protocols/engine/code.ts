import { blanksEnd, type Cursor, type Reading } from './cursor';

/** A code fence that was opened. */
export interface Fence {
  readonly char: string;
  readonly length: number;
  readonly start: number;
}

/** Characters of a line that are searched for its end. */
const LOOK_AHEAD = 1024;

/** Characters of the preceding text that are remembered. */
const BEFORE = 128;

/** Invisible characters, also at the beginning of a line: the byte order mark, for example. */
const NO_WIDTH = /[\u200b-\u200d\u2060\ufeff]/g;

/**
 * Tracks where code begins and ends in the visible text. Follows CommonMark, except that inline code ends with its
 * line.
 */
export class Code {
  /** The open fence. */
  fence: Fence | undefined;
  /** The end of the preceding text, back to the last block. */
  before = '';
  /** Blanks since the line began; `undefined` once the line has other characters. */
  private indent: number | undefined = 0;
  /** Length of the backtick run that is open on this line. */
  private ticks = 0;
  /**
   * Positions of backtick runs on the rest of the line, by their length, the first one last. A line is searched once.
   */
  private runs = new Map<number, number[]>();
  /** How far `runs` was searched. */
  private runsEnd = -1;

  constructor(private readonly cursor: Cursor) {}

  /** Whether a block or a fence may begin here: the line has at most three blanks so far. */
  get isLineStart(): boolean {
    return this.indent !== undefined;
  }

  newLine(): void {
    this.indent = 0;
    this.ticks = 0;
    this.before += '\n';
  }

  /** Adds visible text. */
  text(text: string): void {
    this.before = (this.before + text.slice(-BEFORE)).slice(-BEFORE);
    if (this.indent === undefined) return;
    // In a fence, zero-width characters before a run keep it from closing the fence.
    const seen = this.fence ? text : text.replace(NO_WIDTH, '');
    const blanks = /^ *$/.test(seen) ? this.indent + seen.length : 4;
    this.indent = blanks <= 3 ? blanks : undefined;
  }

  /** Something other than text was taken from the line. */
  block(): void {
    this.indent = undefined;
    this.before = '';
  }

  /**
   * The effect of the run of backticks or tildes that was just taken. If it opens a fence, the caller sets the fence.
   */
  *run(char: string, length: number): Reading<'opens' | 'closes' | 'text'> {
    const { isLineStart, fence } = this;
    this.indent = undefined;
    if (fence) return isLineStart && (yield* this.closes(fence, char, length)) ? 'closes' : 'text';
    if (isLineStart && length >= 3 && (yield* this.opens(char))) return 'opens';
    if (char === '`') this.ticks = this.ticks === 0 ? length : this.ticks === length ? 0 : this.ticks;
    return 'text';
  }

  /**
   * Length of the inline code after a token, if the open run is closed on this line; 0 if not, because then it never
   * opened code.
   */
  *inline(tokenLength: number): Reading<number> {
    const { ticks } = this;
    this.ticks = 0;
    if (ticks === 0) return 0;
    const here = this.cursor.taken;
    const from = here + tokenLength;
    if (from > this.runsEnd) this.findRuns(yield* this.cursor.restOfLine(tokenLength), from);
    const places = this.runs.get(ticks) ?? [];
    while ((places.at(-1) ?? from) < from) places.pop();
    const closer = places.at(-1);
    return closer === undefined ? 0 : closer + ticks - here;
  }

  private findRuns(line: string, start: number): void {
    this.runs = new Map();
    this.runsEnd = start + line.length;
    for (const run of line.matchAll(/`+/g)) {
      const { length } = run[0];
      const places = this.runs.get(length) ?? [];
      this.runs.set(length, places);
      places.push(start + run.index);
    }
    for (const places of this.runs.values()) places.reverse();
  }

  private *opens(char: string): Reading<boolean> {
    return char === '~' || !(yield* this.cursor.restOfLine(0)).includes('`');
  }

  private *closes(fence: Fence, char: string, length: number): Reading<boolean> {
    if (char !== fence.char || length < fence.length) return false;
    for (let offset = 0; offset < LOOK_AHEAD; offset++) {
      const next = yield* this.cursor.char(offset);
      if (next === '' || next === '\n' || next === '\r') return true;
      if (next !== ' ' && next !== '\t') return false;
    }
    return true;
  }
}

/** The end of the run that closes the fence, if only that follows; 0 if not. */
export function* closingFence(cursor: Cursor, { char, length }: Fence): Reading<number> {
  const offset = yield* blanksEnd(cursor, 0);
  let run = 0;
  while (run < LOOK_AHEAD && (yield* cursor.char(offset + run)) === char) run++;
  return run >= length ? offset + run : 0;
}

/** Whether a fence closes here and nothing follows in the reply. */
export function* closesLast(cursor: Cursor, fence: Fence): Reading<boolean> {
  const end = yield* closingFence(cursor, fence);
  const isLast = end > 0 && (yield* cursor.char(yield* blanksEnd(cursor, end))) === '';
  // A reply that breaks off might have continued.
  return isLast && !cursor.isCut;
}
