import type { ToolResult } from '../core/messages';
import type { ToolSpec } from '../core/tool';
import { skipBlanks } from './blank';
import { CallBody } from './call-body';
import type { Problem } from './calls';
import type { Cursor, Reading } from './cursor';
import { unfinished } from './problems';
import type { RawValueForm } from './raw-value';
import { readTaggedJson, skipToEnd } from './tagged-json';
import type { Grammar, ReplyWriter } from './text-parser';

/** Hermes, Qwen3-Coder and GLM all open a call like this; what stands inside tells them apart. */
export const TOOL_CALL = { open: '<tool_call>', close: '</tool_call>' };

/** Where the results of the family stand. */
export function renderToolResponses(results: readonly ToolResult[]): string {
  return results
    .map(({ requestId, toolName, status, result }) => {
      const head = JSON.stringify({ id: requestId, name: toolName, status });
      return `<tool_response>\n${head}\n${result}\n</tool_response>`;
    })
    .join('\n');
}

/** White space that may stand between the tag and what is in it. */
const BLANK_LIMIT = 1024;

/** One parser for the whole family: JSON, `<function=…>` or a bare name inside `<tool_call>`. */
export function toolCallGrammar(id: string, tools: readonly ToolSpec[] | undefined): Grammar {
  return {
    id,
    openers: [TOOL_CALL.open, '<function=', TOOL_CALL.close],
    resultOpeners: ['<tool_response>'],
    begins: (cursor, opener, isLineStart) => begins(cursor, opener, isLineStart, tools),
    block: (reply, opener) => {
      if (opener === TOOL_CALL.close) return takeOrphan(reply);
      return opener === TOOL_CALL.open ? readToolCall(reply) : readBareFunction(reply);
    },
  };
}

/**
 * Models leave out `<tool_call>` after a sentence: a bare `<function=…>` counts at the beginning of a line for a tool
 * that is offered. A closing tag without its opener is left over from that.
 */
function* begins(
  cursor: Cursor,
  opener: string,
  isLineStart: boolean,
  tools: readonly ToolSpec[] | undefined,
): Reading<boolean> {
  if (opener !== '<function=') return true;
  if (!isLineStart) return false;
  for (const { name } of tools ?? []) {
    if (yield* cursor.sees(`<function=${name}>`)) return true;
  }
  return false;
}

function* takeOrphan({ cursor }: ReplyWriter): Reading<true> {
  yield* cursor.need(TOOL_CALL.close.length);
  cursor.take(TOOL_CALL.close.length);
  return true;
}

function* readBareFunction(reply: ReplyWriter): Reading<true> {
  yield* new XmlBody(reply, '').read();
  return true;
}

function* readToolCall(reply: ReplyWriter): Reading<true> {
  const { cursor } = reply;
  let offset = TOOL_CALL.open.length;
  while (offset < BLANK_LIMIT && /\s/.test(yield* cursor.char(offset))) offset++;
  const first = yield* cursor.char(offset);
  if (first === '{' || first === '`') return yield* readTaggedJson(reply, TOOL_CALL);
  const wrapper = cursor.take(offset);
  const body = first === '<' ? new XmlBody(reply, wrapper) : new GlmBody(reply, wrapper);
  yield* body.read();
  return true;
}

/** A call whose values are raw text, up to the tag that closes it. */
abstract class Body extends CallBody {
  constructor(
    reply: ReplyWriter,
    protected readonly wrapper: string,
  ) {
    super(reply, reply.cursor.position - wrapper.length);
  }

  abstract read(): Reading<void>;

  protected *value(key: string, form: RawValueForm): Reading<boolean> {
    const text = yield* this.rawValue(key, form);
    if (text !== undefined) this.keep(key, text);
    return text !== undefined;
  }

  protected *broken(problem: Problem): Reading<void> {
    this.fail(problem);
    yield* skipToEnd(this.reply, TOOL_CALL);
    this.end();
  }
}

const XML_VALUE: RawValueForm = {
  openers: ['<parameter='],
  closers: ['</parameter>'],
  followers: ['<parameter=', '</function>'],
};

/** `<function=NAME>` with one `<parameter=KEY>` for each argument, as Qwen3-Coder writes it. */
class XmlBody extends Body {
  *read(): Reading<void> {
    const { cursor } = this;
    if (!(yield* cursor.takes('<function='))) return yield* this.broken(MALFORMED);
    this.begin(yield* cursor.takeWhile((char) => /[^>\n<]/.test(char), 256));
    if (!(yield* cursor.takes('>'))) return yield* this.stop();
    for (;;) {
      yield* skipBlanks(this.reply);
      if (yield* cursor.takes('</function>')) return yield* this.close();
      if (!(yield* cursor.takes('<parameter='))) return yield* this.stop();
      const key = yield* cursor.takeWhile((char) => /[^>\n<]/.test(char), 256);
      if (!(yield* cursor.takes('>'))) return yield* this.stop();
      if (!(yield* this.value(key.trim(), XML_VALUE))) return yield* this.broken(unfinished(TOOL_CALL.close));
    }
  }

  private *close(): Reading<void> {
    if (this.wrapper === '') {
      // A closer may still come, of an opener that never was.
      this.end();
      return;
    }
    yield* skipBlanks(this.reply);
    if (yield* this.cursor.takes(TOOL_CALL.close)) this.end();
    else yield* this.stop();
  }

  private *stop(): Reading<void> {
    const isOver = (yield* this.cursor.char()) === '';
    yield* this.broken(isOver ? unfinished(TOOL_CALL.close) : MALFORMED);
  }
}

const GLM_VALUE: RawValueForm = {
  openers: ['<arg_value>'],
  closers: ['</arg_value>'],
  followers: ['<arg_key>', TOOL_CALL.close],
};

/** The name alone, then pairs of `<arg_key>` and `<arg_value>`, as GLM writes it. */
class GlmBody extends Body {
  *read(): Reading<void> {
    const { cursor } = this;
    this.begin(yield* cursor.takeWhile((char) => /[^\n<]/.test(char), 256));
    for (;;) {
      yield* skipBlanks(this.reply);
      if (yield* cursor.takes(TOOL_CALL.close)) {
        if (!/^\s*[\w.:-]+\s*$/.test(this.name)) this.fail(MALFORMED);
        this.end();
        return;
      }
      if (!(yield* cursor.takes('<arg_key>'))) return yield* this.stop();
      const key = yield* cursor.takeWhile((char) => char !== '<', 256);
      if (!(yield* cursor.takes('</arg_key>'))) return yield* this.stop();
      yield* skipBlanks(this.reply);
      if (!(yield* cursor.takes('<arg_value>'))) return yield* this.stop();
      if (!(yield* this.value(key.trim(), GLM_VALUE))) return yield* this.broken(unfinished(TOOL_CALL.close));
    }
  }

  private *stop(): Reading<void> {
    const isOver = (yield* this.cursor.char()) === '';
    yield* this.broken(isOver ? unfinished(TOOL_CALL.close) : MALFORMED);
  }
}

const MALFORMED: Problem = {
  code: 'malformed-block',
  message: `What stands in ${TOOL_CALL.open} is no call in a known form.`,
  hint: 'Send it again exactly in the form shown.',
};
