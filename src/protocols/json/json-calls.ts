import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json';
import { readJson } from '../../base/json-reader';
import type { Diagnostic } from '../../core/words/messages';
import type { ToolSpec } from '../../core/words/tool';
import { afterUnclosed, findTool, note, unfinishedCall, warning, type CallProblem } from '../engine/calls';
import { blanksEnd, type Cursor, type Reading } from '../engine/cursor';
import { LongText } from '../engine/long-text';
import type { OpenFence, ReplyWriter, Span } from '../engine/reader';
import { JsonStream, type JsonListeners } from './json-stream';

type JsonCall =
  | {
      readonly ok: true;
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonObject;
      /** What had to be mended, each as a clause for people. */
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly name: string; readonly problem: CallProblem };

/** What models call the two fields of a call; the first of each is ours. */
export const NAMES: readonly string[] = ['name', 'tool', 'tool_name', 'function'];
export const ARGUMENTS: readonly string[] = ['arguments', 'parameters', 'args', 'input'];
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
export function listedCalls(listed: Json | undefined, repairs: string[]): readonly Json[] {
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

export function invalidJson(why: string): CallProblem {
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

export const UNFINISHED = unfinishedCall('all of its brackets');

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

/** Whether the brace here may begin an object: only a quote may follow it, so that braces in prose and code are text. */
export function* beginsObject(
  cursor: Cursor,
  _opener: string,
  _isLineStart: boolean,
  from = 0,
): Reading<boolean> {
  return /["'“]/.test(yield* cursor.char(yield* blanksEnd(cursor, from + 1)));
}

export interface Candidate {
  readonly stream: JsonStream;
  /** The object as it was written; empty if it was let go. */
  readonly text: string;
  /** Where each item of the outer list or of `tool_calls` ends that another one follows, as offsets in the text. */
  readonly itemEnds: readonly number[];
  /** What was written from the first line break on; a string that should have ended may have swallowed it. */
  readonly lines: string;
}

interface CandidateListeners extends Pick<JsonListeners, 'onKey' | 'onText'> {
  /** Gets all that belongs to the value, as it was written. */
  readonly onPiece?: (own: string) => void;
  /** Whether the object may still turn out to be text, so that its own text has to be kept. */
  readonly mayBeText: (stream: JsonStream) => boolean;
}

/** Takes one JSON value by its brackets and strings alone. */
export function* takeObject(
  cursor: Cursor,
  { mayBeText, onPiece, ...listeners }: CandidateListeners,
): Reading<Candidate> {
  const itemEnds: number[] = [];
  const stream = new JsonStream({
    ...listeners,
    onItemEnd: (key, offset) => {
      if (key === 'tool_calls' || key === '') itemEnds.push(offset);
    },
  });
  const kept: { text?: LongText } = { text: new LongText() };
  const lines = new LongText();
  yield* cursor.through((piece) => {
    const used = stream.push(piece);
    if (kept.text && !mayBeText(stream)) delete kept.text;
    const own = used === undefined ? piece : piece.slice(0, used);
    kept.text?.add(own);
    const from = lines.length > 0 ? 0 : own.indexOf('\n');
    if (from >= 0) lines.add(own.slice(from));
    onPiece?.(own);
    return used;
  });
  return { stream, text: kept.text?.join() ?? '', itemEnds, lines: lines.join() };
}

/**
 * What an object that has no end has swallowed from where that ends which it stands in: from the line that closes its
 * fence, or from a tag that makes all before it reasoning.
 */
export function behindSurroundings(
  { stream, text }: Candidate,
  fence: OpenFence | undefined,
  closers: readonly string[],
): string {
  if (stream.state === 'complete') return '';
  const run = /^(?:`+|~+)/.exec(fence?.text ?? '')?.[0] ?? '';
  const closes = new RegExp(`\\n {0,3}${run}${run[0]}*[ \\t]*(?:[\\r\\n]|$)`);
  const places = [fence ? text.search(closes) : -1, ...closers.map((closer) => text.indexOf(closer))];
  const [at = text.length] = places.filter((place) => place >= 0).sort((a, b) => a - b);
  return text.slice(at);
}

/** Whether an object in a code fence only shows something: the fence must hold it alone and be the end of the reply. */
export function* isExample(fence: OpenFence | undefined, { state }: JsonStream): Reading<boolean> {
  if (!fence || state === 'open') return false;
  return state === 'broken' || !(yield* fence.isDecoration());
}

/**
 * Goes behind the line on which a broken object was left, the cursor in front of what broke it: what stands there
 * belongs to the object, and calls inside it are none. Returns what is wrong.
 */
export function* leaveBroken(reply: ReplyWriter, { stream, lines }: Candidate): Reading<string> {
  const { cursor } = reply;
  const why = whyBroken(stream, yield* cursor.char());
  const start = cursor.position;
  yield* cursor.upTo(['\n'], () => undefined);
  // A string that should have ended has swallowed where the next blocks begin.
  if (lines !== '') reply.markRepaired(afterUnclosed({ start, end: cursor.position }));
  return why;
}

/** What is wrong with a value that the next character broke off. */
export function whyBroken(stream: JsonStream, next: string): string {
  const read = stream.read(next);
  return read.ok ? 'it breaks off' : read.message;
}
