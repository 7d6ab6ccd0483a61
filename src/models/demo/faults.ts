import { closest } from '../../base/closest';
import type { Line } from './results';
import type { Failure, Values } from './test-output';

/** The corrected line of a file, and why. */
export interface Fix {
  readonly line: Line;
  readonly text: string;
  /** The replaced part of the line. */
  readonly from: string;
  readonly to: string;
}

/** The part in which two texts differ, in whole words. */
export interface Piece {
  readonly from: string;
  readonly to: string;
}

export function differingPiece({ expected, actual }: Values): Piece | undefined {
  if (expected === actual || isPlain(actual) || actual === '') return undefined;
  const most = Math.min(expected.length, actual.length);
  let start = 0;
  while (start < most && expected[start] === actual[start]) start++;
  let end = 0;
  while (end < most - start && expected.at(-1 - end) === actual.at(-1 - end)) end++;
  while (start > 0 && /\w/.test(actual.charAt(start - 1))) start--;
  while (end > 0 && /\w/.test(actual.charAt(actual.length - end))) end--;
  const from = actual.slice(start, actual.length - end);
  const to = expected.slice(start, expected.length - end);
  return from.trim() === '' ? undefined : { from, to };
}

/** Numbers and truth values are computed, so no text contains them. */
export function isPlain(value: string): boolean {
  return /^(?:-?[\d.]+|true|false|True|False|null|None|undefined|nil)$/.test(value);
}

/** Replaces text inside quotes. */
export function fixText({ from, to }: Piece, line: Line): Fix | undefined {
  const at = line.text.indexOf(from);
  const isQuoted = /['"`]/.test(line.text.slice(0, at)) && /['"`]/.test(line.text.slice(at + from.length));
  if (at < 0 || !isQuoted) return undefined;
  const text = line.text.slice(0, at) + to + line.text.slice(at + from.length);
  return { line, text, from, to };
}

/** Frequently mistyped names that the project need not define. */
const COMMON =
  'length toUpperCase toLowerCase trim split join slice push includes indexOf map filter reduce replace concat forEach startsWith endsWith append upper lower strip format count index'.split(
    ' ',
  );

/** Replaces an unknown name by a known one. */
export function fixName(
  missing: NonNullable<Failure['missing']>,
  line: Line,
  all: readonly Line[],
): Fix | undefined {
  const { name } = missing;
  const word = new RegExp(`(?<![\\w$])${name.replace(/\$/g, '\\$&')}(?![\\w$])`);
  if (!word.test(line.text)) return undefined;
  const others = new Set(all.flatMap(({ text }) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  const known = [...new Set([...others, ...COMMON])].filter((each) => each !== name && each.length > 2);
  const meant =
    missing.meant ?? closest(name, known, 1).find((each) => Math.abs(each.length - name.length) < 3);
  if (meant === undefined) return undefined;
  return { line, text: line.text.replace(word, meant), from: name, to: meant };
}

/** A call with plain arguments, as in tests. */
export interface TestedCall {
  readonly name: string;
  readonly values: readonly string[];
}

/** The call that a test checks: on its line, or shortly before it. */
export function testedCalls(lines: readonly Line[], at: number): readonly TestedCall[] {
  return lines
    .filter(({ number }) => number <= at && number > at - 6)
    .reverse()
    .flatMap(({ text }) => [...text.matchAll(/\b([A-Za-z_]\w*)\((-?[\d.]+(?:, ?-?[\d.]+)*)\)/g)])
    .map(([, name = '', values = '']) => ({ name, values: values.split(',').map((each) => each.trim()) }));
}

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

/**
 * An expression of two parameters or numbers whose operator gives the actual value, while another gives the expected
 * one.
 */
export function fixOperator(tested: TestedCall, values: Values, body: readonly Line[]): Fix | undefined {
  const [head] = body;
  if (!head) return undefined;
  const names = parametersIn(head.text);
  const valueOf = (word: string): number => Number(tested.values[names.indexOf(word)] ?? word);
  for (const line of body) {
    const [, before = '', left = '', operator = '', right = ''] =
      /^(.*?(?:\breturn |=> ?|\{ ?|^\s+))\(?([\w.]+) ?([-+*/%]|[<>]=?|[!=]==?) ?([\w.]+)\)?;?(?: ?\})?$/.exec(
        line.text,
      ) ?? [];
    const now = OPERATORS[operator];
    if (!now || !isValue(now(valueOf(left), valueOf(right)), values.actual)) continue;
    const better = Object.keys(OPERATORS).find((each) =>
      isValue(OPERATORS[each]?.(valueOf(left), valueOf(right)), values.expected),
    );
    if (better === undefined) continue;
    const rest = line.text.slice(before.length);
    const text = before + rest.replace(operator, better);
    return { line, text, from: `${left} ${operator} ${right}`, to: `${left} ${better} ${right}` };
  }
  return undefined;
}

/** A number that occurs once in a function and is the wrong result. */
export function fixNumber(values: Values, body: readonly Line[]): Fix | undefined {
  if (!/^-?\d[\d.]*$/.test(values.actual) || !/^-?\d[\d.]*$/.test(values.expected)) return undefined;
  const word = new RegExp(`(?<![\\w.])${values.actual.replace(/[.-]/g, '\\$&')}(?![\\w.])`);
  const [line, ...others] = body.filter(({ text }) => word.test(text));
  if (!line || others.length > 0) return undefined;
  const text = line.text.replace(word, values.expected);
  return { line, text, from: values.actual, to: values.expected };
}

function parametersIn(head: string): readonly string[] {
  const [, inside = ''] = /\(([^()]*)\)/.exec(head.replace(/^func \([^)]*\)/, 'func')) ?? [];
  return inside.split(',').map((each) => /^\s*(?:mut )?([A-Za-z_]\w*)/.exec(each)?.[1] ?? '');
}

function isValue(value: number | boolean | undefined, shown: string): boolean {
  return value !== undefined && String(value) === shown.toLowerCase();
}

/** Lines of a definition: up to the next one with the same or less indentation, within a limit. */
export function bodyAt(lines: readonly Line[], number: number): readonly Line[] {
  const from = lines.findIndex((line) => line.number === number);
  const [head, ...rest] = from < 0 ? [] : lines.slice(from, from + 20);
  if (!head) return [];
  const depth = indentOf(head.text);
  const end = rest.findIndex(({ text }) => text.trim() !== '' && indentOf(text) <= depth);
  return [head, ...(end < 0 ? rest : rest.slice(0, end))];
}

function indentOf(text: string): number {
  return /^\s*/.exec(text)?.[0].length ?? 0;
}
