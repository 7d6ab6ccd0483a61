import type { ToolSpec, XmlMapping, XmlSchema } from '../core/tool';
import type { Problem } from './calls';
import type { Cursor, Reading } from './cursor';
import { readAttributes } from './tag-attributes';
import type { ReplyWriter } from './text-parser';

/** A tag that stands for calls of one tool. */
export interface TaggedTool {
  readonly tool: string;
  readonly schema: XmlSchema;
}

/** The beginnings of all declared tags, `<create-file`, and what they stand for. */
export function toolTags(tools: readonly ToolSpec[]): ReadonlyMap<string, TaggedTool> {
  return new Map(
    tools.flatMap(({ name, xmlSchema }) =>
      xmlSchema ? [[`<${xmlSchema.tag_name}`, { tool: name, schema: xmlSchema }] as const] : [],
    ),
  );
}

/** Reads `<tag attribute="…">content or elements</tag>` by the mappings its tool declares. Tags of its own name nest. */
export class ToolTag {
  private readonly cursor: Cursor;
  private readonly start: number;
  private readonly index: number;

  constructor(
    private readonly reply: ReplyWriter,
    private readonly tag: TaggedTool,
  ) {
    this.cursor = reply.cursor;
    this.start = reply.cursor.position;
    this.index = reply.begin(tag.tool);
  }

  *read(): Reading<true> {
    const { tag_name: name, mappings } = this.tag.schema;
    const opened = yield* readAttributes(this.cursor, `<${name}`);
    if (!opened) {
      const isOver = (yield* this.cursor.char()) === '';
      const closer = `</${name}>`;
      if (yield* this.cursor.upTo([closer], () => undefined)) this.cursor.take(closer.length);
      this.reject(isOver ? unfinished(name) : malformed(name));
      return true;
    }
    const content = opened.isEmpty ? '' : yield* this.content(name);
    if (content === undefined) {
      this.reject(unfinished(name));
      return true;
    }
    const values = mappings.flatMap((mapping): [string, string][] => {
      const value = valueOf(mapping, opened.attributes, content);
      return value === undefined ? [] : [[mapping.param_name, value]];
    });
    this.reply.finish({ ...this.span(), arguments: Object.fromEntries(values), form: 'text' });
    return true;
  }

  /** Everything up to the closing tag; `undefined` when the reply ends first. */
  private *content(name: string): Reading<string | undefined> {
    const closer = `</${name}>`;
    const pieces: string[] = [];
    const add = (text: string): void => {
      pieces.push(text);
      this.reply.delta(this.index, '', text);
    };
    for (let depth = 0; ;) {
      const found = yield* this.cursor.upTo([closer, `<${name}>`, `<${name} `], add);
      if (found === undefined) return undefined;
      if (found === closer && depth === 0) {
        this.cursor.take(closer.length);
        return pieces.join('');
      }
      depth += found === closer ? -1 : 1;
      add(this.cursor.take(found.length));
    }
  }

  private reject(problem: Problem): void {
    this.reply.reject(this.span(), problem);
  }

  private span(): { index: number; name: string; start: number; end: number } {
    return { index: this.index, name: this.tag.tool, start: this.start, end: this.cursor.position };
  }
}

function valueOf(
  { param_name, node_type, path }: XmlMapping,
  attributes: ReadonlyMap<string, string>,
  content: string,
): string | undefined {
  const name = path === '.' ? param_name : path;
  switch (node_type) {
    case 'attribute':
      return attributes.get(name);
    case 'content':
      return trimmed(content);
    case 'element': {
      // From the first opening to the last closing tag, so that markup inside a value is data.
      const from = content.indexOf(`<${name}>`);
      const to = content.lastIndexOf(`</${name}>`);
      return from < 0 || to < from ? undefined : trimmed(content.slice(from + name.length + 2, to));
    }
  }
}

function trimmed(text: string): string {
  return text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}

function unfinished(name: string): Problem {
  return {
    code: 'unfinished',
    message: `<${name}> was not closed before the reply ended.`,
    hint: `Send it again, ending with </${name}>; write long files in several steps.`,
  };
}

function malformed(name: string): Problem {
  return {
    code: 'malformed-block',
    message: `The attributes of <${name}> cannot be read.`,
    hint: 'Write each attribute once, as name="value".',
  };
}
