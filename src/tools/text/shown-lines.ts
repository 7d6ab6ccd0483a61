import { limits } from '../../base/limits';
import { byteSize, count, grouped, utf8Length } from './amounts';

interface ReadCaps {
  readonly lines: number;
  readonly bytes: number;
}

/** A line of a file, as much of it as a call shows. */
export interface FileLine {
  readonly text: string;
  /** How many characters follow. */
  readonly rest: number;
}

/** A line from one of its characters on, from 1. */
export interface LineStart {
  readonly line: number;
  readonly character: number;
}

interface ShownLines {
  readonly text: string;
  /** How many lines it shows. */
  readonly shown: number;
  /** What was left out, why, and how to continue; empty if nothing was. */
  readonly cut: string;
}

interface Numbering {
  /** Where the first line begins. */
  readonly start: LineStart;
  /** Each line comes after its number and a tab. */
  readonly numbers: boolean;
}

/** The part of a line that a call shows. Never ends in the middle of a character. */
export function fileLine(line: string, character = 1): FileLine {
  const begin = character - 1;
  const text = line.slice(begin, begin + limits.readLineCharacters).replace(/[\ud800-\udbff]$/, '');
  return { text, rest: Math.max(0, line.length - begin - text.length) };
}

/** Lines as a model sees them, as many as one call may show. */
export function showLines(
  lines: readonly FileLine[],
  { start, numbers }: Numbering,
  caps: ReadCaps,
): ShownLines {
  const shown: string[] = [];
  let bytes = 0;
  for (const { text } of lines.slice(0, caps.lines)) {
    bytes += utf8Length(text) + 1;
    if (bytes > caps.bytes) break;
    shown.push(numbers ? `${start.line + shown.length}\t${text}` : text);
  }
  const notes = [
    ...cutLines(lines.slice(0, shown.length), start),
    ...(shown.length < lines.length
      ? [cutNote(start.line + shown.length, shown.length === caps.lines, caps)]
      : []),
  ];
  return { text: shown.join('\n'), shown: shown.length, cut: notes.join('\n') };
}

function cutLines(lines: readonly FileLine[], start: LineStart): readonly string[] {
  const cut = [...lines.entries()].filter(([, { rest }]) => rest > 0);
  const [first] = cut;
  if (!first) return [];
  const [at, { text, rest }] = first;
  const line = start.line + at;
  const next = (at === 0 ? start.character : 1) + text.length;
  const which = cut.length === 1 ? `Line ${line} is` : `Line ${line} and ${grouped(cut.length - 1)} more are`;
  const most = grouped(limits.readLineCharacters);
  return [
    `[${which} cut: a call shows ${most} characters of a line. ${grouped(rest)} more of line ${line}: start_line=${line}, end_line=${line}, from_character=${next}; search_text finds text in it.]`,
  ];
}

function cutNote(next: number, isByLines: boolean, caps: ReadCaps): string {
  return `[Cut: a call shows ${isByLines ? count(caps.lines, 'line') : byteSize(caps.bytes)}. Go on with start_line=${next}.]`;
}

/** The newest lines of a stream, as many as the caps allow. */
export class LatestLines<Line extends { readonly text: string }> {
  private kept: Line[] = [];
  private start = 0;
  private characters = 0;

  constructor(private readonly caps: ReadCaps) {}

  add(line: Line): void {
    this.kept.push(line);
    this.characters += line.text.length + 1;
    while (this.isOver()) this.characters -= (this.kept[this.start++]?.text.length ?? 0) + 1;
    // Moving the rest once in a while costs less than moving it for every line.
    if (this.start > this.caps.lines) this.drop();
  }

  lines(): readonly Line[] {
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
