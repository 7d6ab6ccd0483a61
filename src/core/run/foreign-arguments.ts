import { isJsonList, type Json, type JsonObject } from '../../base/json';
import { readJson } from '../../base/json-reader';

/** What a call of another agent's tool means: a call of a tool of Parley, or a sentence about what to do instead. */
export type Meaning =
  | { readonly tool: string; readonly arguments: JsonObject; readonly leftOut: readonly string[] }
  | {
      readonly instead: string;
      /** The tool that the sentence names. */
      readonly use?: string;
    };

/** The arguments of a call by plain name, with the spelling of the call. */
export type Arguments = ReadonlyMap<string, { readonly key: string; readonly value: Json }>;

/** Ignores case, `_`, `-`, `.` and blanks in names. */
export function plain(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, '');
}

/** `-i` of a command is the argument `i`. */
export function given(args: JsonObject): Arguments {
  return new Map(Object.entries(args).map(([key, value]) => [plain(key), { key, value }]));
}

interface Changes {
  /** From the other agent's name to Parley's. */
  readonly renames?: Readonly<Record<string, string>>;
  /** Arguments that `fixed` says in another way. */
  readonly used?: readonly string[];
  /** Arguments without a meaning here. */
  readonly without: readonly string[];
  /** Added unless the call has the argument under Parley's own name. */
  readonly fixed?: JsonObject;
}

/** A call with the same values. Arguments that nothing is known about stay, and are refused where they are bound. */
export function withArguments(
  tool: string,
  args: Arguments,
  { renames = {}, used = [], without, fixed = {} }: Changes,
): Meaning {
  const names = new Map(Object.entries(renames).map(([from, to]) => [plain(from), to]));
  const dropped = new Set(without.map(plain));
  const translated = new Set(used.map(plain));
  const bound = new Map<string, Json>();
  const leftOut: string[] = [];
  for (const [name, { key, value }] of args) {
    const to = names.get(name);
    if (translated.has(name)) continue;
    if (dropped.has(name)) leftOut.push(key);
    // What is given twice is not merged: under its own name it is refused.
    else if (to === undefined || bound.has(to) || args.has(plain(to))) bound.set(key, value);
    else bound.set(to, value);
  }
  for (const [key, value] of Object.entries(fixed)) if (!args.has(plain(key))) bound.set(key, value);
  return { tool, arguments: Object.fromEntries(bound), leftOut };
}

/** The first of these arguments that is a text. */
export function textIn(args: Arguments, names: readonly string[]): string | undefined {
  return firstIn(args, names, (value) => (typeof value === 'string' ? value : undefined));
}

/** The first that is a whole number, also one written as text. */
export function numberIn(args: Arguments, names: readonly string[]): number | undefined {
  return firstIn(args, names, (value) => {
    const number = typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
  });
}

export function flagIn(args: Arguments, names: readonly string[]): boolean | undefined {
  return firstIn(args, names, (value) => {
    const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
    return word === true || word === 'true' ? true : word === false || word === 'false' ? false : undefined;
  });
}

/** The first that is a list, also one written as JSON text. */
export function listIn(args: Arguments, names: readonly string[]): readonly Json[] | undefined {
  return firstIn(args, names, (value) => {
    if (isJsonList(value)) return value;
    const read = typeof value === 'string' && value.trimStart().startsWith('[') ? readJson(value) : undefined;
    return read?.ok && read.repairs.length === 0 && isJsonList(read.value) ? read.value : undefined;
  });
}

function firstIn<T>(
  args: Arguments,
  names: readonly string[],
  read: (value: Json) => T | undefined,
): T | undefined {
  for (const name of names) {
    const argument = args.get(plain(name));
    const found = argument && read(argument.value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The folder of a path, with its separator; nothing for a name alone. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
