import type { Cell } from './notebook';
import { elementSpans, type JsonSpan } from './json-spans';

/** The text of the file with other sources of some cells. Every other byte stays, also in the lines that stay. */
export function withSources(text: string, sources: ReadonlyMap<Cell, string>): string {
  const cells = [...sources.keys()].sort((a, b) => a.span.start - b.span.start);
  const pieces: string[] = [];
  let end = 0;
  for (const cell of cells) {
    pieces.push(text.slice(end, cell.span.start), sourceJson(text, cell, sources.get(cell) ?? ''));
    end = cell.span.end;
  }
  return [...pieces, text.slice(end)].join('');
}

function sourceJson(text: string, { span }: Cell, source: string): string {
  const writer = new StringWriter(text);
  if (text[span.start] === '"') return writer.changed(span, source);
  return linesJson(text, span, source, writer);
}

/** A source as a list: elements before and after the change stay as they are, with what is between them. */
function linesJson(text: string, span: JsonSpan, source: string, writer: StringWriter): string {
  if (source === '') return '[]';
  const elements = elementSpans(text, span);
  const values = elements.map((element) => writer.valueOf(element));
  const { before, after } = unchanged(values, source);
  const kept = (list: readonly string[]): number => list.reduce((sum, value) => sum + value.length, 0);
  const end = source.length - kept(values.slice(values.length - after));
  const lines = source.slice(kept(values.slice(0, before)), end).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const old = elements.slice(before, elements.length - after);
  const fresh = lines.map((line, at) => {
    const element = old.length === lines.length ? old[at] : undefined;
    return element ? writer.changed(element, line) : writer.quoted(line);
  });
  const { open, between, close } = separators(text, span, elements);
  const head = before === 0 ? `[${open}` : text.slice(span.start, elements[before - 1]?.end);
  const tail = after === 0 ? `${close}]` : text.slice(elements[elements.length - after]?.start, span.end);
  const joints = [before > 0 && fresh.length > 0, fresh.length > 0 && after > 0].map((is) =>
    is ? between : '',
  );
  // If nothing is left between them, head and tail are neighbours.
  const middle = fresh.length === 0 && before > 0 && after > 0 ? between : '';
  return [head, joints[0], fresh.join(between), middle, joints[1], tail].join('');
}

/** How many elements at both ends the change does not touch. What comes before an element that stays ends its line. */
function unchanged(values: readonly string[], source: string): { before: number; after: number } {
  let before = 0;
  let at = 0;
  for (const value of values) {
    if (!source.startsWith(value, at) || !value.endsWith('\n')) break;
    at += value.length;
    before++;
  }
  let after = 0;
  let end = source.length;
  for (const value of values.slice(before).toReversed()) {
    const start = end - value.length;
    if (start < at || !source.endsWith(value, end) || (start > at && source[start - 1] !== '\n')) break;
    end = start;
    after++;
  }
  return { before, after };
}

function separators(
  text: string,
  span: JsonSpan,
  elements: readonly JsonSpan[],
): { readonly open: string; readonly between: string; readonly close: string } {
  const [first, second] = elements;
  if (first) {
    const open = text.slice(span.start + 1, first.start);
    const between = second ? text.slice(first.end, second.start) : `,${open}`;
    return { open, between, close: text.slice(elements.at(-1)?.end, span.end - 1) };
  }
  const [lead, indent] = /(\r?\n)([ \t]*)[^\n]*$/.exec(text.slice(0, span.start))?.slice(1) ?? [];
  if (lead === undefined || indent === undefined) return { open: '', between: ', ', close: '' };
  // Its name is three levels deep: in the cell, in the list of cells, in the notebook.
  const inner = `${lead}${indent}${indent.slice(0, indent.length / 3)}`;
  return { open: inner, between: `,${inner}`, close: `${lead}${indent}` };
}

/** Writes JSON strings as the file has them. */
class StringWriter {
  /** Some programs write no character beyond ASCII. */
  private readonly isAscii: boolean;

  constructor(private readonly text: string) {
    this.isAscii = /\\u[\da-f]{4}/i.test(text) && !/[^\0-\x7f]/.test(text);
  }

  valueOf({ start, end }: JsonSpan): string {
    // SAFETY: the notebook's reader found a list of strings here.
    return JSON.parse(this.text.slice(start, end)) as string;
  }

  quoted(value: string): string {
    return `"${this.escaped(value)}"`;
  }

  /** Another value for a string: the characters that stay are written as before. */
  changed({ start, end }: JsonSpan, value: string): string {
    // Each of these is one UTF-16 unit of the value.
    const units = this.text.slice(start + 1, end - 1).match(/\\u[\da-fA-F]{4}|\\.|[^]/g) ?? [];
    const old = this.valueOf({ start, end });
    const most = Math.min(old.length, value.length);
    let head = 0;
    while (head < most && old[head] === value[head]) head++;
    let tail = 0;
    while (tail < most - head && old[old.length - 1 - tail] === value[value.length - 1 - tail]) tail++;
    const fresh = this.escaped(value.slice(head, value.length - tail));
    return `"${units.slice(0, head).join('')}${fresh}${units.slice(units.length - tail).join('')}"`;
  }

  private escaped(value: string): string {
    const json = JSON.stringify(value).slice(1, -1);
    if (!this.isAscii) return json;
    return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
}
