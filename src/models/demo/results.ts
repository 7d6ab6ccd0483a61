import type { ToolResult } from '../../core/words/messages';
import type { Step } from './task';

/** A line of a file. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

export interface ReadText {
  readonly lines: readonly Line[];
  /** Number of lines of the file, even if not all were shown. */
  readonly total: number;
}

export interface Hit extends Line {
  readonly path: string;
}

/** Longer lines are generated. */
const MOST_CHARACTERS = 500;

/** The text of a file, read with numbers; `undefined` and the result if it cannot be read. */
export function* readText(
  path: string,
  say: string,
): Generator<Step, { readonly read?: ReadText; readonly result: ToolResult }, ToolResult> {
  const step = { say, tool: 'read_file', arguments: { path, numbers: true } };
  let result = yield step;
  // Text read before in the conversation is not shown again, unless another range is requested.
  if (result.status === 'success' && result.result.includes('[Unchanged since it was read'))
    result = yield { ...step, arguments: { ...step.arguments, start_line: 1, end_line: 1_999 } };
  if (result.status !== 'success') return { result };
  return { read: readLines(result.result), result };
}

/** The numbered lines in the result of `read_file`. */
export function readLines(result: string): ReadText {
  const lines: Line[] = [];
  for (const line of result.split('\n')) {
    const [, number, text = ''] = /^\s*(\d+)\t(.*)$/.exec(line) ?? [];
    if (number !== undefined)
      lines.push({ number: Number(number), text: text.replace(/\r$/, '').slice(0, MOST_CHARACTERS) });
  }
  const [, of] = /: lines? [\d,-]+ of ([\d,]+)/.exec(result.slice(0, result.indexOf('\n') + 1)) ?? [];
  const last = lines.at(-1)?.number ?? 0;
  return { lines, total: of === undefined ? last : Math.max(last, Number(of.replaceAll(',', ''))) };
}

/** The paths in the result of `find_files`. */
export function readPaths({ status, result }: ToolResult): readonly string[] {
  if (status !== 'success') return [];
  return result
    .split('\n')
    .slice(1)
    .filter((line) => line !== '' && !line.startsWith('['));
}

/** The matching lines in the result of `search_text` for a folder. */
export function readHits({ status, result }: ToolResult): readonly Hit[] {
  if (status !== 'success') return [];
  const hits: Hit[] = [];
  let path = '';
  for (const line of result.split('\n').slice(1)) {
    const [, number, text = ''] = /^ {2}(\d+): (.*)$/.exec(line) ?? [];
    if (number !== undefined)
      hits.push({ path, number: Number(number), text: text.slice(0, MOST_CHARACTERS) });
    else if (!line.startsWith(' ') && !line.startsWith('[')) path = line;
  }
  return hits;
}

export function isTestFile(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|spec)\/|(?:^|[._/-])(?:test|spec)[._]|[._-](?:test|tests|spec)\.\w+$|_test\.\w+$/i.test(
    path,
  );
}

/** Prose and data, which use nothing. */
export function isProse(path: string): boolean {
  return /\.(?:md|markdown|txt|rst|adoc|json|lock|csv|log|ya?ml|toml|html?)$/i.test(path);
}

export function isComment(text: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*|#(?!\[|include)|--\s|<!--)/.test(text);
}
