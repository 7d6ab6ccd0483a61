import type { ToolSpec, XmlSchema } from '../../core/words/tool';
import { CallBody } from '../engine/call-body';
import { malformed, unfinishedCall, unknown, type CallProblem } from '../engine/calls';
import { seenOf, type Reading } from '../engine/cursor';
import { ValueText } from '../engine/long-text';
import { putBackSwallowed, unwrapped } from '../engine/raw-value';
import type { ReplyWriter } from '../engine/reader';
import { closesItself, isTag, readAttributes } from '../engine/tags';

/** A tag for calls of one tool. */
interface TaggedTool {
  readonly tool: string;
  readonly schema: XmlSchema;
}

/** The beginnings of all declared tags, `<create-file`, with their tools. */
export function toolTags(tools: readonly ToolSpec[]): ReadonlyMap<string, TaggedTool> {
  return new Map(
    tools.flatMap(({ name, xmlSchema }) =>
      xmlSchema ? [[`<${xmlSchema.tag_name}`, { tool: name, schema: xmlSchema }] as const] : [],
    ),
  );
}

/**
 * Reads `<tag attribute="…">content or elements</tag>` by the mappings that its tool declares. Tags of the same name
 * nest. If the tag is never closed, reading continues at the next opener of any call that begins a line.
 */
export class ToolTag extends CallBody {
  constructor(
    reply: ReplyWriter,
    private readonly tag: TaggedTool,
    private readonly openers: readonly string[],
  ) {
    super(reply);
    this.begin(tag.tool);
  }

  *read(): Reading<true> {
    const { tag_name: name } = this.tag.schema;
    const opened = yield* readAttributes(this.cursor, `<${name}`);
    if (!opened && (yield* this.cursor.char()) !== '')
      this.fail(malformed(`The attributes of <${name}> cannot be read.`, ATTRIBUTES));
    const content = opened?.isEmpty ? '' : yield* this.content(name);
    if (content === undefined) this.fail(unfinishedCall(`</${name}>`));
    else this.keepAll(opened?.attributes ?? new Map(), content);
    this.end();
    return true;
  }

  /** Everything up to the closing tag; `undefined` if the reply ends first. */
  private *content(name: string): Reading<string | undefined> {
    const { cursor } = this;
    const [opener, closer] = [`<${name}`, `</${name}>`];
    const text = new ValueText();
    const add = (piece: string): void => {
      text.add(piece);
      this.show('', piece);
    };
    for (let depth = 0; ;) {
      const found = yield* cursor.upTo(text.isMarked ? [closer, opener] : [closer, opener, '\n<'], add);
      if (found === undefined) {
        putBackSwallowed(this.reply, text);
        return undefined;
      }
      if (found === '\n<') {
        add(cursor.take(1));
        if ((yield* seenOf(cursor, this.openers)) !== undefined) text.mark();
        continue;
      }
      const isOpened = (yield* isTag(cursor, opener)) && !(yield* closesItself(cursor, opener.length));
      if (isOpened) depth++;
      else if (found === closer) depth--;
      if (depth < 0) {
        cursor.take(closer.length);
        return text.join();
      }
      add(cursor.take(found.length));
    }
  }

  private keepAll(attributes: ReadonlyMap<string, string>, content: string): void {
    const { mappings } = this.tag.schema;
    const unmapped = new Map(attributes);
    const elements: XmlElement[] = [];
    for (const { param_name: key, node_type: type, path } of mappings) {
      const name = path === '.' ? key : path;
      if (type === 'attribute') {
        const attribute = attributes.get(name);
        if (attribute !== undefined) this.keep(key, attribute);
        unmapped.delete(name);
        continue;
      }
      const element =
        type === 'content' ? { start: 0, end: content.length, text: content } : elementIn(content, name);
      if (!element) continue;
      elements.push(element);
      const { text, wasWrapped } = unwrapped(element.text);
      if (wasWrapped) this.repairCdata(key);
      this.keep(key, text);
    }
    for (const name of unmapped.keys()) this.fail(unknown(name, 'Write only the described attributes.'));
    const isContent = mappings.some(({ node_type }) => node_type === 'content');
    if (!isContent && !covers(elements, content)) this.fail(LEFT_OVER);
  }
}

interface XmlElement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** From the first opening to the last closing tag, so that markup inside a value is data. */
function elementIn(content: string, name: string): XmlElement | undefined {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const start = content.indexOf(open);
  const last = content.lastIndexOf(close);
  if (start < 0 || last < start) return undefined;
  return { start, end: last + close.length, text: content.slice(start + open.length, last) };
}

/** Whether the content is these elements and blanks between them, none inside another. */
function covers(elements: readonly XmlElement[], content: string): boolean {
  let at = 0;
  for (const { start, end } of [...elements].sort((one, other) => one.start - other.start)) {
    if (start < at || content.slice(at, start).trim() !== '') return false;
    at = end;
  }
  return content.slice(at).trim() === '';
}

const LEFT_OVER: CallProblem = {
  code: 'stray-text',
  message: 'The call has text outside its parameters.',
  hint: 'Write only its parameters, each once and none inside another.',
};

const ATTRIBUTES = 'Write each attribute once, as name="value".';
