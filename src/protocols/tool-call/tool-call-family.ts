import type { ToolResult } from '../../core/words/messages';
import { CallBody } from '../engine/call-body';
import { findTool, malformed, warning } from '../engine/calls';
import { blanksEnd, skipBlanks, type Cursor, type Reading } from '../engine/cursor';
import type { RawValueForm } from '../engine/raw-value';
import type { OfferedTools, Reader, ReplyWriter } from '../engine/reader';
import type { ResultLabel } from '../engine/text-protocol';
import { endsReply } from '../engine/special-tokens';
import { restOfTag, takesClosing } from '../engine/tags';
import { readTaggedJson, skipToEnd, type Tags } from '../json/tagged-json';
import { marksOf, OPENERS, PLAIN, TOOL_CALL, WRAPPERS, type Marks } from './marks';

/** What the protocols of the family share. */
export const FAMILY = {
  markers: [
    ...OPENERS,
    ...WRAPPERS,
    ...[TOOL_CALL.close, '</seed:tool_call>', '</longcat_tool_call>', '</ifm|tool_call>'],
    ...['<function=', '</function>'],
    ...['<tool_response>', '</tool_response>'],
  ],
  renderResult: responseTag,
  stop: ['<tool_response>'],
};

export function responseTag({ result }: ToolResult, label: ResultLabel): string {
  const head = Object.keys(label).length === 0 ? [] : [JSON.stringify(label)];
  return ['<tool_response>', ...head, result, '</tool_response>'].join('\n');
}

/** One parser for the whole family: JSON, `<function=…>` or a bare name inside `<tool_call>`, in all its spellings. */
export function toolCallReader(id: string, tools: OfferedTools): Reader {
  return {
    id,
    openers: [...OPENERS, ...WRAPPERS, '<function=', TOOL_CALL.close],
    closers: [TOOL_CALL.close, PLAIN.key.close, PLAIN.value.close, '</function>'],
    resultOpeners: ['<tool_response>'],
    formOf: (block) => {
      if (block.includes('<function=')) return 'qwen3-coder';
      return /^<[\w:.-]+>\s*(?:```\w*\s*)?[{[]/.test(block) ? 'hermes' : 'glm';
    },
    *begins(cursor, opener, isLineStart, offset = 0) {
      if (opener === TOOL_CALL.close) return isLineStart;
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
      if (opener === '<function=') yield* new FunctionBody(reply, PLAIN, tools).read();
      else if (opener === TOOL_CALL.close) takeLeftover(reply);
      else return yield* readBlock(reply, opener, tools);
      return true;
    },
  };
}

/** Behind a call, a closing tag is a leftover of it; alone, it is all that is left of one. */
function takeLeftover(reply: ReplyWriter): void {
  const closer = reply.cursor.take(TOOL_CALL.close.length);
  if (reply.callCount === 0) reply.text(closer);
}

/**
 * Models leave out `<tool_call>` after a sentence: a bare `<function=…>` counts at the beginning of a line for an
 * offered tool. A closing tag without its opener is a leftover of that.
 */
function* isOffered(cursor: Cursor, offset: number, tools: OfferedTools): Reading<boolean> {
  const name = yield* restOfTag(cursor, offset + '<function='.length);
  return findTool(tools ?? [], name.trim()) !== undefined;
}

/**
 * Returns false if the tag around calls is not closed and the reply continues: when another form is in use, none of it
 * counts then.
 */
function* readBlock(reply: ReplyWriter, opener: string, tools: OfferedTools): Reading<boolean> {
  const { cursor } = reply;
  const marks = (yield* marksOf(cursor, opener)) ?? PLAIN;
  const isList = yield* cursor.takes(marks.list.open);
  for (yield* skipBlanks(reply); yield* cursor.sees(marks.open); yield* skipBlanks(reply)) {
    yield* readToolCall(reply, marks, tools);
    if (!isList) return true;
  }
  return (yield* takesClosing(cursor, marks.list.close)) || (yield* endsReply(cursor));
}

function* readToolCall(reply: ReplyWriter, marks: Marks, tools: OfferedTools): Reading<void> {
  const { cursor } = reply;
  let offset = yield* blanksEnd(cursor, marks.open.length);
  while (yield* cursor.sees(marks.open, offset)) {
    const twice = { start: cursor.position, end: cursor.position + offset };
    cursor.take(offset);
    const message = `${marks.open} was written twice.`;
    reply.markRepaired(warning(twice, 'opened-twice', message, 'Open every call once.'), twice.end + 1);
    offset = yield* blanksEnd(cursor, marks.open.length);
  }
  const first = yield* cursor.char(offset);
  if (/[{[`]/.test(first)) {
    yield* readTaggedJson(reply, marks);
  } else if (first === '<') {
    let wrapper = cursor.take(offset);
    while (yield* new FunctionBody(reply, marks, tools, wrapper).read()) wrapper = '';
  } else {
    yield* new NamedBody(reply, marks, tools, cursor.take(offset)).read();
  }
}

/** A call whose values are raw text. */
abstract class Body extends CallBody {
  /** `wrapper`: the opening tag with the blanks after it, already taken; a bare function has none. */
  constructor(
    reply: ReplyWriter,
    protected readonly marks: Marks,
    protected readonly tools: OfferedTools,
    protected readonly wrapper?: string,
  ) {
    super(reply, reply.cursor.position - (wrapper?.length ?? 0));
  }

  /** Reads one value and adds it. Returns false if it has no end. */
  protected *value(key: string, form: RawValueForm): Reading<boolean> {
    const text = yield* this.rawValue(key, form);
    if (text !== undefined) this.keep(key, text);
    return text !== undefined;
  }

  /** Takes the name, and other formats' markers that servers leave after it; returns whether there was any. */
  protected *takeName(pattern: RegExp): Reading<boolean> {
    const { cursor } = this;
    this.begin(yield* cursor.takeWhile((char) => pattern.test(char), 256));
    const before = cursor.position;
    for (const { close } of [this.marks.value, this.marks.key]) yield* cursor.takes(close);
    if (yield* cursor.takes('<|')) {
      yield* cursor.takeWhile((char) => /[\w|]/.test(char), 256);
      yield* cursor.takes('>');
      yield* cursor.takeWhile((char) => /\w/.test(char), 256);
    }
    if (cursor.position === before) return false;
    this.note('name', `Left out the text after the name "${this.name}".`);
    return true;
  }

  /** Takes one of the tags and the blanks before it. */
  protected *takes(...tags: readonly string[]): Reading<boolean> {
    yield* skipBlanks(this.reply);
    return yield* takesClosing(this.cursor, ...tags);
  }

  /**
   * Takes the end of the call, if it is there. A complete call may also end before the next one or at the end of the
   * reply.
   */
  protected *takesEnd(): Reading<boolean> {
    const { open, close, closers } = this.marks;
    if (yield* this.takes(...closers)) return true;
    return yield* this.isMissing(close, this.values.size > 0 ? [open] : []);
  }

  /** Skips to the end of the call, which cannot be read. */
  protected *broken(): Reading<false> {
    const { reply, marks } = this;
    const isBare = this.wrapper === undefined;
    const skipped = isBare
      ? skipToEnd(reply, MALFORMED, BARE, TOOL_CALL.open, TOOL_CALL.close)
      : skipToEnd(reply, MALFORMED, marks);
    this.fail(yield* skipped);
    this.end();
    return false;
  }
}

/** Without a wrapper, a call ends with its function, or where the next one begins at the beginning of a line. */
const BARE: Tags = { open: '\n<function=', close: '</function>' };

/** `<function=NAME>` with one `<parameter=KEY>` for each argument, as Qwen3-Coder writes it, or with an object. */
class FunctionBody extends Body {
  /** Returns whether another function follows in the same block. */
  *read(): Reading<boolean> {
    const { cursor } = this;
    if (yield* cursor.takes('<function>')) return yield* this.named();
    if (!(yield* cursor.takes('<function='))) return yield* this.broken();
    yield* this.takeName(/[^><]/);
    if (/\s/.test(this.name) || !(yield* cursor.takes('>'))) return yield* this.broken();
    const form = this.parameter();
    const { open, closers } = this.marks;
    for (;;) {
      const ends = this.values.size > 0 ? [...closers, open] : closers;
      if ((yield* this.takes('</function>')) || (yield* this.isMissing('</function>', ends)))
        return yield* this.close();
      const isObject = this.values.size === 0 && (yield* cursor.sees('{'));
      const isRead = yield* isObject ? this.object(['</function>']) : this.argument(form);
      if (!isRead) return yield* this.broken();
    }
  }

  private *argument(form: RawValueForm): Reading<boolean> {
    const { cursor } = this;
    if (!(yield* cursor.takes('<parameter='))) return false;
    const key = yield* cursor.takeWhile((char) => /[^><]/.test(char), 256);
    return (yield* cursor.takes('>')) && (yield* this.value(key.trim(), form));
  }

  private parameter(): RawValueForm {
    const { open, closers, ends } = this.marks;
    const isBare = this.wrapper === undefined;
    const properties = findTool(this.tools ?? [], this.name)?.parameters.properties ?? {};
    return {
      openers: ['<parameter='],
      closers: ['</parameter>'],
      followers: ['<parameter=', '</function>', ...closers, open],
      call: isBare ? { openers: ['<function='], closers: ['</function>'] } : { openers: [open], closers },
      ends,
      siblings: Object.keys(properties).map((key) => `<parameter=${key}>`),
    };
  }

  /** `<function><name>f</name><arguments>{…}</arguments></function>`, as VibeThinker writes it. */
  private *named(): Reading<boolean> {
    if (!(yield* this.takes('<name>'))) return yield* this.broken();
    yield* this.takeName(/[^<]/);
    this.repair('named-function', 'Read <name> and <arguments> as <function=…>.');
    const isRead =
      (yield* this.takes('</name>')) &&
      (yield* this.takes('<arguments>')) &&
      (yield* this.object([])) &&
      (yield* this.takes('</arguments>')) &&
      (yield* this.takes('</function>'));
    return isRead ? yield* this.close() : yield* this.broken();
  }

  private *close(): Reading<boolean> {
    // After a bare function, the closer of a missing opener may follow.
    let hasMore = false;
    if (this.wrapper !== undefined) {
      yield* skipBlanks(this.reply);
      hasMore = yield* this.cursor.sees('<function=');
      if (!hasMore && !(yield* this.takesEnd())) return yield* this.broken();
    }
    this.end();
    return hasMore;
  }
}

/** The name alone, then pairs of `<arg_key>` and `<arg_value>`, as GLM writes it, or an object, as Laguna does. */
class NamedBody extends Body {
  *read(): Reading<void> {
    const isBroken = yield* this.takeName(/[^\n<{]/);
    yield* this.takes(this.marks.separator);
    while (!(yield* this.takesEnd())) {
      const isObject = this.values.size === 0 && (yield* this.cursor.sees('{'));
      if (yield* isObject ? this.object([this.marks.close]) : this.pair()) continue;
      yield* this.broken();
      return;
    }
    // The text after the name may be the rest of the arguments.
    if (!/^[\w.:-]+$/.test(this.name) || (isBroken && this.values.size === 0)) this.fail(MALFORMED);
    this.end();
  }

  private *pair(): Reading<boolean> {
    const { key, type, value, open, closers } = this.marks;
    if (!(yield* this.takes(key.open))) return false;
    const name = yield* this.cursor.takeWhile((char) => char !== '<', 256);
    if (!(yield* this.takes(key.close))) return false;
    if (yield* this.takes(type.open)) {
      yield* this.cursor.takeWhile((char) => char !== '<', 256);
      if (!(yield* this.takes(type.close))) return false;
    }
    if (!(yield* this.takes(value.open))) return false;
    return yield* this.value(name.trim(), {
      openers: [value.open],
      closers: [value.close],
      followers: [key.open, ...closers, open],
      call: { openers: [open], closers },
      ends: 'pair',
    });
  }
}

const MALFORMED = malformed(`Text in ${TOOL_CALL.open} is not a call in a known form.`);
