import type { ToolSpec } from '../../core/words/tool';
import { CallBody } from '../engine/call-body';
import { afterUnclosed, findTool, malformed, unfinishedCall, type CallProblem } from '../engine/calls';
import { skipBlanks, type Reading } from '../engine/cursor';
import type { RawValueForm } from '../engine/raw-value';
import type { ReplyWriter } from '../engine/reader';
import { takesClosing } from '../engine/tags';
import { skipToEnd } from '../json/tagged-json';
import { TOOL_CALL, type Marks } from './marks';

/** A call whose values are raw text. */
abstract class Body extends CallBody {
  /** `wrapper` is the opening tag with the blanks behind it, already taken; a bare function has none. */
  constructor(
    reply: ReplyWriter,
    protected readonly marks: Marks,
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

  /** Takes the name, and what servers leave of the marks of other formats behind it; says whether there was any. */
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
    this.note('name', `Left out what stands behind the name "${this.name}".`);
    return true;
  }

  /** Takes a tag and the blanks in front of it. */
  protected *takes(tag: string): Reading<boolean> {
    yield* skipBlanks(this.reply);
    return yield* takesClosing(this.cursor, tag);
  }

  /** Takes the end of the call, if it is there. It ends a whole one, too, where the next one or nothing follows. */
  protected *takesEnd(): Reading<boolean> {
    const { open, close, closers } = this.marks;
    for (const closer of closers) {
      if (yield* this.takes(closer)) return true;
    }
    return yield* this.isMissing(close, this.values.size > 0 ? [open] : []);
  }

  protected *broken(problem: CallProblem): Reading<false> {
    const isCutOff = yield* this.skip();
    this.fail(isCutOff ? unfinishedCall(this.marks.close) : problem);
    this.end();
    return false;
  }

  /** Goes to the end of the call; says whether the reply was cut off instead. */
  protected skip(): Reading<boolean> {
    return skipToEnd(this.reply, this.marks);
  }
}

/** `<function=NAME>` with one `<parameter=KEY>` for each argument, as Qwen3-Coder writes it, or with an object. */
export class FunctionBody extends Body {
  constructor(
    reply: ReplyWriter,
    marks: Marks,
    private readonly tools: readonly ToolSpec[] | undefined,
    wrapper?: string,
  ) {
    super(reply, marks, wrapper);
  }

  /** Says whether another function follows in the same block. */
  *read(): Reading<boolean> {
    const { cursor } = this;
    if (yield* cursor.takes('<function>')) return yield* this.named();
    if (!(yield* cursor.takes('<function='))) return yield* this.broken(MALFORMED);
    yield* this.takeName(/[^><]/);
    if (/\s/.test(this.name) || !(yield* cursor.takes('>'))) return yield* this.broken(MALFORMED);
    const form = this.parameter();
    for (;;) {
      if (yield* this.takes('</function>')) return yield* this.close();
      if (yield* this.isMissing('</function>', this.ends())) return yield* this.close();
      const isObject = this.values.size === 0 && (yield* cursor.sees('{'));
      const isRead = yield* isObject ? this.object(['</function>']) : this.argument(form);
      if (!isRead) return yield* this.broken(MALFORMED);
    }
  }

  /** What may follow where the function itself is not closed. */
  private ends(): readonly string[] {
    const { open, closers } = this.marks;
    return this.values.size > 0 ? [...closers, open] : closers;
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
    if (!(yield* this.takes('<name>'))) return yield* this.broken(MALFORMED);
    yield* this.takeName(/[^<]/);
    this.repair('named-function', 'Read <name> and <arguments> as <function=…>.');
    const isRead =
      (yield* this.takes('</name>')) &&
      (yield* this.takes('<arguments>')) &&
      (yield* this.object([])) &&
      (yield* this.takes('</arguments>')) &&
      (yield* this.takes('</function>'));
    return isRead ? yield* this.close() : yield* this.broken(MALFORMED);
  }

  private *close(): Reading<boolean> {
    // Behind a bare function a closer may still come, of an opener that never was.
    let hasMore = false;
    if (this.wrapper !== undefined) {
      yield* skipBlanks(this.reply);
      hasMore = yield* this.cursor.sees('<function=');
      if (!hasMore && !(yield* this.takesEnd())) return yield* this.broken(MALFORMED);
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
}

const NEXT_BARE = '\n<function=';
const BARE_ENDS = ['</function>', NEXT_BARE, TOOL_CALL.open, TOOL_CALL.close];

/** The name alone, then pairs of `<arg_key>` and `<arg_value>`, as GLM writes it, or an object, as Laguna does. */
export class NamedBody extends Body {
  *read(): Reading<void> {
    const isBroken = yield* this.takeName(/[^\n<{]/);
    yield* this.takes(this.marks.separator);
    while (!(yield* this.takesEnd())) {
      const isObject = this.values.size === 0 && (yield* this.cursor.sees('{'));
      if (yield* isObject ? this.object([this.marks.close]) : this.pair()) continue;
      yield* this.broken(MALFORMED);
      return;
    }
    // What stands behind the name may be all that is left of the arguments.
    if (!/^[\w.:-]+$/.test(this.name) || (isBroken && this.values.size === 0)) this.fail(MALFORMED);
    this.end();
  }

  private *pair(): Reading<boolean> {
    const { key, value, open, closers } = this.marks;
    if (!(yield* this.takes(key.open))) return false;
    const name = yield* this.cursor.takeWhile((char) => char !== '<', 256);
    if (!(yield* this.takes(key.close)) || !(yield* this.takes(value.open))) return false;
    return yield* this.value(name.trim(), {
      openers: [value.open],
      closers: [value.close],
      followers: [key.open, ...closers, open],
      call: { openers: [open], closers },
      ends: 'pair',
    });
  }
}

const MALFORMED = malformed(`What stands in ${TOOL_CALL.open} is no call in a known form.`);
