import { t } from './l10n';

/** No matter how few its lines are, this much of a text is too much to show unasked. */
const LONGEST_HEAD = 16 * 1024;

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.endsWith('\n') ? lines - 1 : lines;
}

/** The first lines of a text. Nearly all of it is all of it: a button for three more lines helps nobody. */
export function headOf(text: string, lines: number): string {
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text.length > LONGEST_HEAD * 1.25 ? text.slice(0, LONGEST_HEAD) : text;
  }
  const head = text.slice(0, Math.min(end, LONGEST_HEAD));
  return linesOf(text) <= lines * 1.25 && text.length <= LONGEST_HEAD * 1.25 ? text : head;
}

/** `34 lines, 1.2 KB` */
export function sizeOf(text: string): string {
  const lines = linesOf(text);
  const count = lines === 1 ? t('1 line') : t('{0} lines', lines.toLocaleString());
  return t('{0}, {1}', count, bytesOf(text));
}

function bytesOf(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1000) return t('{0} B', bytes);
  if (bytes < 1_000_000) return t('{0} KB', (bytes / 1000).toFixed(1));
  return t('{0} MB', (bytes / 1_000_000).toFixed(1));
}
