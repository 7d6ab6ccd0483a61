import type { JsonObject } from '../base/json';
import type { Diagnostic } from '../core/diagnostic';
import type { ToolResult } from '../core/messages';
import type { ToolSpec } from '../core/tool';
import { warning, type Problem } from './calls';
import type { Cursor, Reading } from './cursor';
import { describeParameters, textOf } from './describe';
import { readRawValue, type RawValueForm } from './raw-value';
import { skipBlanks } from './tagged-json';
import { isTag, readAttributes } from './tag-attributes';
import { ToolTag, toolTags } from './tool-tag';
import type { Grammar, ReplyWriter } from './text-parser';
import { textProtocol } from './text-protocol';
import type { PromptParts } from './tool-prompt';

/**
 * `<function_calls>` with raw parameter values, as Anthropic's and AgentPress' models write it, in the spellings of
 * MiniMax and DeepSeek too, and the tags that single tools declare.
 */
export const invoke = textProtocol({
  id: 'invoke',
  label: 'Invoke',
  description:
    '<function_calls> with raw values; MiniMax and DeepSeek models write it, and it suits file contents.',
  describeTool,
  prompt,
  renderCall: ({ name, arguments: args }) => render(name, args),
  renderResults: (results) =>
    `<function_results>\n${results.map(renderResult).join('\n')}\n</function_results>`,
  stop: ['<function_results>'],
  grammar,
});

function render(name: string, args: JsonObject): string {
  const parameters = Object.entries(args).map(
    ([key, value]) => `<parameter name="${key}">${padded(textOf(value))}</parameter>`,
  );
  return [
    '<function_calls>',
    `<invoke name="${name}">`,
    ...parameters,
    '</invoke>',
    '</function_calls>',
  ].join('\n');
}

/** One line break at each end belongs to the form, so a value that has its own gets one more. */
export function padded(text: string): string {
  return /^\r?\n|\r?\n$/.test(text) ? `\n${text}\n` : text;
}

function renderResult({ requestId, toolName, status, result }: ToolResult): string {
  return `<result id="${requestId}" name="${toolName}" status="${status}">\n${result}\n</result>`;
}

function prompt({ tools, example }: PromptParts): string {
  return [
    `You can call these tools:\n\n${tools.join('\n\n')}`,
    `To call one, write a block of exactly this form:\n${render(example.name, example.arguments)}`,
    `Rules:
- Values are raw text between their tags: no quotes, no escapes. Lists and objects are JSON.
- You may write a sentence before a block, and several <invoke> in one block.
- Never put a block inside a code fence or inside thinking.
- After your block, stop: the results come in the next message between <function_results> and </function_results>.
- When nothing is left to do, answer in plain text without a block.`,
  ].join('\n\n');
}

function describeTool({ name, description, parameters }: ToolSpec): string {
  return [
    `<tool name="${name}">`,
    description,
    'Parameters:',
    ...describeParameters(parameters),
    '</tool>',
  ].join('\n');
}

/** How one family spells the tags. The body is the same in all of them. */
interface Dialect {
  readonly open: string;
  readonly close: string;
  /** Stands before `invoke` and `parameter`. */
  readonly prefix: string;
}

const DIALECTS: readonly Dialect[] = [
  { open: '<function_calls>', close: '</function_calls>', prefix: '' },
  { open: '<minimax:tool_call>', close: '</minimax:tool_call>', prefix: '' },
  ...['｜DSML｜', '｜｜DSML｜｜', '|DSML|'].flatMap((prefix) => [
    { open: `<${prefix}function_calls>`, close: `</${prefix}function_calls>`, prefix },
    { open: `<${prefix}tool_calls>`, close: `</${prefix}tool_calls>`, prefix },
  ]),
];
const BARE: Dialect = { open: '', close: '', prefix: '' };

function grammar(tools: readonly ToolSpec[] | undefined): Grammar {
  const tags = toolTags(tools ?? []);
  return {
    id: 'invoke',
    openers: [...DIALECTS.map(({ open }) => open), '<invoke', ...tags.keys()],
    resultOpeners: ['<function_results>'],
    begins: (cursor, opener, isLineStart) => begins(cursor, opener, isLineStart, tools),
    block: (reply, opener) => {
      const tag = tags.get(opener);
      if (tag) return new ToolTag(reply, tag).read();
      return readBlock(reply, DIALECTS.find(({ open }) => open === opener) ?? BARE);
    },
  };
}

/** Without its wrapper an invoke counts at the beginning of a line, for a tool that is offered. */
function* begins(
  cursor: Cursor,
  opener: string,
  isLineStart: boolean,
  tools: readonly ToolSpec[] | undefined,
): Reading<boolean> {
  if (opener.endsWith('>')) return true;
  if (!(yield* isTag(cursor, opener))) return false;
  if (opener !== '<invoke') return true;
  if (!isLineStart) return false;
  for (const { name } of tools ?? []) {
    if ((yield* cursor.sees(`<invoke name="${name}"`)) || (yield* cursor.sees(`<invoke name='${name}'`)))
      return true;
  }
  return false;
}

function* readBlock(reply: ReplyWriter, dialect: Dialect): Reading<true> {
  const { cursor } = reply;
  const start = cursor.position;
  cursor.take(dialect.open.length);
  const before = reply.callCount;
  for (;;) {
    yield* skipBlanks(reply);
    if (yield* isTag(cursor, `<${dialect.prefix}invoke`)) {
      yield* new Invoke(reply, dialect).read();
      if (dialect === BARE) return true;
      continue;
    }
    if (yield* cursor.takes(dialect.close)) {
      if (reply.callCount === before) rejectAll(reply, start, EMPTY);
      return true;
    }
    const isOver = (yield* cursor.char()) === '';
    // A wrapper that is not closed changes nothing about the calls in it.
    if (isOver && reply.callCount > before) return true;
    if (!isOver) {
      const found = yield* cursor.upTo([dialect.close, dialect.open], () => undefined);
      if (found === dialect.close) cursor.take(dialect.close.length);
    }
    rejectAll(reply, start, isOver ? unfinished(dialect) : STRAY);
    return true;
  }
}

function rejectAll(reply: ReplyWriter, start: number, problem: Problem): void {
  reply.reject({ index: reply.begin(''), name: '', start, end: reply.cursor.position }, problem);
}

/** One `<invoke name="…">` with its parameters. */
class Invoke {
  private readonly cursor: Cursor;
  private readonly start: number;
  private readonly values = new Map<string, string>();
  private readonly notes: Diagnostic[] = [];
  private readonly index: number;
  private readonly form: RawValueForm;
  private name = '';
  private problem: Problem | undefined;

  constructor(
    private readonly reply: ReplyWriter,
    private readonly dialect: Dialect,
  ) {
    this.cursor = reply.cursor;
    this.start = reply.cursor.position;
    this.index = reply.begin('');
    const { prefix } = dialect;
    this.form = {
      opener: `<${prefix}parameter `,
      closer: `</${prefix}parameter>`,
      followers: [`<${prefix}parameter `, `</${prefix}invoke>`],
    };
  }

  *read(): Reading<void> {
    const { cursor, dialect } = this;
    const opened = yield* readAttributes(cursor, `<${dialect.prefix}invoke`);
    this.name = opened?.attributes.get('name') ?? '';
    if (!opened) return yield* this.broken();
    for (;;) {
      yield* skipBlanks(this.reply);
      if (yield* cursor.takes(`</${dialect.prefix}invoke>`)) {
        this.end();
        return;
      }
      if (!(yield* cursor.sees(this.form.opener))) return yield* this.broken();
      const parameter = yield* readAttributes(cursor, this.form.opener.trimEnd());
      const key = parameter?.attributes.get('name');
      if (key === undefined) return yield* this.broken();
      if (!(yield* this.value(key))) return yield* this.broken();
    }
  }

  private *value(key: string): Reading<boolean> {
    const value = yield* readRawValue(this.cursor, this.form, (text) =>
      this.reply.delta(this.index, key, text),
    );
    if (value.type === 'over') return false;
    if (this.values.has(key)) this.problem ??= twice(key);
    this.values.set(key, value.text);
    if (value.isUncertain) {
      const message = `The value of "${key}" holds "${this.form.closer}"; it was read as part of the value.`;
      this.notes.push(
        warning({ start: this.start, end: this.cursor.position }, 'mark-in-value', message, ''),
      );
    }
    return true;
  }

  /** Something stands here that is no parameter: the rest of the call is skipped. */
  private *broken(): Reading<void> {
    const { cursor, dialect } = this;
    const isOver = (yield* cursor.char()) === '';
    this.problem ??= isOver ? unfinished(dialect) : MALFORMED;
    const closer = `</${dialect.prefix}invoke>`;
    const found = yield* cursor.upTo(
      [closer, ...(dialect.close === '' ? [] : [dialect.close])],
      () => undefined,
    );
    if (found === closer) cursor.take(closer.length);
    this.end();
  }

  private end(): void {
    const { index, notes, problem } = this;
    const span = { index, name: this.name.trim(), start: this.start, end: this.cursor.position };
    if (problem) this.reply.reject(span, problem);
    else {
      const args = Object.fromEntries(this.values);
      this.reply.finish({ ...span, arguments: args, notes, repaired: notes.length > 0, form: 'text' });
    }
  }
}

function unfinished({ close }: Dialect): Problem {
  return {
    code: 'unfinished',
    message: 'The call was not finished before the reply ended.',
    hint: `Send it again, ending with ${close || '</invoke>'}; write long files in several steps.`,
  };
}

const EMPTY: Problem = {
  code: 'malformed-block',
  message: 'The block holds no call.',
  hint: 'Put one <invoke name="…"> for each call into it.',
};
const STRAY: Problem = {
  code: 'stray-text',
  message: 'The block holds text that is no call.',
  hint: 'Put nothing but <invoke name="…"> elements into it.',
};
const MALFORMED: Problem = {
  code: 'malformed-block',
  message: 'The call holds something that is no <parameter name="…">.',
  hint: 'Send it again exactly in the form shown.',
};

function twice(key: string): Problem {
  return { code: 'duplicate-argument', message: `"${key}" is given twice.`, hint: `Give "${key}" once.` };
}
