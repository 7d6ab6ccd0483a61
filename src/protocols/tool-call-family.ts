import type { Diagnostic } from '../core/diagnostic';
import type { ToolResult } from '../core/messages';
import type { ToolSpec } from '../core/tool';
import { isBlank } from './blank';
import { note, warning, type Problem } from './calls';
import type { Cursor, Reading } from './cursor';
import { readRawValue, type RawValueForm } from './raw-value';
import { SecondReading } from './second-reading';
import { readTaggedJson, skipBlanks, skipToEnd, unfinished } from './tagged-json';
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
  const secondReading = new SecondReading();
  let blockEnd = 0;
  return {
    id,
    openers: [TOOL_CALL.open, '<function=', TOOL_CALL.close],
    resultOpeners: ['<tool_response>'],
    formOf: (block) =>
      block.includes('<function=') ? 'qwen3-coder' : /^<tool_call>[\s`a-z]*\{/.test(block) ? 'hermes' : 'glm',
    *begins(cursor, opener, isLineStart) {
      if (opener === TOOL_CALL.open) return true;
      if (opener === TOOL_CALL.close) return isLineStart || cursor.position === blockEnd;
      return isLineStart && (yield* isOffered(cursor, tools));
    },
    *block(reply, opener) {
      if (opener === TOOL_CALL.close) yield* takeOrphan(reply);
      else if (opener === TOOL_CALL.open) yield* readToolCall(reply, secondReading);
      else yield* new XmlBody(reply, secondReading).read();
      blockEnd = reply.cursor.position;
      return true;
    },
  };
}

/**
 * Models leave out `<tool_call>` after a sentence: a bare `<function=…>` counts at the beginning of a line for a tool
 * that is offered. A closing tag without its opener is left over from that.
 */
function* isOffered(cursor: Cursor, tools: readonly ToolSpec[] | undefined): Reading<boolean> {
  for (const { name } of tools ?? []) {
    if (yield* cursor.sees(`<function=${name}>`)) return true;
  }
  return false;
}

function* takeOrphan({ cursor }: ReplyWriter): Reading<void> {
  yield* cursor.need(TOOL_CALL.close.length);
  cursor.take(TOOL_CALL.close.length);
}

function* readToolCall(reply: ReplyWriter, secondReading: SecondReading): Reading<void> {
  const { cursor } = reply;
  let offset = TOOL_CALL.open.length;
  while (offset < BLANK_LIMIT && isBlank(yield* cursor.char(offset))) offset++;
  const first = yield* cursor.char(offset);
  if (/[{[`]/.test(first)) {
    yield* readTaggedJson(reply, TOOL_CALL, secondReading);
  } else if (first === '<') {
    let wrapper = cursor.take(offset);
    while (yield* new XmlBody(reply, secondReading, wrapper).read()) wrapper = '';
  } else {
    yield* new GlmBody(reply, secondReading, cursor.take(offset)).read();
  }
}

/** What both raw bodies gather until the block ends. */
abstract class Body {
  protected readonly cursor: Cursor;
  protected readonly values = new Map<string, string>();
  protected readonly notes: Diagnostic[] = [];
  protected readonly index: number;
  protected name = '';
  protected problem: Problem | undefined;
  private readonly start: number;

  /** `wrapper` is the opening tag with the blanks behind it, already taken; a bare function has none. */
  constructor(
    protected readonly reply: ReplyWriter,
    private readonly secondReading: SecondReading,
    protected readonly wrapper?: string,
  ) {
    this.cursor = reply.cursor;
    this.start = reply.cursor.position - (wrapper?.length ?? 0);
    this.index = reply.begin('');
  }

  /** Reads one value into the gathered ones. Says false where it has no end; the call was rejected then. */
  protected *value(key: string, form: RawValueForm, blockEnd: RegExp): Reading<boolean> {
    const value = yield* readRawValue(this.cursor, form, (text) => this.reply.delta(this.index, key, text));
    if (value.type === 'over') {
      this.unclosed(key, value.text, blockEnd);
      return false;
    }
    if (this.values.has(key)) this.problem ??= twice(key);
    this.values.set(key, value.text);
    if (value.isUncertain)
      this.warn(
        'mark-in-value',
        `The value of "${key}" holds "${form.closer}"; it was read as part of the value.`,
      );
    if (value.isUnwrapped) this.warn('cdata', `The value of "${key}" was taken out of a CDATA section.`);
    return true;
  }

  /** The block may have ended in the value, which has swallowed what stands behind; that is read anew. */
  private unclosed(key: string, text: string, blockEnd: RegExp): void {
    const end = blockEnd.exec(text);
    const isPutBack =
      end !== null && this.secondReading.of(text.slice(end.index + end[0].length), this.cursor);
    this.problem ??= isPutBack ? notClosed(key) : unfinished(TOOL_CALL);
    this.end();
  }

  /** Takes the marks of other formats that servers leave behind a name. */
  protected *junk(): Reading<void> {
    const { cursor } = this;
    const before = cursor.position;
    for (const tag of ['</arg_value>', '</arg_key>']) yield* cursor.takes(tag);
    if (yield* cursor.takes('<|')) {
      yield* cursor.takeWhile((char) => /[\w|]/.test(char), 256);
      yield* cursor.takes('>');
      yield* cursor.takeWhile((char) => /\w/.test(char), 256);
    }
    if (cursor.position === before) return;
    const message = `Left out what stands behind the name "${this.name.trim()}".`;
    this.notes.push(note({ start: this.start, end: cursor.position }, 'name', message));
  }

  protected warn(code: string, message: string): void {
    this.notes.push(warning({ start: this.start, end: this.cursor.position }, code, message, ''));
  }

  protected *broken(problem: Problem): Reading<void> {
    const isCutOff = yield* skipToEnd(this.reply, TOOL_CALL);
    this.problem ??= isCutOff ? unfinished(TOOL_CALL) : problem;
    this.end();
  }

  protected end(): void {
    const { index, name, notes, problem } = this;
    const span = { index, name: name.trim(), start: this.start, end: this.cursor.position };
    if (problem) this.reply.reject(span, problem);
    else
      this.reply.finish({
        ...span,
        arguments: Object.fromEntries(this.values),
        notes,
        repaired: notes.some(({ level }) => level === 'warning'),
        form: 'text',
      });
  }
}

const XML_VALUE: RawValueForm = {
  opener: '<parameter=',
  closer: '</parameter>',
  followers: ['<parameter=', '</function>', TOOL_CALL.close, TOOL_CALL.open],
};
const XML_END = /<\/function>\s*<\/tool_call>/;

/** `<function=NAME>` with one `<parameter=KEY>` for each argument, as Qwen3-Coder writes it. */
class XmlBody extends Body {
  /** Says whether another function follows in the same block. */
  *read(): Reading<boolean> {
    const { cursor } = this;
    if (!(yield* cursor.takes('<function='))) return yield* this.stop();
    this.name = yield* cursor.takeWhile((char) => /[^>\n<]/.test(char), 256);
    yield* this.junk();
    if (!(yield* cursor.takes('>'))) return yield* this.stop();
    for (;;) {
      yield* skipBlanks(this.reply);
      if (yield* cursor.takes('</function>')) return yield* this.close();
      if (yield* cursor.sees(TOOL_CALL.close)) {
        this.warn('missing-end', 'The call lacks </function>; all its values were closed.');
        return yield* this.close();
      }
      if (!(yield* cursor.takes('<parameter='))) return yield* this.stop();
      const key = yield* cursor.takeWhile((char) => /[^>\n<]/.test(char), 256);
      if (!(yield* cursor.takes('>'))) return yield* this.stop();
      if (!(yield* this.value(key.trim(), XML_VALUE, XML_END))) return false;
    }
  }

  private *close(): Reading<boolean> {
    // Behind a bare function a closer may still come, of an opener that never was.
    if (this.wrapper !== undefined) {
      yield* skipBlanks(this.reply);
      const hasMore = yield* this.cursor.sees('<function=');
      if (!hasMore && !(yield* this.cursor.takes(TOOL_CALL.close))) return yield* this.stop();
      this.end();
      return hasMore;
    }
    this.end();
    return false;
  }

  private *stop(): Reading<false> {
    yield* this.broken(MALFORMED);
    return false;
  }
}

const GLM_VALUE: RawValueForm = {
  opener: '<arg_value>',
  closer: '</arg_value>',
  followers: ['<arg_key>', TOOL_CALL.close, TOOL_CALL.open],
};
const GLM_END = /(?:\n[ \t]*|<\/arg_value>)<\/tool_call>(?=\s*(?:<tool_call>|$))/;

/** The name alone, then pairs of `<arg_key>` and `<arg_value>`, as GLM writes it. */
class GlmBody extends Body {
  *read(): Reading<void> {
    const { cursor } = this;
    this.name = yield* cursor.takeWhile((char) => /[^\n<]/.test(char), 256);
    yield* this.junk();
    for (;;) {
      yield* skipBlanks(this.reply);
      if (yield* cursor.takes(TOOL_CALL.close)) {
        if (!/^\s*[\w.:-]+\s*$/.test(this.name)) this.problem ??= MALFORMED;
        this.end();
        return;
      }
      if (!(yield* cursor.takes('<arg_key>'))) return yield* this.broken(MALFORMED);
      const key = yield* cursor.takeWhile((char) => char !== '<', 256);
      if (!(yield* cursor.takes('</arg_key>'))) return yield* this.broken(MALFORMED);
      yield* skipBlanks(this.reply);
      if (!(yield* cursor.takes('<arg_value>'))) return yield* this.broken(MALFORMED);
      if (!(yield* this.value(key.trim(), GLM_VALUE, GLM_END))) return;
    }
  }
}

const MALFORMED: Problem = {
  code: 'malformed-block',
  message: `What stands in ${TOOL_CALL.open} is no call in a known form.`,
  hint: 'Send it again exactly in the form shown.',
};

function notClosed(key: string): Problem {
  return {
    code: 'unclosed-value',
    message: `The value of "${key}" is not closed.`,
    hint: 'Close every value with its tag.',
  };
}

function twice(key: string): Problem {
  return { code: 'duplicate-argument', message: `"${key}" is given twice.`, hint: `Give "${key}" once.` };
}
