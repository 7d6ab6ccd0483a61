import type { ToolResult } from '../../core/words/messages';
import type { ToolSpec } from '../../core/words/tool';
import { CallBody } from '../engine/call-body';
import { afterUnclosed, malformed, unfinishedCall, type CallProblem } from '../engine/calls';
import { blanksEnd, skipBlanks, type Cursor, type Reading } from '../engine/cursor';
import type { RawValueForm } from '../engine/raw-value';
import type { Reader, ReplyWriter } from '../engine/reader';
import { readTaggedJson, skipToEnd } from '../json/tagged-json';

/** Hermes, Qwen3-Coder and GLM all open a call like this; what stands inside tells them apart. */
export const TOOL_CALL = { open: '<tool_call>', close: '</tool_call>' };

/** What begins and ends calls and results of the family, also a call without its tag. */
export const MARKERS: readonly string[] = [
  ...[TOOL_CALL.open, TOOL_CALL.close],
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

/** One parser for the whole family: JSON, `<function=…>` or a bare name inside `<tool_call>`. */
export function toolCallReader(id: string, tools: readonly ToolSpec[] | undefined): Reader {
  let blockEnd = 0;
  return {
    id,
    openers: [TOOL_CALL.open, '<function=', TOOL_CALL.close],
    resultOpeners: ['<tool_response>'],
    formOf: (block) =>
      block.includes('<function=') ? 'qwen3-coder' : /^<tool_call>[\s`a-z]*\{/.test(block) ? 'hermes' : 'glm',
    *begins(cursor, opener, isLineStart, offset = 0) {
      if (opener === TOOL_CALL.open) return true;
      if (opener === TOOL_CALL.close) return isLineStart || cursor.position === blockEnd;
      return isLineStart && (yield* isOffered(cursor, offset, tools));
    },
    *block(reply, opener) {
      if (opener === TOOL_CALL.close) yield* takeOrphan(reply);
      else if (opener === TOOL_CALL.open) yield* readToolCall(reply);
      else yield* new XmlBody(reply).read();
      blockEnd = reply.cursor.position;
      return true;
    },
  };
}

/**
 * Models leave out `<tool_call>` after a sentence: a bare `<function=…>` counts at the beginning of a line for a tool
 * that is offered. A closing tag without its opener is left over from that.
 */
function* isOffered(
  cursor: Cursor,
  offset: number,
  tools: readonly ToolSpec[] | undefined,
): Reading<boolean> {
  for (const { name } of tools ?? []) {
    if (yield* cursor.sees(`<function=${name}>`, offset)) return true;
  }
  return false;
}

function* takeOrphan({ cursor }: ReplyWriter): Reading<void> {
  yield* cursor.need(TOOL_CALL.close.length);
  cursor.take(TOOL_CALL.close.length);
}

function* readToolCall(reply: ReplyWriter): Reading<void> {
  const { cursor } = reply;
  const offset = yield* blanksEnd(cursor, TOOL_CALL.open.length);
  const first = yield* cursor.char(offset);
  if (/[{[`]/.test(first)) {
    yield* readTaggedJson(reply, TOOL_CALL);
  } else if (first === '<') {
    let wrapper = cursor.take(offset);
    while (yield* new XmlBody(reply, wrapper).read()) wrapper = '';
  } else {
    yield* new GlmBody(reply, cursor.take(offset)).read();
  }
}

/** A call whose values are raw text. */
abstract class Body extends CallBody {
  /** `wrapper` is the opening tag with the blanks behind it, already taken; a bare function has none. */
  constructor(
    reply: ReplyWriter,
    protected readonly wrapper?: string,
  ) {
    super(reply, reply.cursor.position - (wrapper?.length ?? 0));
  }

  /** Reads one value into the gathered ones. Says false where it has no end. */
  protected *value(key: string, form: RawValueForm): Reading<boolean> {
    const text = yield* this.rawValue(key, form);
    if (text !== undefined) this.keep(key, text);
    return text !== undefined;
  }

  /** Takes the name, and what servers leave of the marks of other formats behind it. */
  protected *takeName(pattern: RegExp): Reading<void> {
    const { cursor } = this;
    this.begin(yield* cursor.takeWhile((char) => pattern.test(char), 256));
    const before = cursor.position;
    for (const tag of ['</arg_value>', '</arg_key>']) yield* cursor.takes(tag);
    if (yield* cursor.takes('<|')) {
      yield* cursor.takeWhile((char) => /[\w|]/.test(char), 256);
      yield* cursor.takes('>');
      yield* cursor.takeWhile((char) => /\w/.test(char), 256);
    }
    if (cursor.position > before) this.note('name', `Left out what stands behind the name "${this.name}".`);
  }

  protected *broken(problem: CallProblem): Reading<void> {
    const isCutOff = yield* this.skip();
    this.fail(isCutOff ? unfinishedCall(TOOL_CALL.close) : problem);
    this.end();
  }

  /** Goes to the end of the call; says whether the reply was cut off instead. */
  protected skip(): Reading<boolean> {
    return skipToEnd(this.reply, TOOL_CALL);
  }
}

const CALL_TAGS = { openers: [TOOL_CALL.open], closers: [TOOL_CALL.close] };

const XML_VALUE: RawValueForm = {
  openers: ['<parameter='],
  closers: ['</parameter>'],
  followers: ['<parameter=', '</function>', TOOL_CALL.close, TOOL_CALL.open],
  call: CALL_TAGS,
};

const BARE_VALUE: RawValueForm = {
  ...XML_VALUE,
  call: { openers: ['<function='], closers: ['</function>'] },
};

/** `<function=NAME>` with one `<parameter=KEY>` for each argument, as Qwen3-Coder writes it. */
class XmlBody extends Body {
  /** Says whether another function follows in the same block. */
  *read(): Reading<boolean> {
    const { cursor } = this;
    if (!(yield* cursor.takes('<function='))) return yield* this.stop();
    yield* this.takeName(/[^>\n<]/);
    if (!(yield* cursor.takes('>'))) return yield* this.stop();
    for (;;) {
      yield* skipBlanks(this.reply);
      if (yield* cursor.takes('</function>')) return yield* this.close();
      if (yield* cursor.sees(TOOL_CALL.close)) {
        this.repair('missing-end', 'The call lacks </function>; all its values were closed.');
        return yield* this.close();
      }
      if (!(yield* cursor.takes('<parameter='))) return yield* this.stop();
      const key = yield* cursor.takeWhile((char) => /[^>\n<]/.test(char), 256);
      if (!(yield* cursor.takes('>'))) return yield* this.stop();
      const form = this.wrapper === undefined ? BARE_VALUE : XML_VALUE;
      if (!(yield* this.value(key.trim(), form))) return yield* this.stop();
    }
  }

  private *close(): Reading<boolean> {
    // Behind a bare function a closer may still come, of an opener that never was.
    let hasMore = false;
    if (this.wrapper !== undefined) {
      yield* skipBlanks(this.reply);
      hasMore = yield* this.cursor.sees('<function=');
      if (!hasMore && !(yield* this.cursor.takes(TOOL_CALL.close))) return yield* this.stop();
    }
    this.end();
    return hasMore;
  }

  /** Without a wrapper it ends with its function, or where the next one begins on a line of its own. */
  protected override *skip(): Reading<boolean> {
    if (this.wrapper !== undefined) return yield* super.skip();
    const { cursor } = this;
    let isEmpty = true;
    const found = yield* cursor.upTo(BARE_ENDS, () => (isEmpty = false));
    if (found === '</function>') cursor.take(found.length);
    else if (found !== undefined) this.reply.markRepaired(afterUnclosed(this.span()));
    return found === undefined && isEmpty;
  }

  private *stop(): Reading<false> {
    yield* this.broken(MALFORMED);
    return false;
  }
}

const NEXT_BARE = '\n<function=';
const BARE_ENDS = ['</function>', NEXT_BARE, TOOL_CALL.open, TOOL_CALL.close];

const GLM_VALUE: RawValueForm = {
  openers: ['<arg_value>'],
  closers: ['</arg_value>'],
  followers: ['<arg_key>', TOOL_CALL.close, TOOL_CALL.open],
  call: CALL_TAGS,
};

/** The name alone, then pairs of `<arg_key>` and `<arg_value>`, as GLM writes it. */
class GlmBody extends Body {
  *read(): Reading<void> {
    const { cursor } = this;
    yield* this.takeName(/[^\n<]/);
    for (;;) {
      yield* skipBlanks(this.reply);
      if (yield* cursor.takes(TOOL_CALL.close)) {
        if (!/^[\w.:-]+$/.test(this.name)) this.fail(MALFORMED);
        this.end();
        return;
      }
      if (!(yield* cursor.takes('<arg_key>'))) return yield* this.broken(MALFORMED);
      const key = yield* cursor.takeWhile((char) => char !== '<', 256);
      if (!(yield* cursor.takes('</arg_key>'))) return yield* this.broken(MALFORMED);
      yield* skipBlanks(this.reply);
      if (!(yield* cursor.takes('<arg_value>'))) return yield* this.broken(MALFORMED);
      if (!(yield* this.value(key.trim(), GLM_VALUE))) return yield* this.broken(MALFORMED);
    }
  }
}

const MALFORMED = malformed(`What stands in ${TOOL_CALL.open} is no call in a known form.`);
