import { isJsonList, isJsonObject } from '../../base/json';
import type { Json, JsonObject } from '../../base/json';
import { readJson } from '../../base/json-reader';
import type { Diagnostic } from '../../core/words/messages';
import type { ToolSpec } from '../../core/words/tool';
import { findTool, note, unfinished, warning } from '../engine/calls';
import type { Problem } from '../engine/calls';
import type { ReplyWriter, Span } from '../engine/reader';
import type { JsonStream } from './json-stream';

type JsonCall =
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
/** Fields of the form that say nothing about the arguments. */
const FORM = ['id', 'type', 'tool_call_id', 'index'];
/** What models say beside the arguments. */
const REMARKS = ['reasoning', 'thought', 'thoughts', 'reason', 'explanation'];

/** Reports the call that stands in a JSON value, or why it is none. */
export function finishCall(
  reply: ReplyWriter,
  item: Json,
  at: { readonly index: number; readonly start: number; readonly end: number },
  repairs: readonly string[],
): void {
  const call = jsonCall(item);
  const name = bareName(call.name);
  if (!call.ok) {
    reply.rejectCall({ ...at, name }, call.problem);
    return;
  }
  const notes = repairNotes(at, [...repairs, ...call.repairs]);
  const repaired = notes.length > 0;
  if (name !== call.name) notes.push(note(at, 'name', `Read the name "${call.name}" as "${name}".`));
  reply.endCall({ ...at, id: call.id, name, arguments: call.arguments, notes, repaired });
}

/** JSON that holds calls. */
interface Block {
  readonly start: number;
  readonly end: number;
  /** Where each call ends that another one follows, seen from the start. */
  readonly itemEnds: readonly number[];
}

/**
 * Reports the calls of one block: it is cut behind each, what stands around belongs to the first and the last. Calls of
 * a list that was written as text share it: where they end is not known, and none may stand nowhere.
 */
export function finishCalls(
  reply: ReplyWriter,
  calls: readonly Json[],
  { start, end, itemEnds }: Block,
  repairs: readonly string[],
): void {
  const cuts = itemEnds.slice(0, calls.length - 1);
  const isKnown = cuts.length === calls.length - 1;
  calls.forEach((item, number) => {
    const [from = 0, to = end - start] = isKnown ? [cuts[number - 1], cuts[number]] : [];
    finishCall(reply, item, { index: reply.startCall(''), start: start + from, end: start + to }, repairs);
  });
}

/** The calls listed under a key; one call without a list and a list written as text are mended. */
export function callsOf(listed: Json | undefined, repairs: string[]): readonly Json[] {
  let current = listed ?? null;
  for (let times = 0; typeof current === 'string' && times < 2; times++) {
    const read = readJson(current);
    if (!read.ok) return [];
    repairs.push('decoded the calls, which were written as text', ...read.repairs);
    current = read.value;
  }
  if (isJsonList(current)) return current;
  if (!isJsonObject(current)) return [];
  repairs.push('read the one call as a list of calls');
  return [current];
}

/** Reads a call out of its JSON: `{ name, arguments }`, or the same inside `function`, as the API writes it. */
function jsonCall(item: Json): JsonCall {
  if (!isJsonObject(item)) return refused('', 'it is no object with "name" and "arguments"');
  const isWrapped = isJsonObject(item['function']);
  const inner = isJsonObject(item['function']) ? item['function'] : item;
  const repairs: string[] = [];
  const [nameKey = '', otherName] = NAMES.filter((key) => Object.hasOwn(inner, key));
  const name = inner[nameKey];
  if (typeof name !== 'string') return refused('', 'it has no "name"');
  if (otherName !== undefined) return refused(name, `it has both "${nameKey}" and "${otherName}"`);
  if (nameKey !== 'name') repairs.push(`read "${nameKey}" as "name"`);

  const [argumentsKey, otherArguments] = ARGUMENTS.filter((key) => Object.hasOwn(inner, key));
  if (argumentsKey !== undefined && otherArguments !== undefined)
    return refused(name, `it has both "${argumentsKey}" and "${otherArguments}"`);
  const known = [nameKey, argumentsKey, ...FORM, ...(argumentsKey === undefined ? [] : REMARKS)];
  const unknown = [
    ...Object.keys(inner).filter((key) => !known.includes(key)),
    ...(isWrapped ? Object.keys(item).filter((key) => ![...FORM, 'function'].includes(key)) : []),
  ];
  // Left out silently, what was meant as an argument would be missing.
  if (unknown.length > 0)
    return refused(name, `not all of its arguments stand under "arguments" (found ${unknown.join(', ')})`);
  const id = idOf(item);
  if (argumentsKey === undefined) return { ok: true, id, name: name.trim(), arguments: {}, repairs };
  if (argumentsKey !== 'arguments') repairs.push(`read "${argumentsKey}" as "arguments"`);
  const args = decoded(inner[argumentsKey] ?? {}, repairs);
  if (typeof args === 'string') return refused(name, args);
  return { ok: true, id, name: name.trim(), arguments: args, repairs };
}

/** What is said of an object that is text and holds a call of an offered tool; undefined if it does not. */
export function bareCall(
  stream: JsonStream,
  tools: readonly ToolSpec[] | undefined,
  span: Span,
): Diagnostic | undefined {
  const read = stream.state === 'complete' ? stream.read() : undefined;
  if (!read?.ok || !isJsonObject(read.value)) return undefined;
  const { function: wrapped } = read.value;
  const inner = isJsonObject(wrapped) ? wrapped : read.value;
  const name = inner[NAMES.find((key) => Object.hasOwn(inner, key)) ?? ''];
  const hasArguments = ARGUMENTS.some((key) => Object.hasOwn(inner, key));
  if (typeof name !== 'string' || !hasArguments || !findTool(tools ?? [], bareName(name))) return undefined;
  const message = 'A call stands outside of "tool_calls" and was not run.';
  return warning(span, 'bare-call', message, 'List every call in "tool_calls".');
}

function repairNotes(span: { start: number; end: number }, repairs: readonly string[]): Diagnostic[] {
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

export const UNFINISHED = unfinished('all of its brackets');

function refused(name: string, why: string): JsonCall {
  return { ok: false, name, problem: invalidJson(why) };
}

/** The name without what servers leave behind it: `write</arg_value>`, `write<|channel|>commentary`. */
function bareName(written: string): string {
  const name = written.trim();
  // The blanks in front are taken off afterwards: a pattern that begins with them would try every run of blanks.
  const junk = name.search(/<[/|]/);
  return junk > 0 ? name.slice(0, junk).trimEnd() : name;
}
