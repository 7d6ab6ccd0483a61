import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json';
import { readJson } from '../../base/json-reader';
import type { Diagnostic } from '../../core/words/messages';
import type { ToolSpec } from '../../core/words/tool';
import { afterUnclosed, findTool, note, unfinishedCall, warning, type CallProblem } from '../engine/calls';
import { blanksEnd, type Cursor, type Reading } from '../engine/cursor';
import { takeRepeatedResult } from '../engine/echo';
import { LongText } from '../engine/long-text';
import type { OpenFence, ReplyWriter, Span } from '../engine/reader';
import { dropInvented } from '../engine/trial';
import { JsonStream, type JsonListeners } from './json-stream';

type JsonCall =
  | {
      readonly ok: true;
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonObject;
      /** What was repaired, each as a clause for people. */
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly name: string; readonly problem: CallProblem };

/** Names that models use for a call's name field; the first is Parley's. */
export const NAMES: readonly string[] = ['name', 'tool', 'tool_name', 'function'];
export const ARGUMENTS: readonly string[] = ['arguments', 'parameters', 'args', 'input'];
/** Fields of the form, not of the arguments. */
const FORM = ['id', 'type', 'tool_call_id', 'index'];
/** What models write beside the arguments. */
const REMARKS = ['reasoning', 'thought', 'thoughts', 'reason', 'explanation'];

/** Reports the call in a JSON value, or why it is invalid. */
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

/** JSON that contains calls. */
interface Block {
  readonly start: number;
  readonly end: number;
  /** The end of each call that is followed by another one, as offsets from the start. */
  readonly itemEnds: readonly number[];
}

/**
 * Reports the calls of one block. The block is split after each call; text around the calls belongs to the first and
 * the last. Calls of a list that was written as text share the block, because their ends are unknown and every call
 * needs a span.
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

/** The calls listed under a key; a single call without a list, and a list written as text, are repaired. */
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

/** Reads a call from its JSON: `{ name, arguments }`, or the same inside `function`, as in the API. */
function jsonCall(item: Json): JsonCall {
  if (!isJsonObject(item)) return refused('', 'not an object with "name" and "arguments"');
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
  // Leaving them out silently could drop intended arguments.
  if (unknown.length > 0)
    return refused(name, `not all of its arguments are under "arguments" (found ${unknown.join(', ')})`);
  const id = idOf(item);
  if (argumentsKey === undefined) return { ok: true, id, name: name.trim(), arguments: {}, repairs };
  if (argumentsKey !== 'arguments') repairs.push(`read "${argumentsKey}" as "arguments"`);
  const args = decoded(inner[argumentsKey] ?? {}, repairs);
  if (typeof args === 'string') return refused(name, args);
  return { ok: true, id, name: name.trim(), arguments: args, repairs };
}

/** The diagnostic for an object that is text and contains a call of an offered tool; undefined if it does not. */
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
  const message = 'A call is outside of "tool_calls" and was not run.';
  return warning(span, 'bare-call', message, 'List every call in "tool_calls".');
}

function repairNotes(span: { start: number; end: number }, repairs: readonly string[]): Diagnostic[] {
  return repairs.map((repair) =>
    warning(span, 'repaired-json', `Repaired JSON: ${repair}.`, 'Write strict JSON.'),
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

/** Decodes arguments that were encoded again, at most twice. Returns a string if they are invalid: the problem. */
function decoded(value: Json, repairs: string[]): JsonObject | string {
  let current = value;
  for (let times = 0; typeof current === 'string' && times < 2; times++) {
    if (current.trim() === '') return {};
    const read = readJson(current);
    if (!read.ok) return `its arguments are not valid JSON: ${read.message}`;
    repairs.push('decoded the arguments, which were written as text', ...read.repairs);
    current = read.value;
  }
  return isJsonObject(current) ? current : '"arguments" is not an object';
}

export const UNFINISHED = unfinishedCall('all of its brackets');

function refused(name: string, why: string): JsonCall {
  return { ok: false, name, problem: invalidJson(why) };
}

/** The name without what servers leave after it: `write</arg_value>`, `write<|channel|>commentary`. */
function bareName(written: string): string {
  const name = written.trim();
  // Blanks are trimmed afterwards: a regex that begins with them would try every run of blanks.
  const junk = name.search(/<[/|]/);
  return junk > 0 ? name.slice(0, junk).trimEnd() : name;
}

/**
 * Whether the brace here may begin an object: only a quote may follow it, so that braces in prose and code are text.
 */
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
  /** The object as it was written; empty if it was not kept. */
  readonly text: string;
  /**
   * The end of each item of the outer list or of `tool_calls` that is followed by another one, as offsets in the text.
   */
  readonly itemEnds: readonly number[];
  /** The text from the first line break on; an unclosed string may contain it. */
  readonly lines: string;
}

interface CandidateListeners extends Pick<JsonListeners, 'onKey' | 'onText'> {
  /** Receives the text of the value, as it was written. */
  readonly onPiece?: (own: string) => void;
  /** Whether the object may still turn out to be text, so that its source has to be kept. */
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
 * The text in an unclosed object from where its surroundings end: from the line that closes its fence, or from a tag
 * that turns everything before it into reasoning.
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

/** Whether an object in a code fence is only an example: to count, it must be alone in the fence and end the reply. */
export function* isExample(fence: OpenFence | undefined, { state }: JsonStream): Reading<boolean> {
  if (!fence || state === 'open') return false;
  return state === 'broken' || !(yield* fence.isDecoration());
}

/**
 * Skips the line on which a broken object was left, with the cursor before the breaking character: the rest of the line
 * belongs to the object, and calls in it do not count. Returns the problem.
 */
export function* leaveBroken(reply: ReplyWriter, { stream, lines }: Candidate): Reading<string> {
  const { cursor } = reply;
  const why = whyBroken(stream, yield* cursor.char());
  const start = cursor.position;
  yield* cursor.upTo(['\n'], () => undefined);
  // An unclosed string contains the beginnings of the next blocks.
  if (lines !== '') reply.markRepaired(afterUnclosed({ start, end: cursor.position }));
  return why;
}

/** What is around a result: the only key of the object before it, and the object after it. */
export interface ResultMarks {
  readonly key: string;
  readonly close: string;
}

/** Leaves an object that begins a result: the model repeats that, or after a call, it has invented it. */
export function* leaveResult(
  reply: ReplyWriter,
  { stream, text }: Candidate,
  start: number,
  closer: string,
): Reading<boolean> {
  if (reply.callCount > 0) return yield* dropInvented(reply, start);
  if (stream.state === 'complete') yield* takeRepeatedResult(reply, text, closer);
  else reply.text(text);
  return false;
}

/** The problem of a value that the next character broke off. */
export function whyBroken(stream: JsonStream, next: string): string {
  const read = stream.read(next);
  return read.ok ? 'it breaks off' : read.message;
}
