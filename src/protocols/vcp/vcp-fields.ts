import type { Json } from '../../base/json';
import { plain } from '../../core/run/foreign-arguments';
import type { ToolSpec } from '../../core/words/tool';
import { findTool, type CallProblem } from '../engine/calls';

/** VCPToolBox fields that control its server; they are arguments only if the tool declares them. */
const CONTROL_FIELDS = new Set([
  'maid',
  'valet',
  'archery',
  'ink',
  'river',
  'vref',
  'timely_contact',
  'tool_password',
]);

type Fields = ReadonlyMap<string, Json>;

/** Whether a field is not an argument, unless the tool declares it. */
export function steersVcp(key: string): boolean {
  return CONTROL_FIELDS.has(key);
}

/** A call as its fields describe it. */
interface ResolvedFields {
  readonly name: string;
  readonly values: Fields;
  readonly leftOut: readonly string[];
}

/** The tool that a block means, and the given fields that are its arguments; `block` has all of them. */
export function resolveFields(
  tools: readonly ToolSpec[] | undefined,
  block: Fields,
  given: Fields,
): ResolvedFields {
  const toolName = textIn(block, 'tool_name');
  const name = tools ? nameOf(tools, toolName, textIn(given, 'command')) : toolName;
  const tool = tools && findTool(tools, name);
  const values = new Map([...given].filter(([key, value]) => !tool || !isControl(key, value, tool)));
  return { name, values, leftOut: [...given.keys()].filter((key) => !values.has(key)) };
}

export function textIn(values: Fields, key: string): string {
  const value = values.get(key);
  return typeof value === 'string' ? value.trim() : '';
}

/** Some models write the toolset as the name and its method as `command`. */
function nameOf(tools: readonly ToolSpec[], name: string, command: string): string {
  const joined = `${name}_${command}`;
  return command !== '' && !findTool(tools, name) && findTool(tools, joined) ? joined : name;
}

/** Fields that control VCP itself, unless the tool has an argument of that name. */
function isControl(key: string, value: Json, tool: ToolSpec): boolean {
  if (Object.hasOwn(tool.parameters.properties ?? {}, key)) return false;
  const repeatsName = key === 'command' && typeof value === 'string' && namesOf(tool).includes(plain(value));
  return repeatsName || steersVcp(key);
}

/** Values of a `command` field that only repeat which tool is meant. */
function namesOf(tool: ToolSpec): string[] {
  return [tool.name, tool.qualifiedName, tool.vcpCommand, methodOf(tool)].flatMap((name) =>
    name === undefined ? [] : plain(name),
  );
}

/** `readFile` of `files_readFile`. */
export function methodOf({ qualifiedName }: ToolSpec): string | undefined {
  return qualifiedName?.slice(qualifiedName.lastIndexOf('_') + 1);
}

/** Spellings of VCP's markers and marks; if one begins another, the longer one first. */
export interface Spelling {
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  /** What precedes and follows 始 and 末. */
  readonly left: readonly string[];
  readonly right: readonly string[];
  /** Beginnings of all markers. */
  readonly markers: readonly string[];
}

export const START = '<<<[TOOL_REQUEST]>>>';
export const END = '<<<[END_TOOL_REQUEST]>>>';

export const EXACT: Spelling = {
  starts: [START],
  ends: [END],
  left: ['「'],
  right: ['」'],
  markers: ['<<<['],
};

const DAMAGES = (['<<<', '<<'] as const).flatMap((left) =>
  (['>>>', '>>'] as const).map((right) => ({ left, right })),
);

/** What VCPToolBox accepts in its fuzzy mode: one bracket too few around a marker, braces for the marks. */
export const DAMAGED: Spelling = {
  starts: DAMAGES.map(({ left, right }) => `${left}[TOOL_REQUEST]${right}`),
  ends: DAMAGES.map(({ left, right }) => `${left}[END_TOOL_REQUEST]${right}`),
  left: ['「', '{'],
  right: ['」', '}'],
  markers: ['<<<[', '<<['],
};

/** The spellings with which VCPToolBox allows marks inside an ESCAPE value. */
const ESCAPED = new Map([
  ['<<<[TOOL_REQUEST_ESCAPE]>>>', START],
  ['<<<[END_TOOL_REQUEST_ESCAPE]>>>', END],
  ['「始ESCAPE」', '「始」'],
  ['「末ESCAPE」', '「末」'],
]);

export function decoded(text: string): string {
  return [...ESCAPED].reduce((all, [written, meant]) => all.replaceAll(written, meant), text);
}

/** A mark with each of its possible brackets, the correct ones first. */
export function spelled({ left, right }: Spelling, sign: string): string[] {
  return left.flatMap((open) => right.map((close) => `${open}${sign}${close}`));
}

/** Problems of calls that only VCP has. */

export const ESCAPE_HINT = 'A value that holds 「始」 or 「末」 needs 「始ESCAPE」…「末ESCAPE」.';

export function unnumbered(key: string): CallProblem {
  return {
    code: 'unknown-argument',
    message: `"${key}" belongs to none of the numbered commands.`,
    hint: 'Write one block for each call, without numbers.',
  };
}

export function strayText(text: string): CallProblem {
  return {
    code: 'stray-text',
    message: `"${text === '' ? '「始」' : text}" is not of the form key:「始」value「末」.`,
    hint: `Write every argument as key:「始」value「末」. ${ESCAPE_HINT}`,
  };
}

/** Several calls in one block of VCP, distinguished by the whole number at the end of each key. */
export interface SerialCalls {
  /** By number in the order written, the keys without it. */
  readonly calls: ReadonlyMap<string, ReadonlyMap<string, Json>>;
  /** Keys that belong to none of the calls. */
  readonly strays: readonly string[];
}

/** Splits `command1`, `path1`, `command2`, …; `undefined` if no command is numbered, which means one call. */
export function serialCalls(values: ReadonlyMap<string, Json>): SerialCalls | undefined {
  const calls = new Map<string, Map<string, Json>>();
  for (const key of values.keys()) {
    const { base, number } = parts(key);
    if (base === 'command' && number !== '') calls.set(number, new Map());
  }
  if (calls.size === 0) return undefined;
  const strays: string[] = [];
  for (const [key, value] of values) {
    const { base, number } = parts(key);
    const call = calls.get(number);
    if (call) call.set(base, value);
    else strays.push(key);
  }
  return { calls, strays };
}

/** `filePath11` is `filePath` and `11`. */
function parts(key: string): { readonly base: string; readonly number: string } {
  const number = /\d+$/.exec(key.slice(1))?.[0] ?? '';
  return { base: key.slice(0, key.length - number.length), number };
}
