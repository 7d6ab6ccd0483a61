import type { Json } from '../../base/json';
import { readJson } from '../../base/json-reader';
import type { ToolSpec } from '../../core/words/tool';
import { CallBody } from '../engine/call-body';
import { findTool, malformed, unfinishedCall, unknown, type CallProblem } from '../engine/calls';
import { seenOf, skipBlanks, type Cursor, type Reading } from '../engine/cursor';
import type { RawValueForm } from '../engine/raw-value';
import type { ReplyWriter } from '../engine/reader';
import { isTag, readAttributes } from '../engine/tags';

/** One `<invoke name="…">` with its parameters, or with what models write instead of them. */
export class Invoke extends CallBody {
  private readonly openers: readonly string[];
  private readonly closers: readonly string[];
  private readonly parameter: RawValueForm;

  constructor(
    reply: ReplyWriter,
    private readonly opener: string,
    private readonly dialect: Dialect,
    private readonly tools: readonly ToolSpec[] | undefined,
  ) {
    super(reply);
    const spelled = (left: string, right: string): string[] =>
      dialect.prefixes.map((prefix) => `${left}${prefix}${right}`);
    this.openers = spelled('<', 'invoke ');
    this.closers = spelled('</', 'invoke>');
    const openers = spelled('<', 'parameter ');
    this.parameter = {
      openers,
      closers: spelled('</', 'parameter>'),
      followers: [...openers, ...this.closers, ...dialect.closers],
      call: { openers: this.openers, closers: this.closers },
      ends: 'pair',
    };
  }

  *read(): Reading<void> {
    const opened = yield* readAttributes(this.cursor, this.opener);
    this.begin(opened?.attributes.get('name'));
    const isClosed = opened !== undefined && (opened.isEmpty || (yield* this.content()));
    if (!isClosed) yield* this.skipRest();
    this.end();
  }

  /** Reads all that stands in the call. False where it cannot be read; then the rest of the call has to be skipped. */
  private *content(): Reading<boolean> {
    for (;;) {
      yield* skipBlanks(this.reply);
      const closer = yield* seenOf(this.cursor, this.closers);
      if (closer !== undefined) {
        this.cursor.take(closer.length);
        return true;
      }
      if (yield* this.isMissing('</invoke>', this.dialect.closers)) return true;
      if ((yield* tagStart(this.cursor, this.dialect, 'invoke')) !== undefined) {
        this.fail(UNENDED);
        return true;
      }
      if (!(yield* this.argument())) return false;
    }
  }

  private *argument(): Reading<boolean> {
    const start = yield* tagStart(this.cursor, this.dialect, 'parameter');
    if (start !== undefined) return yield* this.namedParameter(start);
    const char = yield* this.cursor.char();
    if (char === '{' && this.values.size === 0) return yield* this.objectOfKnown();
    return char === '<' && (yield* this.element());
  }

  private *namedParameter(start: string): Reading<boolean> {
    const opened = yield* readAttributes(this.cursor, start);
    const key = opened?.attributes.get('name')?.trim();
    if (!opened || key === undefined) return false;
    const text = opened.isEmpty ? '' : yield* this.rawValue(key, this.parameter);
    if (text === undefined) return false;
    this.keep(key, opened.attributes.get('string') === 'false' ? this.typed(key, text) : text);
    return true;
  }

  /** The value of a parameter that DeepSeek marks as no text. */
  private typed(key: string, text: string): Json {
    const read = readJson(text);
    if (!read.ok) {
      this.fail({
        code: 'invalid-json',
        message: `The value of "${key}" is marked as JSON and is none: ${read.message}.`,
        hint: `Write JSON, or string="true".`,
      });
      return text;
    }
    this.mended(read.repairs);
    return read.value;
  }

  /** `{"key": value}` instead of parameters. */
  private *objectOfKnown(): Reading<boolean> {
    if (!(yield* this.object(this.closers))) return false;
    for (const key of this.values.keys()) if (!this.isKnown(key)) this.fail(unknown(key, ARGUMENTS_HINT));
    return true;
  }

  /** `<key>value</key>` instead of a parameter; only for keys that the tool has. */
  private *element(): Reading<boolean> {
    const key = yield* this.elementName();
    if (key === undefined) return false;
    if (!this.isKnown(key)) {
      this.fail(unknown(key, ARGUMENTS_HINT));
      return false;
    }
    this.cursor.take(key.length + 2);
    const keys = Object.keys(this.properties() ?? {});
    const text = yield* this.rawValue(key, {
      openers: [`<${key}>`],
      closers: [`</${key}>`],
      followers: keys.length > 0 ? [...keys.map((each) => `<${each}>`), ...this.closers] : ['<'],
      call: { openers: this.openers, closers: this.closers },
      ends: 'pair',
    });
    if (text !== undefined) this.keep(key, text);
    return text !== undefined;
  }

  private *elementName(): Reading<string | undefined> {
    let name = '';
    for (let char = yield* this.cursor.char(1); /[\w.-]/.test(char) && name.length < NAME_LIMIT;) {
      name += char;
      char = yield* this.cursor.char(1 + name.length);
    }
    return name !== '' && (yield* this.cursor.sees('>', 1 + name.length)) ? name : undefined;
  }

  /** Any key of a tool that is not offered is known: what is wrong with such a call is the tool. */
  private isKnown(key: string): boolean {
    const properties = this.properties();
    return !properties || Object.hasOwn(properties, key);
  }

  private properties(): object | undefined {
    const tool = this.tools && findTool(this.tools, this.name);
    return tool && (tool.parameters.properties ?? {});
  }

  /** Something stands here that is no argument. Calls that are quoted in the rest of this one are none. */
  private *skipRest(): Reading<void> {
    const { cursor, dialect, openers, closers } = this;
    const isOver = (yield* cursor.char()) === '';
    this.fail(isOver ? unfinishedCall(dialect.closers[0] ?? '') : MALFORMED);
    for (let depth = 0; ;) {
      const found = yield* cursor.upTo([...closers, ...openers, ...dialect.closers], () => undefined);
      if (found === undefined || dialect.closers.includes(found)) return;
      cursor.take(found.length);
      if (closers.includes(found) && depth === 0) return;
      depth += openers.includes(found) ? 1 : -1;
    }
  }
}

const NAME_LIMIT = 200;

const UNENDED: CallProblem = {
  code: 'missing-end',
  message: 'A new call begins before the end of this one.',
  hint: 'End every call with </invoke>.',
};
const MALFORMED = malformed('The call holds something that is no <parameter name="…">.');
const ARGUMENTS_HINT = 'Write one <parameter name="…"> for each of its arguments.';

/** How one family spells the tags. The body is the same in all of them. */
export interface Dialect {
  readonly opener: string;
  /** How the closing tag of the wrapper may be spelled, the usual way first. */
  readonly closers: readonly string[];
  /** What may stand before `invoke` and `parameter`; models leave out their own prefix here and there. */
  readonly prefixes: readonly string[];
}

/** The beginning of the tag of this name that stands here, `<｜DSML｜invoke`. */
export function* tagStart(cursor: Cursor, { prefixes }: Dialect, name: string): Reading<string | undefined> {
  for (const prefix of prefixes) {
    if (yield* isTag(cursor, `<${prefix}${name}`)) return `<${prefix}${name}`;
  }
  return undefined;
}
