import type { Json, JsonObject } from '../../base/json';
import { limits } from '../../base/limits';
import { cleanOutput } from '../commands';
import type { Place } from '../ports/files';
import { byteSize, count } from '../text/amounts';
import { elementSpans, memberSpans, rootSpan, type JsonSpan } from './json-spans';

/** A Jupyter notebook as its file has it (nbformat 4, https://nbformat.readthedocs.io). */
export interface Notebook {
  readonly cells: readonly Cell[];
}

export interface Cell {
  /** From 1. */
  readonly number: number;
  /** `code`, `markdown` or `raw`. */
  readonly type: string;
  readonly source: string;
  readonly outputs: readonly JsonObject[];
  /** Where the value of its source is in the file. */
  readonly span: JsonSpan;
}

export function isNotebookName({ resolved }: Pick<Place, 'resolved'>): boolean {
  return /\.ipynb$/i.test(resolved);
}

/** Reads the text of a notebook's file; `undefined` if it is none, or of an older format. Linear. */
export function readNotebook(text: string): Notebook | undefined {
  const parsed = parse(text);
  const given = isObject(parsed) ? parsed['cells'] : undefined;
  const list = Array.isArray(given) ? memberSpans(text, rootSpan(text)).get('cells') : undefined;
  if (!list || !Array.isArray(given)) return undefined;
  const cells: Cell[] = [];
  for (const [index, span] of elementSpans(text, list).entries()) {
    // SAFETY: an element of JSON is JSON; `isArray` forgets the type.
    const cell = given[index] as Json | undefined;
    const source = isObject(cell) ? textOf(cell['source']) : undefined;
    const place = isObject(cell) ? memberSpans(text, span).get('source') : undefined;
    if (!isObject(cell) || source === undefined || !place) return undefined;
    const { cell_type: type, outputs } = cell;
    cells.push({
      number: index + 1,
      type: typeof type === 'string' ? type : 'raw',
      source,
      outputs: Array.isArray(outputs) ? outputs.filter(isObject) : [],
      span: place,
    });
  }
  return { cells };
}

/** Cells with numbers, types and text outputs. */
export function notebookText({ cells }: Notebook): string {
  return cells.flatMap((cell) => [sourceText(cell), ...outputText(cell)]).join('\n');
}

/** The cells without outputs, to show a change. */
export function sourcesText(cells: readonly Cell[]): string {
  return cells.map(sourceText).join('\n');
}

function sourceText({ number, type, source }: Cell): string {
  return `[cell ${number}: ${type}]\n${source}`;
}

function outputText({ number, outputs }: Cell): readonly string[] {
  const texts = outputs.flatMap(shownOutput);
  return texts.length === 0 ? [] : [`[output of cell ${number}]`, ...texts];
}

function shownOutput(output: JsonObject): readonly string[] {
  const { output_type: type, text, data, ename, evalue, traceback } = output;
  if (type === 'error') {
    const trace = Array.isArray(traceback) ? traceback.filter((line) => typeof line === 'string') : [];
    const problem = [ename, evalue].filter((part) => typeof part === 'string').join(': ');
    return [cut(trace.length > 0 ? trace.join('\n') : problem)];
  }
  if (!isObject(data)) return [cut(textOf(text) ?? '')];
  const plain = textOf(data['text/plain']);
  const images = Object.entries(data).filter(([media]) => /^(?:image|video|audio)\//.test(media));
  const others = Object.keys(data).filter((media) => !images.some(([name]) => name === media));
  return [
    ...images.map(
      ([media, value]) => `[${media}, ${byteSize(sizeOf(media, textOf(value) ?? ''))}, not shown]`,
    ),
    ...(plain !== undefined
      ? [cut(plain)]
      : images.length === 0
        ? [`[${others.join(', ')}, not shown]`]
        : []),
  ];
}

/** Images are in base64, but for SVG. */
function sizeOf(media: string, value: string): number {
  return media.endsWith('xml') ? value.length : Math.floor((value.trim().length * 3) / 4);
}

function cut(text: string): string {
  const plain = cleanOutput(text).trimEnd();
  const most = limits.notebookOutputCharacters;
  if (plain.length <= most) return plain;
  return `${plain.slice(0, most)}\n[${count(plain.length - most, 'more character')} of this output]`;
}

function parse(text: string): Json | undefined {
  try {
    // SAFETY: what JSON.parse returns is JSON.
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A text is a string, or a list of lines. */
function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('') : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
