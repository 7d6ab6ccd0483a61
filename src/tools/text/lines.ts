import { ToolError } from '../../core/words/tool';

/** One line of a text by its offsets. */
export interface LineSpan {
  readonly start: number;
  /** Where its line break begins, or the end of the text. */
  readonly end: number;
  /** Where the next line begins; equal to `end` when the text ends without a line break. */
  readonly next: number;
}

/** The line that an offset lies in. Only LF and CRLF break lines. */
export function lineAt(text: string, offset: number): LineSpan {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const feed = text.indexOf('\n', offset);
  if (feed < 0) return { start, end: text.length, next: text.length };
  const end = feed > start && text[feed - 1] === '\r' ? feed - 1 : feed;
  return { start, end, next: feed + 1 };
}

/** The lines without their breaks; a final line break gives an empty last one. */
export function splitLines(text: string): string[] {
  return text.split(/\r?\n/);
}

/** How many lines people would count: a final line break does not begin another line. */
export function countLines(text: string): number {
  if (text === '') return 0;
  const breaks = countBreaks(text, text.length);
  return text.endsWith('\n') ? breaks : breaks + 1;
}

/** From 1. */
export function lineNumber(text: string, offset: number): number {
  return countBreaks(text, offset) + 1;
}

/** The line numbers of ascending offsets, in one pass over the text. */
export function lineNumbers(text: string, offsets: readonly number[]): number[] {
  const numbers: number[] = [];
  let line = 1;
  let feed = text.indexOf('\n');
  for (const offset of offsets) {
    for (; feed >= 0 && feed < offset; feed = text.indexOf('\n', feed + 1)) line++;
    numbers.push(line);
  }
  return numbers;
}

/** The line break in use around an offset; LF in a text of one line. */
export function breakNear(text: string, offset: number): string {
  const here = lineAt(text, offset);
  if (here.next > here.end) return text.slice(here.end, here.next);
  if (here.start === 0) return '\n';
  return text[here.start - 2] === '\r' ? '\r\n' : '\n';
}

/** `LF`, `CRLF`, or both with their counts. */
export function lineEndings(text: string): string {
  let crlf = 0;
  let lf = 0;
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) {
    if (text[feed - 1] === '\r') crlf++;
    else lf++;
  }
  if (crlf > 0 && lf > 0) return `mixed line endings: ${crlf} CRLF, ${lf} LF`;
  if (crlf > 0) return 'CRLF';
  return lf > 0 ? 'LF' : 'no line ending';
}

function countBreaks(text: string, before: number): number {
  let count = 0;
  for (let feed = text.indexOf('\n'); feed >= 0 && feed < before; feed = text.indexOf('\n', feed + 1))
    count++;
  return count;
}

/** Throws `ToolError` for lone halves of surrogate pairs, which no encoding can store. */
export function mustBeWholeCharacters(text: string, name: string): void {
  if (!/\p{Surrogate}/u.test(text)) return;
  throw new ToolError(
    `The text for ${name} contains half a character (a lone surrogate). Write the whole character.`,
  );
}
