import type { ToolResult } from '../../core/words/messages';
import type { ToolSpec } from '../../core/words/tool';
import { warning } from '../engine/calls';
import { blanksEnd, skipBlanks, type Cursor, type Reading } from '../engine/cursor';
import type { Reader, ReplyWriter } from '../engine/reader';
import { endsReply } from '../engine/special-tokens';
import { takesClosing } from '../engine/tags';
import { readTaggedJson } from '../json/tagged-json';
import { FunctionBody, NamedBody } from './call-bodies';
import { marksOf, OPENERS, PLAIN, TOOL_CALL, WRAPPERS, type Marks } from './marks';

/** What begins and ends calls and results of the family, also a call without its tag. */
export const MARKERS: readonly string[] = [
  ...[...OPENERS, ...WRAPPERS],
  ...[TOOL_CALL.close, '</seed:tool_call>', '</longcat_tool_call>'],
  ...['<function=', '</function>'],
  ...['<tool_response>', '</tool_response>'],
];

/** Where the results of the family stand. */
export function renderToolResponses(results: readonly ToolResult[]): string {
  return results
    .map(({ requestId, toolName, status, result }) => {
      const head = JSON.stringify({ id: requestId, name: toolName, status });
      return `<tool_response>\n${head}\n${result}\n</tool_response>`;
    })
    .join('\n');
}

type Tools = readonly ToolSpec[] | undefined;

/** One parser for the whole family: JSON, `<function=…>` or a bare name inside `<tool_call>`, in all its spellings. */
export function toolCallReader(id: string, tools: Tools): Reader {
  let blockEnd = 0;
  return {
    id,
    openers: [...OPENERS, ...WRAPPERS, '<function=', TOOL_CALL.close],
    resultOpeners: ['<tool_response>'],
    formOf: (block) => {
      if (block.includes('<function=')) return 'qwen3-coder';
      return /^<[\w:.-]+>\s*(?:```\w*\s*)?[{[]/.test(block) ? 'hermes' : 'glm';
    },
    *begins(cursor, opener, isLineStart, offset = 0) {
      if (opener === TOOL_CALL.close) return isLineStart || cursor.position === blockEnd;
      if (opener === '<function=') return isLineStart && (yield* isOffered(cursor, offset, tools));
      const marks = yield* marksOf(cursor, opener, offset);
      if (!marks) return false;
      if (WRAPPERS.includes(opener))
        return yield* cursor.sees(marks.open, yield* blanksEnd(cursor, offset + marks.list.open.length));
      // With these tags it is a block of another form.
      const inside = yield* blanksEnd(cursor, offset + marks.open.length);
      return !(yield* cursor.sees('<invoke ', inside)) && !(yield* cursor.sees(']<]', inside));
    },
    *block(reply, opener) {
      const isWhole = yield* readAny(reply, opener, tools);
      blockEnd = reply.cursor.position;
      return isWhole;
    },
  };
}

function* readAny(reply: ReplyWriter, opener: string, tools: Tools): Reading<boolean> {
  if (opener === TOOL_CALL.close) yield* takeOrphan(reply);
  else if (opener === '<function=') yield* new FunctionBody(reply, PLAIN, tools).read();
  else return yield* readBlock(reply, opener, tools);
  return true;
}

/**
 * Models leave out `<tool_call>` after a sentence: a bare `<function=…>` counts at the beginning of a line for a tool
 * that is offered. A closing tag without its opener is left over from that.
 */
function* isOffered(cursor: Cursor, offset: number, tools: Tools): Reading<boolean> {
  for (const { name } of tools ?? []) {
    if (yield* cursor.sees(`<function=${name}>`, offset)) return true;
  }
  return false;
}

function* takeOrphan({ cursor }: ReplyWriter): Reading<void> {
  yield* cursor.need(TOOL_CALL.close.length);
  cursor.take(TOOL_CALL.close.length);
}

/** Says false where the tag around calls is not closed and the reply goes on: in another form nothing of it counts then. */
function* readBlock(reply: ReplyWriter, opener: string, tools: Tools): Reading<boolean> {
  const { cursor } = reply;
  const marks = (yield* marksOf(cursor, opener)) ?? PLAIN;
  if (!WRAPPERS.includes(opener)) {
    yield* readToolCall(reply, marks, tools);
    return true;
  }
  cursor.take(marks.list.open.length);
  for (yield* skipBlanks(reply); yield* cursor.sees(marks.open); yield* skipBlanks(reply))
    yield* readToolCall(reply, marks, tools);
  return (yield* takesClosing(cursor, marks.list.close)) || (yield* endsReply(cursor));
}

function* readToolCall(reply: ReplyWriter, marks: Marks, tools: Tools): Reading<void> {
  const { cursor } = reply;
  let offset = yield* blanksEnd(cursor, marks.open.length);
  while (yield* cursor.sees(marks.open, offset)) {
    const start = cursor.position;
    cursor.take(offset);
    const message = `${marks.open} was written twice.`;
    reply.markRepaired(
      warning({ start, end: cursor.position }, 'opened-twice', message, 'Open every call once.'),
      cursor.position + 1,
    );
    offset = yield* blanksEnd(cursor, marks.open.length);
  }
  const first = yield* cursor.char(offset);
  if (/[{[`]/.test(first)) {
    yield* readTaggedJson(reply, marks);
  } else if (first === '<') {
    let wrapper = cursor.take(offset);
    while (yield* new FunctionBody(reply, marks, tools, wrapper).read()) wrapper = '';
  } else {
    yield* new NamedBody(reply, marks, cursor.take(offset)).read();
  }
}
