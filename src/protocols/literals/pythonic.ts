import { isJsonList, type Json, type JsonObject } from '../../base/json';
import type { Rule } from '../../core/words/grammar';
import type { ToolResult } from '../../core/words/messages';
import type { ToolSpec } from '../../core/words/tool';
import { findTool, warning } from '../engine/calls';
import { blanksEnd, seenOf, skipBlanks, type Cursor, type Reading } from '../engine/cursor';
import { isBareKey, Unreadable } from '../engine/literals';
import type { OfferedTools, Reader, ReplyWriter } from '../engine/reader';
import { nameEnd } from '../engine/tags';
import { textProtocol, type ResultLabel } from '../engine/text-protocol';
import { responseTag } from '../tool-call/tool-call-family';
import type { CallRules } from '../grammar/call-grammar';
import { sequence } from '../grammar/rules';
import { quoted, quotedPath, type Notation } from '../grammar/schema-values';
import { afterCalls, rules, signature, type PromptParts } from '../prompt/tool-prompt';
import { LiteralCalls } from './literal-calls';

const LFM2 = '<|tool_call_start|>';
/** The markers around the calls of LFM2, Llama 4 and Olmo 3; other models write the list without markers. */
const MARKS: ReadonlyMap<string, string> = new Map([
  [LFM2, '<|tool_call_end|>'],
  ['<|python_start|>', '<|python_end|>'],
  ['<function_calls>', '</function_calls>'],
]);
const CLOSERS = [...MARKS.values()];

/** Calls in Python syntax: plain text, and short. */
export const pythonic = textProtocol({
  id: 'pythonic',
  label: 'Pythonic',
  description: 'A list of Python calls; LFM2, Llama 3.2 and 4, Gemma 3 and Olmo 3 write it.',
  sign: /^\s*\[[\w.-]+\([^\n]*\)\]|<\|tool_call_start\|>|<\|python_start\|>|<function_calls>\s*[\w.-]+\(/m,
  suits: {
    // Gemma has tool markers from its fourth generation on; a number before a "b" is a size.
    first: /^gemma(?!-?[4-9](?![\db]))(?:-?[123]n?)?(?:[-:.]|$)/,
    fallback: /^(?:lfm-?2|olmo-?3|llama-?(?:3\.2|4)|toolace)/,
  },
  describeTool: signature,
  prompt,
  renderCall: ({ name, arguments: args }) => render(name, args),
  markers: [...MARKS.keys(), ...CLOSERS, '<tool_response>', '</tool_response>'],
  renderResult,
  stop: ['<tool_response>'],
  calls: {
    open: '[',
    close: ')]',
    separator: '),',
    isLine: true,
    call: callRule,
  },
  reader: (tools) => reader(tools, true),
});

function render(name: string, args: JsonObject): string {
  const entries = Object.entries(args);
  if (!areWords(Object.keys(args))) return `[${name}(**${python(args)})]`;
  return `[${name}(${entries.map(([key, value]) => `${key}=${python(value)}`).join(', ')})]`;
}

/** Arguments with other names are written in a dictionary. */
function areWords(keys: readonly string[]): boolean {
  return keys.every((key) => isBareKey(key) && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key));
}

function callRule(tool: ToolSpec, rules: CallRules): Rule {
  if (areWords(Object.keys(tool.parameters.properties ?? {})))
    return rules.literalCall(tool, NOTATION, '(', (key) => `${key}=`);
  return sequence(`${tool.name}(**`, rules.objectArguments(tool, NOTATION));
}

/** A value as Python writes it; its escapes are those of JSON. */
function python(value: Json): string {
  if (typeof value === 'string' || typeof value === 'number') return JSON.stringify(value);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (isJsonList(value)) return `[${value.map(python).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}: ${python(each)}`)
    .join(', ')}}`;
}

const NOTATION: Notation = {
  id: 'python-',
  text: () => quoted('"\\nrt'),
  path: () => quotedPath('"\\'),
  literal: python,
  key: (name) => JSON.stringify(name),
  isWide: true,
};

/**
 * A list has no markers to escape, but counts only at the beginning of a line: a JSON string contains no line break.
 */
function renderResult(given: ToolResult, label: ResultLabel): string {
  const result = /^\s*\[\s*[\w.-]+\s*\(/m.test(given.result) ? JSON.stringify(given.result) : given.result;
  return responseTag({ ...given, result }, label);
}

function prompt({ tools, example, formType, steps }: PromptParts): string {
  return [
    `You can call tools. Their signatures, one JSON object per line:\n<tools>\n${tools.join('\n')}\n</tools>`,
    `To call one, write a list of Python calls on a separate line:\n${render(example.name, example.arguments)}`,
    rules(
      formType,
      {
        free: 'Name every argument. In texts write line breaks as \\n, quotes as \\" and backslashes as \\\\.',
      },
      { free: 'Nothing is evaluated: values are texts, numbers, True, False, None, lists and dicts.' },
      ...(steps === 'one' ? [] : ['A list may have several calls: [f(a="x"), g(n=3)].']),
      ...afterCalls('list', 'between <tool_response> and </tool_response>', steps),
    ),
  ].join('\n\n');
}

function reader(tools: OfferedTools, isOwn: boolean): Reader {
  return {
    id: 'pythonic',
    openers: [...MARKS.keys(), '['],
    lineOpeners: ['['],
    closers: CLOSERS,
    // As Gemma's makers prompt the second and third generation.
    fencedAs: 'tool_code',
    resultOpeners: ['<tool_response>'],
    *begins(cursor, opener, isLineStart, offset = 0) {
      if (opener === '[') return isLineStart && (yield* beginsCall(cursor, offset + 1, tools, isOwn));
      const at = yield* blanksEnd(cursor, offset + opener.length);
      const inside = (yield* cursor.sees('[', at)) ? yield* blanksEnd(cursor, at + 1) : at;
      const end = yield* nameEnd(cursor, inside);
      return end > inside && (yield* cursor.sees('(', end));
    },
    block: readCalls,
  };
}

/** Recognizes a list without markers, when another form is in use. */
export function bareCalls(tools: OfferedTools): Reader {
  return { ...reader(tools, false), openers: ['['], resultOpeners: [], standsAlone: true };
}

/** Whether a call of an offered tool is there; in the current form also of another tool, with a named argument. */
function* beginsCall(cursor: Cursor, from: number, tools: OfferedTools, isOwn: boolean): Reading<boolean> {
  const start = yield* blanksEnd(cursor, from);
  const end = yield* nameEnd(cursor, start);
  if (!(yield* cursor.sees('(', end))) return false;
  if (tools && findTool(tools, cursor.unread.slice(start, end))) return true;
  if (!isOwn) return false;
  const key = yield* blanksEnd(cursor, end + 1);
  if ((yield* seenOf(cursor, tools ? ['**{'] : ['**{', ')'], key)) !== undefined) return true;
  const equals = yield* blanksEnd(cursor, yield* nameEnd(cursor, key));
  return equals > key && (yield* cursor.sees('=', equals)) && !(yield* cursor.sees('==', equals));
}

function* readCalls(reply: ReplyWriter, opener: string): Reading<true> {
  const closer = MARKS.get(opener);
  const place = closer === undefined ? { end: ')]' } : { opener, end: closer };
  const calls = new LiteralCalls(reply, { closers: closer === undefined ? CLOSERS : [closer] }, place);
  if ((yield* calls.block(readList(reply, calls))) && opener === LFM2) yield* dropEcho(reply, calls);
  return true;
}

/** `[f(a=1), g()]`, between markers also `f(a=1)` and `g()` on separate lines. */
function* readList(reply: ReplyWriter, calls: LiteralCalls): Reading<void> {
  const { cursor } = reply;
  const isList = yield* cursor.takes('[');
  yield* skipBlanks(reply);
  let isOpen = true;
  while (isOpen) {
    const name = cursor.take(yield* nameEnd(cursor, 0));
    if (!(yield* cursor.sees('('))) throw new Unreadable('there is text that is not a call');
    yield* calls.call(name, '(');
    yield* skipBlanks(reply);
    const hasComma = yield* cursor.takes(',');
    yield* skipBlanks(reply);
    isOpen = isList ? !(yield* cursor.takes(']')) : (yield* nameEnd(cursor, 0)) > 0;
    if (isList && isOpen && !hasComma) throw new Unreadable('the list is not closed');
  }
}

/** LFM2 repeats its calls after their end marker; other calls there do not count. */
function* dropEcho(reply: ReplyWriter, { calls }: LiteralCalls): Reading<void> {
  const { cursor } = reply;
  const at = yield* blanksEnd(cursor, 0);
  const name = (yield* cursor.sees('[', at)) ? yield* blanksEnd(cursor, at + 1) : at;
  if (!(yield* cursor.sees(`${calls[0]?.name ?? ''}(`, name))) return;
  const start = cursor.position;
  const end = MARKS.get(LFM2) ?? '';
  const found = yield* cursor.upTo([end, LFM2, ...reply.closers], () => undefined);
  if (found === end) cursor.take(end.length);
  const message = 'Text after the end of the block was treated as a copy of its calls and not run.';
  const span = { start, end: cursor.position };
  reply.warn(warning(span, 'echoed-call', message, 'Write each call once.'));
}
