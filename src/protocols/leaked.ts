import { isJsonList, isJsonObject, type Json } from '../base/json';
import { skipBlanks, type Cursor, type Reading } from './engine/cursor';
import type { Reader, ReplyWriter } from './engine/reader';
import { finishCall, finishCalls, takeObject } from './json/json-calls';

/**
 * Forms that models write on their own when a server does not turn them into calls: nobody is asked to write them, and
 * they are only recognised. From the models' chat templates.
 */
export const leaked: readonly Reader[] = [
  // `{"name": …, "parameters": …}`, Llama 3; `{"tool_calls": […]}`, what the API itself looks like.
  { ...form('json', ['{'], readBareJson, beginsCall), mayBeFenced: true, standsAlone: true },
  // Llama 3 with its marker.
  form('llama', ['<|python_tag|>'], readJsonCalls),
  // Granite 3.
  form('granite', ['<|tool_call|>'], readJsonCalls),
  form('mistral', ['[TOOL_CALLS]'], readMistral),
  form('deepseek', ['<｜tool▁calls▁begin｜>'], (reply) =>
    readSection(reply, {
      item: '<｜tool▁call▁begin｜>',
      separator: '<｜tool▁sep｜>',
      itemEnd: '<｜tool▁call▁end｜>',
      ends: ['<｜tool▁calls▁end｜>'],
    }),
  ),
  form('kimi', ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'], (reply) =>
    readSection(reply, {
      item: '<|tool_call_begin|>',
      separator: '<|tool_call_argument_begin|>',
      itemEnd: '<|tool_call_end|>',
      ends: ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    }),
  ),
  // gpt-oss.
  form('harmony', ['<|channel|>commentary to=functions.'], readHarmony),
];

/** Reads what stands behind an opener; false where it is no call after all. */
type ReadForm = (reply: ReplyWriter) => Reading<boolean>;

function form(id: string, openers: string[], read: ReadForm, begins?: Reader['begins']): Reader {
  return {
    id,
    openers,
    resultOpeners: [],
    ...(begins && { begins }),
    *block(reply, opener) {
      // The bare object has no marker; its brace belongs to it.
      if (opener !== '{') reply.cursor.take(opener.length);
      return yield* read(reply);
    },
  };
}

const NAME_LIMIT = 256;
const BLANK_LIMIT = 1024;

const FIRST_KEYS = ['name', 'tool_calls', 'action', 'arguments', 'parameters', 'function', 'type', 'id'];

/** A brace at the beginning of a line whose first key is one of a call's. */
function* beginsCall(cursor: Cursor, _opener: string, isLineStart: boolean): Reading<boolean> {
  if (!isLineStart) return false;
  let offset = 1;
  while (offset < BLANK_LIMIT && /\s/.test(yield* cursor.char(offset))) offset++;
  for (const key of FIRST_KEYS) {
    if (yield* cursor.sees(`"${key}"`, offset)) return true;
  }
  return false;
}

function* readBareJson(reply: ReplyWriter): Reading<boolean> {
  const value = yield* takeJson(reply);
  if (!value || !isJsonObject(value.json)) return false;
  // An envelope that does not say that it calls has no call.
  const { action = 'tool_call', tool_calls: calls = value.json } = value.json;
  return action === 'tool_call' && finishAll(reply, calls, value);
}

/** One object or a list of them, and more of both behind semicolons. */
function* readJsonCalls(reply: ReplyWriter): Reading<boolean> {
  const { cursor } = reply;
  for (;;) {
    yield* skipBlanks(reply);
    const value = yield* takeJson(reply);
    if (!value || !finishAll(reply, value.json, value)) return false;
    if (!(yield* cursor.takes(';'))) return true;
  }
}

/** A list of calls, or a name, perhaps an id, and the arguments. */
function* readMistral(reply: ReplyWriter): Reading<boolean> {
  const { cursor } = reply;
  yield* skipBlanks(reply);
  const start = cursor.position;
  if (/[[{]/.test(yield* cursor.char())) return yield* readJsonCalls(reply);
  const name = yield* takeName(cursor);
  const id = (yield* cursor.takes('[CALL_ID]')) ? yield* takeName(cursor) : '';
  if (!(yield* cursor.takes('[ARGS]'))) return false;
  return yield* finishOne(reply, { name, id, start });
}

/** Calls in a section: a head with the name, a separator, the arguments. */
interface Section {
  readonly item: string;
  readonly separator: string;
  readonly itemEnd: string;
  readonly ends: readonly string[];
}

function* readSection(reply: ReplyWriter, { item, separator, itemEnd, ends }: Section): Reading<boolean> {
  const { cursor } = reply;
  for (;;) {
    yield* skipBlanks(reply);
    const start = cursor.position;
    if (!(yield* cursor.takes(item))) return yield* takesOneOf(cursor, ends);
    const head = yield* takeName(cursor);
    if (!(yield* cursor.takes(separator))) return false;
    // DeepSeek V3 and R1 write the kind first, and the name in a line of its own.
    const name = head === 'function' ? yield* takeName(cursor) : head;
    yield* skipFence(reply);
    if (!(yield* finishOne(reply, { ...named(name), start }))) return false;
    yield* skipFence(reply);
    if (!(yield* cursor.takes(itemEnd))) return false;
  }
}

function* readHarmony(reply: ReplyWriter): Reading<boolean> {
  const { cursor } = reply;
  const start = cursor.position;
  const name = yield* takeName(cursor);
  const header = yield* cursor.upTo(['<|message|>', '\n'], () => undefined);
  if (header === undefined || !(yield* cursor.takes('<|message|>'))) return false;
  if (!(yield* finishOne(reply, { name, id: '', start }))) return false;
  yield* cursor.takes('<|call|>');
  return true;
}

/** Kimi's ids are `functions.name:number`. */
function named(head: string): { readonly name: string; readonly id: string } {
  const found = /^functions\.(.+):\d+$/.exec(head);
  return found ? { name: found[1] ?? '', id: head } : { name: head, id: '' };
}

function* takeName(cursor: Cursor): Reading<string> {
  yield* cursor.takeWhile((char) => /\s/.test(char), BLANK_LIMIT);
  const name = yield* cursor.takeWhile((char) => /[\w.:-]/.test(char), NAME_LIMIT);
  return name;
}

function* skipFence(reply: ReplyWriter): Reading<void> {
  const { cursor } = reply;
  yield* skipBlanks(reply);
  if (!(yield* cursor.takes('```'))) return;
  yield* cursor.takes('json');
  yield* skipBlanks(reply);
}

function* takesOneOf(cursor: Cursor, literals: readonly string[]): Reading<boolean> {
  for (const literal of literals) {
    if (yield* cursor.takes(literal)) return true;
  }
  return false;
}

interface ReadValue {
  readonly start: number;
  readonly end: number;
  readonly itemEnds: readonly number[];
  readonly json: Json;
  readonly repairs: readonly string[];
}

function* takeJson({ cursor }: ReplyWriter): Reading<ReadValue | undefined> {
  if (!/[[{]/.test(yield* cursor.char())) return undefined;
  const start = cursor.position;
  const { stream, itemEnds } = yield* takeObject(cursor, { mayBeText: () => false });
  const read = stream.state === 'complete' ? stream.read() : undefined;
  if (!read?.ok) return undefined;
  return { start, end: cursor.position, itemEnds, json: read.value, repairs: read.repairs };
}

function* finishOne(
  reply: ReplyWriter,
  { name, id, start }: { readonly name: string; readonly id: string; readonly start: number },
): Reading<boolean> {
  yield* skipBlanks(reply);
  const value = yield* takeJson(reply);
  if (!value || name === '' || !isJsonObject(value.json)) return false;
  const span = { index: reply.startCall(name), start, end: reply.cursor.position };
  finishCall(reply, { id, name, arguments: value.json }, span, value.repairs);
  return true;
}

/** Only items that say both name and arguments: an object with a name alone is seldom a call. */
function finishAll(reply: ReplyWriter, json: Json, block: ReadValue): boolean {
  const items = isJsonList(json) ? json : [json];
  if (items.length === 0 || !items.every(hasArguments)) return false;
  finishCalls(reply, items, block, block.repairs);
  return true;
}

function hasArguments(item: Json): boolean {
  if (!isJsonObject(item)) return false;
  const inner = isJsonObject(item['function']) ? item['function'] : item;
  return ['arguments', 'parameters'].some((key) => Object.hasOwn(inner, key));
}
