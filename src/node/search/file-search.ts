import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { limits } from '../../base/limits';
import { detectEncoding } from '../files/text-encoding';
import { linesOf, type FileLines } from './matches';
import { literal, readRegex } from './regex-syntax';

const NEWLINE = 10;

/** Searches one file, which arrives in pieces, and emits matching lines and their context. */
export class FileSearch {
  /** Whether the file contains more than can be searched at once. */
  isTooLarge = false;
  private isBinary = false;
  private isBegun = false;
  private decoder: TextDecoder | undefined;
  /** The beginning of an incomplete line; the whole file so far if matches may span lines. */
  private open: Buffer[] = [];
  private openBytes = 0;
  /** Whether the rest of a line that is too long is being skipped. */
  private isSkipping = false;
  /** The number of lines in earlier blocks. */
  private lineBase = 0;
  private total = 0;
  /** The last lines of earlier blocks that may become context. */
  private recent: readonly Line[] = [];
  /** How many lines after the last match are still to be shown. */
  private pending = 0;
  /** The number of the last line that was emitted. */
  private lastLine = 0;

  constructor(
    private readonly pattern: LinePattern,
    private readonly context: number,
    private readonly lines: FileLines,
  ) {}

  /**
   * Returns whether more is needed. Does not keep the piece. `isLast` is known for most files, which arrive in one
   * piece.
   */
  add(piece: Buffer, isLast: boolean): boolean {
    const bytes = this.decoded(piece);
    if (bytes.includes(0)) this.isBinary = true;
    else if (this.pattern.spansLines) this.keepAll(bytes);
    else this.addLines(bytes, isLast && !this.decoder);
    return !this.isBinary && !this.isTooLarge;
  }

  end(): void {
    if (this.isBinary || this.isTooLarge) return;
    if (this.decoder) this.add(Buffer.from(this.decoder.decode()), true);
    if (this.open.length > 0) this.search(Buffer.concat(this.open), true);
    this.lines.end(this.total);
  }

  /** The piece as UTF-8, without a byte order mark. */
  private decoded(piece: Buffer): Buffer {
    if (this.isBegun) return this.decoder ? Buffer.from(this.decoder.decode(piece, { stream: true })) : piece;
    this.isBegun = true;
    const { encoding, byteOrderMark } = detectEncoding(piece);
    if (encoding === 'utf-8') return byteOrderMark ? piece.subarray(3) : piece;
    this.decoder = new TextDecoder(encoding);
    return Buffer.from(this.decoder.decode(piece, { stream: true }));
  }

  private keepAll(bytes: Buffer): void {
    this.openBytes += bytes.length;
    this.isTooLarge = this.openBytes > limits.searchWholeFileBytes;
    if (!this.isTooLarge) this.open.push(Buffer.from(bytes));
  }

  private addLines(bytes: Buffer, isLast: boolean): void {
    const cut = isLast && !this.isSkipping ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
    if (cut > 0) {
      const first = this.isSkipping ? bytes.indexOf(NEWLINE) + 1 : 0;
      if (this.isSkipping) this.lineBase++;
      this.isSkipping = false;
      const block = bytes.subarray(first, cut);
      if (block.length > 0)
        this.search(this.open.length > 0 ? Buffer.concat([...this.open, block]) : block, isLast);
      this.open = [];
      this.openBytes = 0;
    }
    const rest = bytes.subarray(cut);
    if (rest.length === 0 || this.isSkipping) return;
    this.openBytes += rest.length;
    if (this.openBytes <= limits.searchEventBytes) this.open.push(Buffer.from(rest));
    else {
      this.open = [];
      this.isSkipping = true;
    }
  }

  /** Searches a block of whole lines. */
  private search(block: Buffer, isLast: boolean): void {
    const mayMatch = !this.pattern.bytes || block.includes(this.pattern.bytes);
    if (mayMatch || this.pending > 0 || (this.context > 0 && !isLast)) {
      const isPlain = isAscii(block);
      const text = block.toString(isPlain ? 'latin1' : 'utf8');
      this.searchText(text, isPlain ? this.pattern.ascii : this.pattern.unicode);
    }
    if (!isLast) this.lineBase += countBreaks(block);
  }

  private searchText(text: string, expression: RegExp): void {
    const cursor = new LineCursor(text, this.lineBase);
    for (const { start, end, at } of this.found(text, expression)) {
      const texts = linesOf(text.slice(start, end));
      this.total += texts.length;
      if (!this.lines.wantsContext) continue;
      if (this.context > 0) this.emitAround(cursor, start);
      const line = cursor.lineAt(start);
      this.lines.match(line, texts, texts.length === 1 ? at - start : 0);
      this.lastLine = line + texts.length - 1;
      this.pending = this.context;
    }
    if (this.context === 0) return;
    this.emitPending(cursor, text.length);
    this.recent = [...this.recent, ...cursor.linesBefore(text.length, this.context)].slice(-this.context);
  }

  private found(text: string, expression: RegExp): Iterable<MatchedLines> {
    const { hint, spansLines } = this.pattern;
    return hint ? hintedLines(text, expression, hint) : matchedLines(text, expression, spansLines);
  }

  /** Emits the context between the last match and the next one. */
  private emitAround(cursor: LineCursor, next: number): void {
    this.emitPending(cursor, next);
    const here = cursor.linesBefore(next, this.context);
    const before = [...this.recent, ...here].slice(-this.context);
    for (const { number, text } of before) if (number > this.lastLine) this.emit(number, text);
  }

  private emitPending(cursor: LineCursor, before: number): void {
    if (this.pending === 0) return;
    for (const { number, text } of cursor.linesFrom(this.lastLine + 1, before, this.pending)) {
      this.emit(number, text);
      this.pending--;
    }
  }

  private emit(number: number, text: string): void {
    this.lines.context(number, text);
    this.lastLine = number;
  }
}

interface Line {
  readonly number: number;
  readonly text: string;
}

/** Counts line numbers in a text; moves only forward. */
class LineCursor {
  private at = 0;
  private line: number;

  constructor(
    private readonly text: string,
    base: number,
  ) {
    this.line = base + 1;
  }

  /** The number of the line that begins at this offset, which must not be before the previous one. */
  lineAt(start: number): number {
    for (let feed = this.text.indexOf('\n', this.at); feed >= 0 && feed < start;) {
      this.line++;
      this.at = feed + 1;
      feed = this.text.indexOf('\n', this.at);
    }
    return this.line;
  }

  /** Returns up to `most` lines that end before the offset. */
  linesBefore(offset: number, most: number): readonly Line[] {
    const starts: number[] = [];
    for (let at = offset; at > 0 && starts.length < most;) {
      at = at === 1 ? 0 : this.text.lastIndexOf('\n', at - 2) + 1;
      starts.unshift(at);
    }
    const number = this.lineAt(offset) - starts.length;
    // A text that does not end with a line break does not begin another line at its end.
    const late = offset === this.text.length && !this.text.endsWith('\n') ? 1 : 0;
    return starts.map((start, index) => ({ number: number + index + late, text: this.textAt(start) }));
  }

  /** Returns up to `most` lines from this number on, between the cursor and the offset. */
  linesFrom(first: number, before: number, most: number): readonly Line[] {
    const lines: Line[] = [];
    for (let at = this.at, number = this.line; at < before && lines.length < most; number++) {
      if (number >= first) lines.push({ number, text: this.textAt(at) });
      const feed = this.text.indexOf('\n', at);
      at = feed < 0 ? this.text.length : feed + 1;
    }
    return lines;
  }

  private textAt(start: number): string {
    const feed = this.text.indexOf('\n', start);
    return linesOf(this.text.slice(start, feed < 0 ? undefined : feed + 1))[0] ?? '';
  }
}

interface MatchedLines {
  /** The start of the first line, and the end of the last one with its line break. */
  readonly start: number;
  readonly end: number;
  /** The offset of the first match. */
  readonly at: number;
}

function* matchedLines(text: string, expression: RegExp, spansLines: boolean): Generator<MatchedLines> {
  let open: MatchedLines | undefined;
  expression.lastIndex = 0;
  for (let found = expression.exec(text); found; found = expression.exec(text)) {
    const at = found.index;
    // There is no line after the last line break.
    if (at === text.length && (text === '' || text.endsWith('\n'))) break;
    const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
    const matchEnd = at + found[0].length;
    const lineEnd =
      matchEnd > at && text[matchEnd - 1] === '\n' ? matchEnd : text.indexOf('\n', matchEnd) + 1;
    const end = lineEnd === 0 ? text.length : lineEnd;
    if (open && start < open.end) open = { ...open, end: Math.max(end, open.end) };
    else {
      if (open) yield open;
      open = { start, end, at };
    }
    if (!spansLines && end === text.length) break;
    if (!spansLines) expression.lastIndex = end;
    else if (found[0] === '') expression.lastIndex = at + (isPair(text, at) ? 2 : 1);
    if (expression.lastIndex > text.length) break;
  }
  if (open) yield open;
}

/** Like `matchedLines`, but checks only lines that match the hint, because the expression may be slow. */
function* hintedLines(text: string, expression: RegExp, hint: RegExp): Generator<MatchedLines> {
  for (const { start, end } of matchedLines(text, hint, false)) {
    expression.lastIndex = 0;
    const found = expression.exec(text.slice(start, end));
    if (found) yield { start, end, at: start + found.index };
  }
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

function countBreaks(block: Buffer): number {
  let count = 0;
  for (let at = block.indexOf(NEWLINE); at >= 0; at = block.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

export interface PatternOptions {
  readonly query: string;
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
}

/** A search pattern for JavaScript. Matches stay within a line unless `spansLines`. */
export interface LinePattern {
  /** For text with only ASCII characters, where `\w` and the like are fast. Most text is ASCII. */
  readonly ascii: RegExp;
  readonly unicode: RegExp;
  /** Only lines that match this need a closer look. */
  readonly hint?: RegExp;
  /** A text without these bytes has no match. */
  readonly bytes?: Buffer;
  readonly spansLines: boolean;
}

/** Compiles a query. Throws `UnreadablePattern`. */
export function linePattern(options: PatternOptions): LinePattern {
  const { query, isRegex, caseSensitive } = options;
  const multiline = spansLines(options);
  const compile = (source: string, ignoreCase: boolean): RegExp =>
    new RegExp(source, ignoreCase ? 'giv' : 'gv');
  if (!isRegex) {
    const pattern = compile(Array.from(query, literal).join(''), !caseSensitive);
    const bytes = Buffer.from(query);
    return { ascii: pattern, unicode: pattern, spansLines: multiline, ...(caseSensitive && { bytes }) };
  }
  const ascii = readRegex(query, { isAscii: true, multiline });
  const unicode = readRegex(query, { isAscii: false, multiline });
  const ignoreCase = ascii.ignoreCase ?? !caseSensitive;
  const { required } = ascii;
  return {
    ascii: compile(ascii.source, ignoreCase),
    unicode: compile(unicode.source, ignoreCase),
    spansLines: multiline,
    ...(required !== '' &&
      !multiline && { hint: compile(Array.from(required, literal).join(''), ignoreCase) }),
    ...(required !== '' && !ignoreCase && { bytes: Buffer.from(required) }),
  };
}

export function spansLines({ query, isRegex }: Pick<PatternOptions, 'query' | 'isRegex'>): boolean {
  return query.includes('\n') || (isRegex && query.includes('\\n'));
}
