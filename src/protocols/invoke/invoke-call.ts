import { isJsonList, isJsonObject, type Json } from '../../base/json';
import { readJson } from '../../base/json-reader';
import type { JsonSchema } from '../../core/words/schema';
import { alternativesOf, typesOf } from '../../core/words/schema-types';
import type { ToolSpec } from '../../core/words/tool';
import { CallBody } from '../engine/call-body';
import { findTool, malformed, unended, unfinishedCall, unknown } from '../engine/calls';
import { skipBlanks, type Reading } from '../engine/cursor';
import type { CallTags } from '../engine/long-text';
import type { RawValueForm } from '../engine/raw-value';
import type { ReplyWriter } from '../engine/reader';
import { closingTag, readAttributes, restOfTag, takesClosing } from '../engine/tags';
import { invalidJson } from '../json/json-calls';
import { marksEnd, skipMarks, tagStart, type Dialect } from './dialects';

/** One `<invoke name="…">` with its parameters, or with what models write instead of them. */
export class Invoke extends CallBody {
  private readonly call: CallTags;
  private readonly parameter: RawValueForm;

  constructor(
    reply: ReplyWriter,
    private readonly opener: string,
    private readonly dialect: Dialect,
    private readonly tools: readonly ToolSpec[] | undefined,
    start?: number,
  ) {
    super(reply, start);
    const spelled = (left: string, right: string): string[] =>
      dialect.prefixes.map((prefix) => `${left}${prefix}${right}`);
    this.call = { openers: spelled('<', `${dialect.call} `), closers: spelled('</', `${dialect.call}>`) };
    const openers = spelled('<', `${dialect.parameter} `);
    this.parameter = {
      openers,
      closers: spelled('</', `${dialect.parameter}>`),
      followers: [
        ...openers,
        // The blank in the tag was lost.
        ...spelled('<', `${dialect.parameter}name=`),
        ...this.call.closers,
        ...dialect.closers,
        ...dialect.marks,
      ],
      call: this.call,
      ends: dialect.ends,
    };
  }

  /** `tool`: the tool that the tag means if it has no name attribute. */
  *read(tool?: string): Reading<void> {
    const opened = yield* readAttributes(this.cursor, this.opener, { mayBeBare: true });
    this.begin(tool ?? opened?.attributes.get('name'));
    const isClosed = opened !== undefined && (opened.isEmpty || (yield* this.content()));
    yield* this.finish(isClosed);
  }

  /** `name{…}`, as MiniMax leaks it; `length` is the length of the name. */
  *readObject(length: number): Reading<void> {
    this.begin(this.cursor.take(length));
    yield* skipBlanks(this.reply);
    yield* this.finish(yield* this.objectOfKnown());
  }

  private *finish(isClosed: boolean): Reading<void> {
    if (!isClosed) yield* this.skipRest();
    this.unwrap();
    this.end();
  }

  /** Some models put all arguments into one that the tool does not have. */
  private unwrap(): void {
    const [[key = '', value = ''] = [], ...others] = this.values;
    if (others.length > 0 || !ALL_IN_ONE.includes(key) || this.isKnown(key)) return;
    const read = typeof value === 'string' ? readJson(value) : { ok: true as const, value, repairs: [] };
    if (!read.ok || !isJsonObject(read.value) || !Object.keys(read.value).every((each) => this.isKnown(each)))
      return;
    this.values.delete(key);
    for (const [name, each] of Object.entries(read.value)) this.keep(name, each);
    this.repair('unwrapped', `Took the arguments out of "${key}".`, ARGUMENTS_HINT);
    this.reportRepairs(read.repairs);
  }

  /** Reads the content of the call. Returns false if it cannot be read; the rest of the call then has to be skipped. */
  private *content(): Reading<boolean> {
    for (;;) {
      yield* skipMarks(this.reply, this.dialect);
      if (yield* takesClosing(this.cursor, ...this.call.closers)) return true;
      if (yield* this.isMissing(this.call.closers[0] ?? '', this.dialect.closers)) return true;
      if ((yield* tagStart(this.cursor, this.dialect, this.dialect.call)) !== undefined) {
        this.fail(unended('</invoke>'));
        return true;
      }
      if (!(yield* this.argument())) return false;
    }
  }

  private *argument(): Reading<boolean> {
    const start = yield* tagStart(this.cursor, this.dialect, this.dialect.parameter);
    if (start !== undefined) return yield* this.namedParameter(start);
    const char = yield* this.cursor.char();
    if (char === '{' && this.values.size === 0) return yield* this.objectOfKnown();
    return char === '<' && (yield* this.element());
  }

  private *namedParameter(start: string): Reading<boolean> {
    const opened = yield* readAttributes(this.cursor, start, { mayBeBare: true });
    const key = opened?.attributes.get('name')?.trim();
    if (!opened || key === undefined) return false;
    const raw = opened.isEmpty ? '' : yield* this.rawValue(key, this.parameter);
    if (raw === undefined) return false;
    const isText = opened.attributes.get('string');
    const text = isText === undefined ? raw : raw.replace(ESCAPED_MARK, unescapedMark);
    this.keep(key, isText === 'false' ? this.typed(key, text) : text);
    return true;
  }

  /** The value of a parameter that DeepSeek marks as not a string. */
  private typed(key: string, text: string): Json {
    const read = readJson(text);
    if (read.ok) this.reportRepairs(read.repairs);
    else this.fail({ ...invalidJson(`"${key}": ${read.message}`), hint: 'Write JSON, or string="true".' });
    return read.ok ? read.value : text;
  }

  /** `{"key": value}` instead of parameters. */
  private *objectOfKnown(): Reading<boolean> {
    if (!(yield* this.object(this.call.closers))) return false;
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
    const properties = this.properties() ?? {};
    const names = Object.keys(properties);
    const followers = names.length > 0 ? [...names.map((each) => `<${each}>`), ...this.call.closers] : ['<'];
    const schema = properties[key] ?? {};
    const value = yield* this.elementValue(key, schema, followers);
    if (value === undefined) return false;
    const before = this.values.get(key);
    if (before === undefined || !this.typesOf(schema).includes('array')) this.keep(key, value);
    else this.values.set(key, [...(isJsonList(before) ? before : [before]), value]);
    return true;
  }

  /** The text of an element, or its elements if the schema does not want text. */
  private *elementValue(
    key: string,
    schema: JsonSchema,
    followers: readonly string[],
    depth = 0,
  ): Reading<Json | undefined> {
    const { cursor, dialect } = this;
    const types = this.typesOf(schema);
    const inside = yield* marksEnd(cursor, dialect);
    const child = yield* this.elementName(inside);
    if (child !== undefined && depth < DEEPEST && this.holds(schema, child, depth))
      return yield* this.elements(key, schema, depth);
    const isEmpty = !types.includes('string') && (yield* closingTag(cursor, [`</${key}>`], inside)) > 0;
    if (isEmpty && (types.includes('array') || types.includes('object'))) {
      yield* skipMarks(this.reply, dialect);
      yield* takesClosing(cursor, `</${key}>`);
      return types.includes('array') ? [] : {};
    }
    return yield* this.rawValue(key, {
      openers: [`<${key}>`],
      closers: [`</${key}>`, ...dialect.marks.map((mark) => `${mark}</${key}>`)],
      followers: [...followers, ...dialect.marks],
      call: this.call,
      ends: dialect.ends,
    });
  }

  /**
   * Whether an element inside a value is structure. Where text is allowed, too, its name has to be one of the schema's;
   * inside an object without properties, whatever looks like an element is one.
   */
  private holds(schema: JsonSchema, child: string, depth: number): boolean {
    const types = this.typesOf(schema);
    if (types.length === 0) return depth > 0;
    if (!types.includes('string')) return true;
    const { properties = {}, items } = this.structure(schema);
    return Object.hasOwn(properties, child) || (items !== undefined && child === 'item');
  }

  /** An object, a list if its elements are called `item`, or a single element as the schema requires. */
  private *elements(key: string, schema: JsonSchema, depth: number): Reading<Json | undefined> {
    const found = new Map<string, Json[]>();
    const structure = this.structure(schema);
    const { items } = structure;
    const inner = (items ? this.structure(items) : structure).properties ?? {};
    for (;;) {
      yield* skipMarks(this.reply, this.dialect);
      if (yield* takesClosing(this.cursor, `</${key}>`)) break;
      const name = yield* this.elementName();
      if (name === undefined) return undefined;
      this.cursor.take(name.length + 2);
      const value = yield* this.elementValue(name, inner[name] ?? items ?? {}, ['<'], depth + 1);
      if (value === undefined) return undefined;
      found.set(name, [...(found.get(name) ?? []), value]);
    }
    const [[name = '', values = []] = [], ...others] = found;
    // If an object is wanted, `item` may be one of its keys.
    const isName = Object.hasOwn(inner, name);
    const isList = items === undefined ? name === 'item' && !isName : name === 'item' || !isName;
    if (others.length === 0 && isList) return values;
    return Object.fromEntries(
      [...found].map(([each, [first = '', ...more]]) => [each, more.length === 0 ? first : [first, ...more]]),
    );
  }

  private *elementName(offset = 0): Reading<string | undefined> {
    if (!(yield* this.cursor.sees('<', offset))) return undefined;
    const name = yield* restOfTag(this.cursor, offset + 1);
    return /^[\w.-]+$/.test(name) ? name : undefined;
  }

  /** For a tool that is not offered, any key is accepted: the problem of such a call is the tool. */
  private isKnown(key: string): boolean {
    const properties = this.properties();
    return !properties || Object.hasOwn(properties, key);
  }

  private properties(): Readonly<Record<string, JsonSchema>> | undefined {
    const tool = this.tools && findTool(this.tools, this.name);
    return tool && (tool.parameters.properties ?? {});
  }

  private typesOf(schema: JsonSchema): readonly string[] {
    return typesOf(schema, this.whole);
  }

  /** What elements inside a value are about, in all alternatives. */
  private structure(schema: JsonSchema): Pick<JsonSchema, 'properties' | 'items'> {
    const alternatives = alternativesOf(schema, this.whole).flatMap((each) => [
      each,
      ...[...(each.anyOf ?? []), ...(each.oneOf ?? [])].flatMap((member) =>
        alternativesOf(member, this.whole),
      ),
    ]);
    const properties = alternatives.flatMap((each) => Object.entries(each.properties ?? {})).reverse();
    const items = alternatives.find((each) => each.items)?.items;
    return {
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(items && { items }),
    };
  }

  private get whole(): JsonSchema {
    return (this.tools && findTool(this.tools, this.name))?.parameters ?? {};
  }

  /** Skips content that is not an argument. Calls quoted in the rest of this one do not count. */
  private *skipRest(): Reading<void> {
    const { cursor, dialect } = this;
    const { openers, closers } = this.call;
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

/** No schema is deeper. */
const DEEPEST = 16;
const ALL_IN_ONE = ['arguments', 'input', 'properties'];
/** DeepSeek escapes text that looks like its markers with these characters: it writes twice as many, plus one. */
const ESCAPED_MARK = /<(\u200b+)(?=\/?(?:think>|reasoning>|｜DSML｜))/g;

function unescapedMark(_: string, escape: string): string {
  return `<${escape.slice(0, escape.length / 2)}`;
}

const MALFORMED = malformed('The call has content outside <parameter name="…">.');
const ARGUMENTS_HINT = 'Write one <parameter name="…"> per argument.';
