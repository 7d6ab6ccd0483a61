import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { warning, type Problem } from './calls';
import type { Diagnostic } from '../core/diagnostic';
import { readJson } from '../base/json-reader';

export type JsonCall =
  | {
      readonly ok: true;
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonObject;
      /** What had to be mended, each as a clause for people. */
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly name: string; readonly problem: Problem };

/** What models call the two fields of a call; the first of each is ours. */
const NAMES = ['name', 'tool', 'tool_name', 'function'];
const ARGUMENTS = ['arguments', 'parameters', 'args', 'input'];
/** Fields that say nothing about the arguments. */
const IGNORED = new Set(['id', 'type', 'tool_call_id', 'index']);

/** Reads a call out of its JSON: `{ name, arguments }`, or the same inside `function`, as the API writes it. */
export function jsonCall(item: Json): JsonCall {
  if (!isJsonObject(item)) return refused('', 'it is no object with "name" and "arguments"');
  const inner = isJsonObject(item['function']) ? item['function'] : item;
  const repairs: string[] = [];
  const [nameKey, ...otherNames] = NAMES.filter((key) => Object.hasOwn(inner, key));
  const name = nameKey === undefined ? undefined : inner[nameKey];
  if (typeof name !== 'string') return refused('', 'it has no "name"');
  if (nameKey !== 'name') repairs.push(`read "${nameKey ?? ''}" as "name"`);

  const [argumentsKey, ...otherArguments] = ARGUMENTS.filter((key) => Object.hasOwn(inner, key));
  const rest = Object.keys(inner).filter((key) => !NAMES.includes(key) && !ARGUMENTS.includes(key));
  const strays = [...otherNames, ...otherArguments, ...rest.filter((key) => !IGNORED.has(key))];
  if (strays.length > 0)
    return refused(name, `not all of it stands under "name" and "arguments" (found ${strays.join(', ')})`);
  if (argumentsKey === undefined)
    return { ok: true, id: idOf(item), name: name.trim(), arguments: {}, repairs };
  if (argumentsKey !== 'arguments') repairs.push(`read "${argumentsKey}" as "arguments"`);
  const args = decoded(inner[argumentsKey] ?? {}, repairs);
  if (typeof args === 'string') return refused(name, args);
  return { ok: true, id: idOf(item), name: name.trim(), arguments: args, repairs };
}

export function repairNotes(span: { start: number; end: number }, repairs: readonly string[]): Diagnostic[] {
  return repairs.map((repair) =>
    warning(span, 'repaired-json', `Mended the JSON: ${repair}.`, 'Write strict JSON.'),
  );
}

export function invalidJson(why: string): Problem {
  return {
    code: 'invalid-json',
    message: `The call is not valid JSON: ${why}.`,
    hint: 'Send it again as strict JSON: {"name": "…", "arguments": {…}}.',
  };
}

function idOf(item: JsonObject): string {
  return typeof item['id'] === 'string' ? item['id'] : '';
}

/** Arguments that were encoded once more are decoded, at most twice. A text is what is wrong with them. */
function decoded(value: Json, repairs: string[]): JsonObject | string {
  let current = value;
  for (let times = 0; typeof current === 'string' && times < 2; times++) {
    if (current.trim() === '') return {};
    const read = readJson(current);
    if (!read.ok) return `its arguments are not valid JSON: ${read.message}`;
    repairs.push('decoded the arguments, which were written as text', ...read.repairs);
    current = read.value;
  }
  return isJsonObject(current) ? current : 'its "arguments" are no object';
}

function refused(name: string, why: string): JsonCall {
  return { ok: false, name, problem: invalidJson(why) };
}
