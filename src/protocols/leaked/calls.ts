import { isJsonList, isJsonObject, type Json } from '../../base/json';
import { blanksEnd, isBlank, seenOf, type Cursor, type Reading } from '../engine/cursor';
import type { ReplyWriter } from '../engine/reader';
import { endsReply } from '../engine/special-tokens';
import { ARGUMENTS, finishCall, finishCalls, NAMES, takeObject } from '../json/json-calls';

/** Building blocks of the forms in this folder. Servers put blanks and line breaks around every marker. */

/** Takes one of the markers with the blanks before it, and returns it; otherwise takes nothing. */
export function* takesMark(cursor: Cursor, marks: readonly string[]): Reading<string | undefined> {
  const blanks = yield* blanksEnd(cursor, 0);
  const mark = yield* seenOf(cursor, marks, blanks);
  if (mark !== undefined) cursor.take(blanks + mark.length);
  return mark;
}

const NAME_LIMIT = 256;

/** A name or id after blanks; empty if something else is here. */
export function* takeName(cursor: Cursor): Reading<string> {
  yield* cursor.takeWhile(isBlank, NAME_LIMIT);
  return yield* cursor.takeWhile((char) => /[\p{L}\p{N}_.:-]/u.test(char), NAME_LIMIT);
}

interface ReadValue {
  readonly start: number;
  readonly end: number;
  readonly itemEnds: readonly number[];
  readonly json: Json;
  readonly repairs: readonly string[];
  /** The closing brackets that were missing. */
  readonly missing: string;
}

/**
 * Takes a JSON value. The brackets in `mayLack` may be missing at its end; at the top level there may be one too many.
 */
function* takeJson(
  reply: ReplyWriter,
  { mayLack, closers = [], isBare = false }: CallsForm & { readonly mayLack?: RegExp },
): Reading<ReadValue | undefined> {
  const { cursor } = reply;
  const blanks = yield* blanksEnd(cursor, 0);
  if (!/[[{]/.test(yield* cursor.char(blanks))) return undefined;
  cursor.take(blanks);
  const start = cursor.position;
  const { stream, itemEnds } = yield* takeObject(cursor, { mayBeText: () => false });
  const { state, missing } = stream;
  const mayEnd = state === 'complete' || (mayLack?.test(missing) && !cursor.isCut);
  const read = mayEnd ? stream.read(missing) : undefined;
  if (!read?.ok) {
    if (mayLack) yield* leaveBroken(reply, closers);
    return undefined;
  }
  const repairs = [...read.repairs];
  if (missing !== '') repairs.push('closed the brackets that were left open');
  else if ((!isBare || start === 0) && (yield* takesMark(cursor, ['}', ']'])) !== undefined)
    repairs.push('left out an extra bracket');
  return { start, end: cursor.position, itemEnds, json: read.value, repairs, missing };
}

/** Text after the place where a block broke may be a part of it, and is not a call. */
export function* leaveBroken(reply: ReplyWriter, closers: readonly string[]): Reading<void> {
  reply.startCall('');
  yield* reply.cursor.upTo(['\n\n', ...closers], () => undefined);
}

/** Where a call is whose name is known, and the name. */
interface Head {
  readonly name: string;
  readonly id?: string;
  readonly start: number;
  readonly isBare?: boolean;
}

/** Reads the arguments of a call whose name came before them. */
export function* finishNamed(
  reply: ReplyWriter,
  { name, id = '', start, isBare = false }: Head,
): Reading<boolean> {
  const fence = yield* takesMark(reply.cursor, FENCES);
  const value = yield* takeJson(reply, { isBare: isBare && start > 0 });
  if (!value || name === '' || !isJsonObject(value.json)) return isNone(reply);
  if (fence !== undefined && (yield* takesMark(reply.cursor, ['```'])) === undefined) return false;
  const span = { index: reply.startCall(name), start, end: reply.cursor.position };
  finishCall(reply, { id, name, arguments: value.json }, span, value.repairs);
  return true;
}

/** The content of a value that is not a call is part of it, and never a call. */
function isNone(reply: ReplyWriter): false {
  reply.startCall('');
  return false;
}

const FENCES = ['```json', '```'];

interface CallsForm {
  /** One of them ends the calls, or the end of the reply does. */
  readonly closers?: readonly string[];
  /** No markers identify these calls: each must have arguments, and unclosed ones do not count. */
  readonly isBare?: boolean;
  /** The only key of each item is the name. */
  readonly isMap?: boolean;
}

/** One object or a list of them, possibly several, separated by semicolons. */
export function* readCalls(
  reply: ReplyWriter,
  { closers = [], isBare = false, isMap = false }: CallsForm,
): Reading<boolean> {
  const { cursor } = reply;
  const fence = isBare ? undefined : yield* takesMark(cursor, FENCES);
  let isOpen = false;
  do {
    const value = yield* takeJson(reply, { isBare, mayLack: isBare ? /^\]$/ : /^(?:\}|\]|\}\])$/, closers });
    const items = itemsOf(value?.json ?? null).map((item) => (isMap ? fromMap(item) : item));
    isOpen = value?.missing !== '';
    if (!value || items.length === 0 || !items.every((item) => isCall(item, isBare || isOpen)))
      return isNone(reply);
    finishCalls(reply, items, value, value.repairs);
  } while (!isOpen && (yield* takesSeparator(cursor)));
  if (fence !== undefined && (yield* takesMark(cursor, ['```'])) === undefined) return false;
  if ((yield* takesMark(cursor, closers)) !== undefined) return true;
  return (closers.length === 0 && !isOpen) || (yield* endsReply(cursor));
}

/** Skips to the next value, if one follows. */
function* takesSeparator(cursor: Cursor): Reading<boolean> {
  let end = yield* blanksEnd(cursor, 0);
  if (/[;,]/.test(yield* cursor.char(end))) end = yield* blanksEnd(cursor, end + 1);
  // A bracket may also begin a marker.
  const isList = yield* cursor.sees('[', end);
  if (!(yield* cursor.sees('{', isList ? yield* blanksEnd(cursor, end + 1) : end))) return false;
  cursor.take(end);
  return true;
}

/** The calls in a value. An envelope whose action is not a call has none. */
function itemsOf(json: Json): readonly Json[] {
  if (isJsonList(json)) return json;
  if (!isJsonObject(json) || !Object.hasOwn(json, 'tool_calls')) return [json];
  const { action = 'tool_call', tool_calls: calls = null } = json;
  if (action !== 'tool_call') return [];
  return isJsonList(calls) ? calls : [calls];
}

function fromMap(item: Json): Json {
  const [entry, another] = isJsonObject(item) ? Object.entries(item) : [];
  return entry && !another && isJsonObject(entry[1]) ? { name: entry[0], arguments: entry[1] } : null;
}

function isCall(item: Json, needsArguments: boolean): boolean {
  if (!isJsonObject(item)) return false;
  const inner = isJsonObject(item['function']) ? item['function'] : item;
  const has = (keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(inner, key));
  return has(NAMES) && (!needsArguments || has(ARGUMENTS));
}
