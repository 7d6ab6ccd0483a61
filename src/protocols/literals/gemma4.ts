import { isJsonList, type Json, type JsonObject } from '../../base/json';
import type { CharSet, Rule } from '../../core/words/grammar';
import type { ToolResult } from '../../core/words/messages';
import { typesOf } from '../../core/words/schema-types';
import { findTool } from '../engine/calls';
import { blanksEnd, skipBlanks, type Reading } from '../engine/cursor';
import { isBareKey, Unreadable, type Literals } from '../engine/literals';
import type { OfferedTools, Reader, ReplyWriter } from '../engine/reader';
import { nameEnd } from '../engine/tags';
import { textProtocol, type ResultLabel } from '../engine/text-protocol';
import { without } from '../grammar/free-text';
import { choice, sequence, type GrammarBuilder } from '../grammar/rules';
import { CONTROL, quoted, quotedPath, type Notation } from '../grammar/schema-values';
import { afterCalls, rules, signature, type PromptParts } from '../prompt/tool-prompt';
import { LiteralCalls } from './literal-calls';

const BARE = 'call:';
const QUOTE = '<|"|>';
const GEMMA_4: Literals = { mark: QUOTE, closers: ['<tool_call|>'] };
/** What precedes the calls of each generation of the family. */
const FORMS: ReadonlyMap<string, Literals> = new Map([
  ['<|tool_call>', GEMMA_4],
  ['<start_function_call>', { mark: '<escape>', closers: ['<end_function_call>'] }],
  // The markers were lost on the way.
  [BARE, GEMMA_4],
]);
const RESULT = { open: '<|tool_response>', close: '<tool_response|>' };

/** The form Gemma 4 and FunctionGemma were trained on: texts are between marks and have no escapes. */
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
  renderResult,
  stop: [RESULT.open],
  calls: {
    open: '<|tool_call>call:',
    close: '}<tool_call|>',
    call: (tool, rules) => rules.literalCall(tool, NOTATION, '{', (key) => `${word(key)}:`),
  },
  reader,
});

function render(name: string, args: JsonObject): string {
  return `<|tool_call>call:${name}${gemma(args)}<tool_call|>`;
}

function gemma(value: Json): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isJsonList(value)) return `[${value.map(gemma).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, each]) => `${word(key)}:${gemma(each)}`)
    .join(',')}}`;
}

function word(key: string): string {
  return isBareKey(key) ? key : text(key);
}

/** A text that contains the mark itself is written in quotes, which have escapes. */
function text(value: string): string {
  return value.includes(QUOTE) ? JSON.stringify(value) : `${QUOTE}${value}${QUOTE}`;
}

const QUOTE_IN_JSON = JSON.stringify(QUOTE).slice(1, -1);

/** A text between the marks. */
function marked(build: GrammarBuilder, id: string, never: CharSet['ranges'] = []): Rule {
  return sequence(QUOTE, without(build, id, [QUOTE], { never })(), QUOTE);
}

const NOTATION: Notation = {
  id: 'gemma-',
  text: (build) => choice(marked(build, 'v'), quoted('"\\nrtbf', QUOTE_IN_JSON)),
  path: (build) => choice(marked(build, 'p', CONTROL), quotedPath('"\\', QUOTE_IN_JSON)),
  literal: gemma,
  key: word,
  isWide: false,
};

/** The form always needs a name. */
function renderResult({ toolName, result }: ToolResult, { status }: ResultLabel): string {
  const fact = status === undefined ? '' : `status:${QUOTE}${status}${QUOTE},`;
  return `${RESULT.open}response:${toolName}{${fact}value:${QUOTE}${result}${QUOTE}}${RESULT.close}`;
}

function prompt({ tools, example, formType, steps }: PromptParts): string {
  return [
    `You can call tools. Their signatures, one JSON object per line:\n<tools>\n${tools.join('\n')}\n</tools>`,
    `To call one, write exactly this form:\n${render(example.name, example.arguments)}`,
    rules(
      formType,
      `Texts are raw between ${QUOTE} and ${QUOTE}, without escapes; numbers, true, false and null are bare; lists are [1,2].`,
      ...afterCalls('call', `between ${RESULT.open} and ${RESULT.close}`, steps),
    ),
  ].join('\n\n');
}

function reader(tools: OfferedTools): Reader {
  return {
    id: 'gemma4',
    openers: [...FORMS.keys()],
    closers: [...FORMS.values()].flatMap(({ closers }) => closers),
    resultOpeners: [`${RESULT.open}response:`, '<start_function_response>'],
    *begins(cursor, opener, isLineStart, offset = 0) {
      if (opener !== BARE) return true;
      const start = offset + opener.length;
      const end = yield* nameEnd(cursor, start);
      if (!isLineStart || !(yield* cursor.sees('{', end))) return false;
      return findTool(tools ?? [], cursor.unread.slice(start, end)) !== undefined;
    },
    block: (reply, opener) => readCalls(reply, opener, tools),
  };
}

/** Recognizes calls that lost their markers, when another form is in use. */
export function unmarkedCalls(tools: OfferedTools): Reader {
  return { ...reader(tools), openers: [BARE], resultOpeners: [], standsAlone: true };
}

function* readCalls(reply: ReplyWriter, opener: string, tools: OfferedTools): Reading<true> {
  const form = FORMS.get(opener) ?? GEMMA_4;
  const [end = ''] = form.closers;
  const calls = new LiteralCalls(reply, form, { opener: opener === BARE ? undefined : opener, end });
  if (opener === BARE) calls.reader.repairs.add('added the missing marks around it');
  yield* calls.block(readBlock(reply, calls, end, tools));
  return true;
}

/** `call:f{…}call:g{…}`; an empty block is dropped. */
function* readBlock(
  reply: ReplyWriter,
  calls: LiteralCalls,
  end: string,
  tools: OfferedTools = [],
): Reading<void> {
  const { cursor } = reply;
  if (yield* cursor.sees(end)) return;
  do {
    yield* skipBlanks(reply);
    if (yield* cursor.takes(':')) calls.reader.repairs.add(`added the missing ${BARE}`);
    else if (!(yield* cursor.takes(BARE))) throw new Unreadable(`there is no ${BARE} after the mark`);
    const name = cursor.take(yield* nameEnd(cursor, 0));
    const parameters = findTool(tools, name)?.parameters ?? {};
    if (yield* cursor.sees('{')) {
      yield* calls.call(name, '{', (key) =>
        typesOf(parameters.properties?.[key] ?? {}, parameters).includes('string'),
      );
    } else if (yield* cursor.sees('(')) {
      calls.reader.repairs.add('read a Python call');
      yield* calls.call(name, '(');
    } else {
      throw new Unreadable('no arguments follow the name');
    }
  } while (!calls.reader.isOver && (yield* cursor.sees(BARE, yield* blanksEnd(cursor, 0))));
}
