import { isJsonList, type Json, type JsonObject } from '../../base/json';
import type { ToolResult } from '../../core/words/messages';
import { typesOf } from '../../core/words/schema';
import type { ToolSpec } from '../../core/words/tool';
import { findTool } from '../engine/calls';
import { blanksEnd, endsLine, seenOf, type Cursor, type Reading } from '../engine/cursor';
import { LiteralReader, pythonLiterals, Unreadable, type Literals } from '../engine/literals';
import type { Reader, ReplyWriter } from '../engine/reader';
import { endsReply } from '../engine/special-tokens';
import { nameEnd } from '../engine/tags';
import { textProtocol } from '../engine/text-protocol';
import type { Rule } from '../../core/words/grammar';
import type { CallRules } from '../grammar/call-grammar';
import { without } from '../grammar/free-text';
import { sequence, text as literal } from '../grammar/rules';
import type { Notation } from '../grammar/schema-values';
import { signature, type PromptParts } from '../prompt/tool-prompt';
import { LiteralCalls } from './literal-calls';

/** How one generation of the family marks its calls and texts. */
interface Marks {
  readonly close: string;
  readonly literals: Literals;
}

const QUOTE = '<|"|>';

function marks(close: string, quote: string): Marks {
  const own = { open: quote, close: quote, hasEscapes: false };
  const mended = ['"', "'"].map((each) => ({ open: each, close: each, hasEscapes: true, isMended: true }));
  return { close, literals: { texts: [own, ...mended], hasBareKeys: true, closers: [close] } };
}

const GEMMA_4 = marks('<tool_call|>', QUOTE);
const MARKS: ReadonlyMap<string, Marks> = new Map([
  ['<|tool_call>', GEMMA_4],
  ['<start_function_call>', marks('<end_function_call>', '<escape>')],
  // The marks were lost on the way.
  ['call:', GEMMA_4],
]);
const PYTHON = pythonLiterals(['<tool_call|>']);
const RESULT = { open: '<|tool_response>', close: '<tool_response|>' };

type Tools = readonly ToolSpec[] | undefined;

/** What Gemma 4 and FunctionGemma were trained on: texts stand between marks and have no escapes. */
export const gemma4 = textProtocol({
  id: 'gemma4',
  label: 'Gemma 4',
  description: 'Calls between <|tool_call> and <tool_call|>; Gemma 4 models are trained on it.',
  sign: /<\|tool_call>|<start_function_call>|^call:[\w.-]+\{/m,
  suits: { fallback: /^(?:functiongemma|(?:diffusion-?)?gemma-?4)/ },
  describeTool: signature,
  prompt,
  renderCall: ({ name, arguments: args }) => render(name, args),
  markers: [
    '<|tool_call>',
    '<tool_call|>',
    QUOTE,
    RESULT.open,
    RESULT.close,
    '<start_function_call>',
    '<end_function_call>',
    '<escape>',
  ],
  renderResults: (results) => results.map(renderResult).join('\n'),
  stop: [RESULT.open],
  calls: { open: '<|tool_call>call:', close: '}<tool_call|>', call: callRule },
  reader: (tools) => ({ ...marked(tools), openers: [...MARKS.keys()] }),
});

function render(name: string, args: JsonObject): string {
  return `<|tool_call>call:${name}${gemma(args)}<tool_call|>`;
}

function gemma(value: Json): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isJsonList(value)) return `[${value.map(gemma).join(',')}]`;
  const pairs = Object.entries(value).map(([key, each]) => {
    const name = /^[\p{L}\p{N}_$.-]+$/u.test(key) ? key : text(key);
    return `${name}:${gemma(each)}`;
  });
  return `{${pairs.join(',')}}`;
}

/** A text that holds the mark itself stands in quotes, which have escapes. */
function text(value: string): string {
  return value.includes(QUOTE) ? JSON.stringify(value) : `${QUOTE}${value}${QUOTE}`;
}

const NOTATION: Notation = {
  id: 'gemma-',
  text: (build) => sequence(QUOTE, without(build, 'v', [QUOTE, '<tool_call|>', '<|tool_call>'])(), QUOTE),
  literal: gemma,
  key: (name) => name,
  isWide: false,
};

function callRule(tool: ToolSpec, rules: CallRules): Rule {
  const values = rules.values(tool, NOTATION);
  return sequence(
    `${tool.name}{`,
    values.properties(tool.parameters, tool.name, (key) => literal(`${key}:`)),
  );
}

function renderResult({ requestId, toolName, status, result }: ToolResult): string {
  return `${RESULT.open}response:${toolName}{id:${QUOTE}${requestId}${QUOTE},status:${QUOTE}${status}${QUOTE},value:${QUOTE}${result}${QUOTE}}${RESULT.close}`;
}

function prompt({ tools, example }: PromptParts): string {
  return [
    `You can call tools. These are their signatures, one JSON object a line:\n<tools>\n${tools.join('\n')}\n</tools>`,
    `To call one, write exactly this form:\n${render(example.name, example.arguments)}`,
    `Rules:
- Texts stand raw between ${QUOTE} and ${QUOTE}, without escapes; numbers, true, false and null stand alone; lists are [1,2].
- You may write a sentence before a call, and several calls in one message.
- Never put a call inside a code fence or inside thinking.
- After your calls, stop: the results come in the next message between ${RESULT.open} and ${RESULT.close}.
- When nothing is left to do, answer in plain text without a call.`,
  ].join('\n\n');
}

function marked(tools: Tools): Reader {
  return {
    id: 'gemma4',
    openers: [...MARKS.keys()].filter((opener) => opener !== 'call:'),
    resultOpeners: [`${RESULT.open}response:`, '<start_function_response>'],
    *begins(cursor, opener, isLineStart, offset = 0) {
      if (opener !== 'call:') return true;
      return isLineStart && (yield* beginsCall(cursor, offset + opener.length, tools));
    },
    block: (reply, opener) => readCalls(reply, opener, tools),
  };
}

/** Recognises calls whose marks were lost, in place of another form. */
export function unmarkedCalls(tools: Tools): Reader {
  return { ...marked(tools), openers: ['call:'], resultOpeners: [], standsAlone: true };
}

function* beginsCall(cursor: Cursor, from: number, tools: Tools = []): Reading<boolean> {
  const end = yield* nameEnd(cursor, from);
  if (!(yield* cursor.sees('{', end))) return false;
  return findTool(tools, cursor.unread.slice(from, end)) !== undefined;
}

function* readCalls(reply: ReplyWriter, opener: string, tools: Tools): Reading<boolean> {
  const { close, literals } = MARKS.get(opener) ?? GEMMA_4;
  const { cursor } = reply;
  const isBare = opener === 'call:';
  // A block that holds nothing is swallowed.
  const first = yield* blanksEnd(cursor, opener.length);
  if (!isBare && (yield* cursor.sees(close, first))) {
    cursor.take(first + close.length);
    return true;
  }
  const calls = new LiteralCalls(reply, literals, close);
  const read = readBlock(reply, calls, { opener, isBare, tools });
  if (yield* calls.attempt(read, [isBare ? '\n' : close])) calls.finish();
  return true;
}

interface Block {
  readonly opener: string;
  readonly isBare: boolean;
  readonly tools: Tools;
}

function* readBlock(
  reply: ReplyWriter,
  calls: LiteralCalls,
  { opener, isBare, tools }: Block,
): Reading<void> {
  const { cursor } = reply;
  const { close } = MARKS.get(opener) ?? GEMMA_4;
  const { reader } = calls;
  if (isBare) reader.repairs.add('supplied the marks around it, which were missing');
  else cursor.take(opener.length);
  do {
    yield* reader.blanks();
    if (!(yield* cursor.takes('call:'))) throw new Unreadable('there is no call: behind the mark');
    const name = cursor.take(yield* nameEnd(cursor, 0));
    const schema = findTool(tools ?? [], name)?.parameters.properties ?? {};
    const wantsText = (key: string): boolean => typesOf(schema[key] ?? {}).includes('string');
    if (yield* cursor.sees('(')) {
      const python = new LiteralReader(cursor, PYTHON);
      yield* calls.call(name, '()', () => false, python);
      for (const repair of ['read a call of Python', ...python.repairs]) reader.repairs.add(repair);
    } else if (yield* cursor.sees('{')) {
      yield* calls.call(name, '{}', wantsText);
    } else {
      throw new Unreadable('no arguments stand behind the name');
    }
    if (reader.isOver) return;
  } while (yield* cursor.sees('call:', yield* blanksEnd(cursor, 0)));
  const end = yield* blanksEnd(cursor, 0);
  if (yield* cursor.sees(close, end)) {
    cursor.take(end + close.length);
    for (let more = 0; yield* cursor.sees(close, more); more = 0) cursor.take(close.length);
  } else if (isBare) {
    if (!(yield* endsLine(cursor, 0)) && !(yield* endsReply(cursor)))
      throw new Unreadable('something stands behind the call');
  } else if ((yield* seenOf(cursor, [opener], end)) !== undefined || (yield* endsReply(cursor))) {
    reader.repairs.add(`supplied ${close}, which was missing`);
  } else {
    throw new Unreadable(`there is no ${close} behind the call`);
  }
}
