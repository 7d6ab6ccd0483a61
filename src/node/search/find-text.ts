import { TextDecoder } from 'node:util';
import type { TextQuery } from '../../tools/ports/search';
import { detectEncoding } from '../files/text-encoding';
import type { FileLines } from './matches';

/** Finds a text, which may span lines, in the content of one file. Skips binary files, as ripgrep does. */
export function findText(
  content: Uint8Array,
  { query, caseSensitive, context }: Pick<TextQuery, 'query' | 'caseSensitive' | 'context'>,
  lines: FileLines,
): void {
  const text = decode(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
  if (text.includes('\0')) return;
  const texts = text.split('\n');
  // There is no line after the last line break.
  if (texts.at(-1) === '') texts.pop();
  const columns = matchedLines(text, literalPattern(query, caseSensitive));
  const matches = [...columns.keys()];
  let next = 0;
  for (const [index, line] of texts.entries()) {
    const shown = line.replace(/\r$/, '');
    const column = columns.get(index);
    if (column !== undefined) {
      lines.match(index + 1, [shown], column);
      next++;
    } else if (isNear(index, [matches[next - 1], matches[next]], context)) lines.context(index + 1, shown);
  }
  lines.end(matches.length);
}

function isNear(line: number, matches: readonly (number | undefined)[], context: number): boolean {
  return matches.some((match) => match !== undefined && Math.abs(match - line) <= context);
}

/** The matching lines from 0 in order, each with the column at which its first match begins. */
function matchedLines(text: string, pattern: RegExp): ReadonlyMap<number, number> {
  const columns = new Map<number, number>();
  let line = 0;
  let start = 0;
  for (const found of text.matchAll(pattern)) {
    const last = found.index + found[0].length - 1;
    for (let feed = text.indexOf('\n', start); feed >= 0 && feed < found.index;) {
      line++;
      start = feed + 1;
      feed = text.indexOf('\n', start);
    }
    if (!columns.has(line)) columns.set(line, found.index - start);
    let inner = line;
    for (let feed = text.indexOf('\n', start); feed >= 0 && feed < last; feed = text.indexOf('\n', feed + 1))
      columns.set(++inner, 0);
  }
  return columns;
}

function decode(bytes: Buffer): string {
  return new TextDecoder(detectEncoding(bytes).encoding).decode(bytes);
}

/** With simple case folding, as ripgrep has it: `σ` also finds `ς`. */
function literalPattern(query: string, caseSensitive: boolean): RegExp {
  const escaped = query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(escaped, caseSensitive ? 'gu' : 'giu');
}
