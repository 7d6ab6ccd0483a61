import { keepLast } from '../../base/keep-last';
import type { ToolSpec } from '../../core/words/tool';
import { isQuotedIn } from './echo';
import type { Reader } from './reader';
import { THINK_TOKENS } from './reasoning-marks';
import { SPECIAL_TOKENS } from './special-tokens';

/** The first sign of a call in a text in which nothing was read as one. */
export interface LostCall {
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

type FindLost = (text: string) => LostCall | undefined;

/** Most texts need no search: every sign has one of these characters. */
export function mayHoldCall(text: string): boolean {
  return /[<{[]/.test(text);
}

/** Finds calls that no reader took. `readers`: of all forms, those of the current one first. */
export function lostCallFinder(readers: readonly Reader[], tools: readonly ToolSpec[] = []): FindLost {
  const marks = readers.flatMap(({ id, openers, closers = [], standsAlone, mayBeFenced }) =>
    [...(standsAlone === true || mayBeFenced === true ? [] : openers.filter(isMark)), ...closers].map(
      (mark) => [mark, id] as const,
    ),
  );
  const names = tools.flatMap(({ name, qualifiedName = name }) => [name, qualifiedName]);
  return finderOf(
    marks.map(([mark]) => mark),
    marks.map(([, form]) => form),
    names,
  );
}

/** Whether an opener means a call wherever it stands, and is no word. */
function isMark(opener: string): boolean {
  return /^[^\p{L}\p{N}].*[\p{L}\p{N}]/u.test(opener) && !OTHERS.some((token) => opener.startsWith(token));
}

/** Openers that begin with one of these also begin what is no call: headers of messages, for example. */
const OTHERS: readonly string[] = [
  ...SPECIAL_TOKENS,
  ...THINK_TOKENS,
  ...['<|start|>', '<|channel|>', '<|message_model|>', '<|open|>', '=functions.'],
];

const NAME_FIELD = `["'“](?:name|tool|tool_name|function)["'”]\\s*[:：]\\s*`;

const REST = `["'“](?:arguments|parameters|args|input|id|type)["'”]`;

/** Calls without marks of their own, by the names of the offered tools. */
function shapesOf(names: readonly string[]): readonly (readonly [form: string, pattern: RegExp])[] {
  const marked: readonly (readonly [string, RegExp])[] = [
    ['phi', /\bfunctools\s*\[/g],
    ['call_tool', /<call_tool\s/g],
    ['invoke', /<[\w:|｜ ]{0,16}parameter name=/g],
  ];
  if (names.length === 0) return marked;
  const name = `(?:${names.map(escaped).join('|')})`;
  return [
    ...marked,
    // The name alone or with arguments; other fields are data, or a tool's definition.
    ['json', new RegExp(`^[ \\t]*[{[][{[\\s]*${NAME_FIELD}["'“]${name}["'”]\\s*(?:\\}|,\\s*${REST})`, 'gm')],
    [
      'json',
      new RegExp(`^[ \\t]*\\{\\s*["'“](?:action|function_call)["'”]\\s*[:：]\\s*["'“{]\\s*${name}\\b`, 'gm'),
    ],
    ['pythonic', new RegExp(`^[ \\t]*\\[[ \\t]*${name}\\(`, 'gm')],
  ];
}

/** Different protocols and lists of tools in use at once. */
const KEPT = 4;

const finderOf = keepLast(
  KEPT,
  (marks: readonly string[], forms: readonly string[], names: readonly string[]): FindLost => {
    const formOf = new Map(marks.map((mark, at) => [mark, forms[at] ?? ''] as const).reverse());
    const longest = [...formOf.keys()].sort((one, other) => other.length - one.length);
    const anyMark = new RegExp(longest.map(wholeWord).join('|'), 'g');
    const shapes = shapesOf(names);
    return (text) => {
      const found: LostCall[] = [];
      const add = (form: string, match: RegExpExecArray | undefined): void => {
        if (match) found.push({ form, start: match.index, end: match.index + match[0].length });
      };
      const mark = longest.length > 0 ? unquoted(text, anyMark) : undefined;
      add(formOf.get(mark?.[0] ?? '') ?? '', mark);
      for (const [form, pattern] of shapes) add(form, unquoted(text, pattern));
      return found.sort((one, other) => one.start - other.start)[0];
    };
  },
);

function unquoted(text: string, pattern: RegExp): RegExpExecArray | undefined {
  for (const match of text.matchAll(pattern)) {
    if (!isQuotedIn(text, match.index, match.index + match[0].length)) return match;
  }
  return undefined;
}

/** `<invoke`, and not `<invokes`. */
function wholeWord(mark: string): string {
  return /[\p{L}\p{N}]$/u.test(mark) ? `${escaped(mark)}(?![\\w-])` : escaped(mark);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
