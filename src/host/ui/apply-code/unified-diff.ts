import { occurrences } from '../../../tools/edit/edit-matching';
import { breakNear, lineNumbers } from '../../../tools/text/lines';

/** A diff of one file, as `diff -u` writes it and models remember it. */
interface UnifiedDiff {
  /** The file after the change; absent if the diff does not name it. */
  readonly path?: string;
  readonly hunks: readonly Hunk[];
}

interface Hunk {
  /** Start in the file before the change, from 1; absent if the diff does not say. */
  readonly line?: number;
  readonly lines: readonly DiffLine[];
}

interface DiffLine {
  readonly type: 'kept' | 'removed' | 'added';
  readonly text: string;
}

type DiffOutcome =
  | { readonly type: 'applied'; readonly text: string }
  /** The lines of a hunk occur nowhere in the file, or several times. `hunk` counts from 1. */
  | { readonly type: 'no-place' | 'many-places'; readonly hunk: number };

/** By the fence, or by the form. */
export function isDiff(code: string, info: string): boolean {
  return /^\W*(?:diff|patch)\b/i.test(info) || /^--- .*\r?\n\+\+\+ .*\r?\n@@/m.test(code);
}

/** Nothing for a diff of several files, or without changes. */
export function readDiff(code: string): UnifiedDiff | undefined {
  const lines = code.split(/\r?\n/);
  const [header, another] = [...lines.keys()].filter((at) => isHeader(lines, at));
  if (another !== undefined) return undefined;
  const hunks = readHunks(header === undefined ? lines : lines.slice(header + 2));
  if (hunks.length === 0) return undefined;
  const name = header === undefined ? '' : (lines[header + 1] ?? '').slice(4).replace(/\t.*/s, '').trim();
  const path = name === '/dev/null' ? '' : name.replace(/^b\//, '');
  return { hunks, ...(path !== '' && { path }) };
}

/** A removed line may look like a header, too; the surrounding lines tell them apart. */
function isHeader(lines: readonly string[], at: number): boolean {
  if (!lines[at]?.startsWith('--- ') || !lines[at + 1]?.startsWith('+++ ')) return false;
  return lines[at + 2]?.startsWith('@@') === true || !lines.slice(0, at).some((line) => /^[-+@ ]/.test(line));
}

function readHunks(lines: readonly string[]): readonly Hunk[] {
  const hunks: { line?: number; raw: string[] }[] = [];
  for (const line of lines) {
    const start = /^@@(?: -(\d+))?/.exec(line);
    if (start) hunks.push({ raw: [], ...(start[1] !== undefined && { line: Number(start[1]) }) });
    else if (hunks.length === 0) hunks.push({ raw: [line] });
    else hunks.at(-1)?.raw.push(line);
  }
  return hunks
    .map(({ raw, ...hunk }) => ({ ...hunk, lines: readLines(raw) }))
    .filter((hunk) => hunk.lines.some(({ type }) => type !== 'kept'));
}

function readLines(raw: readonly string[]): readonly DiffLine[] {
  // An empty line at the end separates hunks; an empty line of the file has at least the leading blank.
  const end = raw.findLastIndex((line) => line !== '') + 1;
  return raw.slice(0, end).flatMap((line): DiffLine[] => {
    const text = line.slice(1);
    if (line.startsWith('+')) return [{ type: 'added', text }];
    if (line.startsWith('-')) return [{ type: 'removed', text }];
    if (line.startsWith('\\')) return [];
    // Models forget the blank before a context line.
    return [{ type: 'kept', text: line.startsWith(' ') ? text : line }];
  });
}

/** All hunks or none. Context lines keep their bytes; new lines end like the lines around them. */
export function applyDiff(text: string, { hunks }: UnifiedDiff): DiffOutcome {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const file = new FileLines(lines);
  const usual = breakNear(text, 0);
  const made: string[] = [];
  let done = 0;
  for (const [index, hunk] of hunks.entries()) {
    const start = file.find(hunk, done);
    if (typeof start === 'string') return { type: start, hunk: index + 1 };
    while (done < start) made.push(lines[done++] ?? '');
    for (const line of hunk.lines) {
      if (line.type === 'added') made.push(line.text + usual);
      else if (line.type === 'removed') done++;
      else made.push(lines[done++] ?? '');
    }
  }
  while (done < lines.length) made.push(lines[done++] ?? '');
  return { type: 'applied', text: joined(made, { usual, isOpen: text !== '' && !text.endsWith('\n') }) };
}

/** The last line may have lines after it now; the end of the file is kept. */
function joined(
  lines: readonly string[],
  { usual, isOpen }: { readonly usual: string; readonly isOpen: boolean },
): string {
  const text = lines.map((line) => (line.endsWith('\n') ? line : line + usual)).join('');
  return isOpen ? text.replace(/\r?\n$/, '') : text;
}

/** Lines of a file, searchable by content. */
class FileLines {
  private readonly texts: readonly string[];
  private exact: string | undefined;
  private loose: string | undefined;

  constructor(lines: readonly string[]) {
    this.texts = lines.map((line) => line.replace(/\r?\n$/, ''));
  }

  /** Index of the line where a hunk applies: at its stated position, or else at the only match after `from`. */
  find({ line, lines }: Hunk, from: number): number | 'no-place' | 'many-places' {
    const old = lines.filter(({ type }) => type !== 'added').map(({ text }) => text);
    // Without context lines, only the position in an empty file is certain.
    if (old.length === 0) return this.texts.length === 0 ? 0 : 'no-place';
    const said = (line ?? 0) - 1;
    if (said >= from && old.every((text, index) => text === this.texts[said + index])) return said;
    this.exact ??= framed(this.texts);
    const exact = places(this.exact, framed(old), from);
    if (exact.length > 0) return one(exact);
    this.loose ??= framed(this.texts.map(withoutEnd));
    return one(places(this.loose, framed(old.map(withoutEnd)), from));
  }
}

function one(places: readonly number[]): number | 'no-place' | 'many-places' {
  const [first] = places;
  if (first === undefined) return 'no-place';
  return places.length === 1 ? first : 'many-places';
}

function places(text: string, part: string, from: number): readonly number[] {
  return lineNumbers(text, occurrences(text, part)).flatMap((number) => (number > from ? [number - 1] : []));
}

/** So that only whole lines match. */
function framed(lines: readonly string[]): string {
  return `\n${lines.join('\n')}\n`;
}

function withoutEnd(line: string): string {
  return line.trimEnd();
}
