import type { Json, JsonObject } from '../base/json';
import { plain } from '../core/bind';
import type { Diagnostic } from '../core/diagnostic';
import type { ToolResult } from '../core/messages';
import type { ToolSpec } from '../core/tool';
import { findTool, note, warning, type Problem } from './calls';
import type { Cursor, Reading } from './cursor';
import { describeParameters, exampleArguments, exampleTool, textOf } from './describe';
import { LongText } from './long-text';
import { textProtocol } from './text-protocol';
import type { Grammar, ReplyWriter } from './text-parser';

/**
 * VCP (Variable & Command Protocol): calls as text between markers, values between 「始」 and 「末」.
 * From lioensky/VCPToolBox and AIO Hub. A value runs verbatim to a 「末」 that something of the block follows; a value
 * that holds such marks itself is written between 「始ESCAPE」 and 「末ESCAPE」, or any other label.
 */
export const vcp = textProtocol({
  id: 'vcp',
  label: 'VCP',
  description: 'Calls as text between markers; for models and gateways without tools.',
  describeTools,
  renderCall: (call) =>
    block(START, [['tool_name', call.name], ['request_id', call.id], ...fields(call.arguments)], END),
  renderResults: (results) => results.map(renderResult).join('\n\n'),
  stop: ['<<<[TOOL_RESULT]>>>'],
  grammar: (tools) => grammar(tools),
});

const START = '<<<[TOOL_REQUEST]>>>';
const END = '<<<[END_TOOL_REQUEST]>>>';
const OPENER = '「始」';
const CLOSER = '「末';
const KEY_LIMIT = 256;
const LABEL_LIMIT = 32;
const REMARK_LIMIT = 4096;
/** White space that may stand between a value's closing mark and what follows it. */
const BLANK_LIMIT = 1024;

/** Fields of VCPToolBox that steer its own server; no arguments unless the tool declares them. */
const CONTROL_FIELDS = new Set([
  'maid',
  'valet',
  'archery',
  'ink',
  'river',
  'vref',
  'timely_contact',
  'tool_password',
]);

// ---- What the model is told ----

function describeTools(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return '';
  const example = exampleTool(tools);
  return [
    'You can call tools. To call one, write a block of exactly this form; the result comes back in the next message.',
    ...tools.map(describeTool),
    RULES,
    `A complete example:\nI will do that now.\n${block(START, [['tool_name', example.name], ...fields(exampleArguments(example))], END)}`,
  ].join('\n\n');
}

function describeTool(tool: ToolSpec): string {
  const lines = [
    '<<<[TOOL_DEFINITION]>>>',
    `tool_name: ${tool.name}`,
    `command: ${tool.vcpCommand ?? methodOf(tool) ?? tool.name}`,
    `description: ${tool.description}`,
    'parameters:',
    ...describeParameters(tool.parameters),
    'example:',
    block(START, [['tool_name', tool.name], ...fields(exampleArguments(tool))], END),
    '<<<[END_TOOL_DEFINITION]>>>',
  ];
  return lines.join('\n');
}

const RULES = `Rules:
- Write each argument as key:「始」value「末」 on a line of its own. The value is taken verbatim: no quotes, no escapes; it may have many lines.
- Lists and objects are written as JSON.
- A value that itself contains 「始」, 「末」 or one of the markers is written as key:「始ESCAPE」value「末ESCAPE」.
- You may write a sentence before a block, and several blocks in one message. Never put a block inside a code fence or inside thinking.
- After your blocks, stop: the results come in the next message between <<<[TOOL_RESULT]>>> and <<<[END_TOOL_RESULT]>>>. Never write results yourself.
- When nothing is left to do, answer in plain text without a block.`;

// ---- How calls and results look in the conversation ----

function fields(args: JsonObject): [string, Json][] {
  return Object.entries(args);
}

function block(start: string, pairs: readonly (readonly [string, Json])[], end: string): string {
  return [start, ...pairs.map(([key, value]) => `${key}:${quote(textOf(value))}`), end].join('\n');
}

/** Puts a text between marks that it does not contain itself. */
function quote(text: string): string {
  const label = labels(text);
  return `「始${label}」${text}「末${label}」`;
}

function labels(text: string): string {
  if (!/「[始末]|<<<\[/.test(text)) return '';
  // Under the label ESCAPE some spellings are decoded; a text that holds them takes another label.
  const free = (label: string): boolean =>
    !text.includes(`「末${label}」`) && !(label === 'ESCAPE' && decoded(text) !== text);
  for (let count = 0; ; count++) {
    const label = count === 0 ? 'ESCAPE' : count === 1 ? 'exp' : `ESCAPE${count}`;
    if (free(label)) return label;
  }
}

function renderResult(result: ToolResult): string {
  const pairs: [string, Json][] = [
    ['tool_name', result.toolName],
    ['request_id', result.requestId],
    ['status', result.status],
    ['result', result.result],
  ];
  return block('<<<[TOOL_RESULT]>>>', pairs, '<<<[END_TOOL_RESULT]>>>');
}

/** Spellings by which VCPToolBox lets marks stand inside an ESCAPE value. */
function decoded(text: string): string {
  return text
    .replaceAll('<<<[TOOL_REQUEST_ESCAPE]>>>', START)
    .replaceAll('<<<[END_TOOL_REQUEST_ESCAPE]>>>', END)
    .replaceAll('「始ESCAPE」', '「始」')
    .replaceAll('「末ESCAPE」', '「末」');
}

// ---- How a reply is read ----

function grammar(tools: readonly ToolSpec[] | undefined): Grammar {
  return {
    id: 'vcp',
    openers: [START],
    resultOpeners: ['<<<[TOOL_RESULT]>>>'],
    block: (reply) => new BlockReader(reply, tools).read(),
  };
}

/** What came next inside a block; `over` means that the reply ended. */
type Item = 'end' | 'new-block' | 'between' | 'stray' | 'over';

class BlockReader {
  private readonly cursor: Cursor;
  private readonly start: number;
  private readonly values = new Map<string, string>();
  private readonly notes: Diagnostic[] = [];
  private index: number | undefined;
  private repaired = false;
  /** The first thing that makes the call unfit to run; reading goes on to find where the block ends. */
  private problem: Problem | undefined;

  constructor(
    private readonly reply: ReplyWriter,
    private readonly tools: readonly ToolSpec[] | undefined,
  ) {
    this.cursor = reply.cursor;
    this.start = reply.cursor.position;
  }

  *read(): Reading<boolean> {
    this.cursor.take(START.length);
    for (;;) {
      let item = yield* this.item();
      if (item === 'stray') item = yield* this.stray();
      if (item === 'between') continue;
      if (item === 'end') this.finish();
      else this.reject(this.problem ?? (item === 'new-block' ? UNENDED : UNFINISHED));
      return true;
    }
  }

  /** Reads one thing between the markers and says what it was. A pair may leave the block closed behind it. */
  private *item(): Reading<Item> {
    yield* this.cursor.takeWhile(isBlank, Infinity);
    const char = yield* this.cursor.char();
    if (char === '') return 'over';
    if (char === ',' || char === '，') {
      this.cursor.take(1);
      return 'between';
    }
    if (char === '<') {
      if (yield* this.cursor.takes(END)) return 'end';
      return (yield* this.cursor.sees(START)) ? 'new-block' : 'stray';
    }
    if (yield* this.cursor.sees('//')) {
      let remark = '';
      yield* this.cursor.upTo(['\n'], (piece) => (remark = (remark + piece).slice(0, REMARK_LIMIT)));
      // A remark that holds marks was meant as the rest of a value.
      if (/「[始末]/.test(remark)) this.fail(strayText(remark.slice(0, 60)));
      return 'between';
    }
    return isKeyChar(char) ? yield* this.pair() : 'stray';
  }

  private *pair(): Reading<Item> {
    const key = yield* this.cursor.takeWhile(isKeyChar, KEY_LIMIT);
    yield* this.cursor.takeWhile(isBlank, BLANK_LIMIT);
    const colon = yield* this.cursor.char();
    if (colon === '') return 'over';
    if (colon !== ':' && colon !== '：') return 'stray';
    this.cursor.take(1);
    yield* this.cursor.takeWhile(isBlank, BLANK_LIMIT);
    const opened = yield* this.cursor.takes('「始');
    if (!opened) return (yield* this.cursor.char()) === '' ? 'over' : 'stray';
    const label = yield* this.label();
    if (label === undefined) return 'stray';
    if (colon === '：')
      this.repair(
        'full-width-colon',
        `Read the full-width colon after "${key}" as a colon.`,
        'Write an ASCII colon after each key.',
      );
    if (!/^[\w-]+$/.test(key)) this.note('unusual-key', `The argument "${key}" is not written in ASCII.`);
    return yield* this.value(key, label);
  }

  /** The rest of an opening mark: `」`, or a label and `」`. */
  private *label(): Reading<string | undefined> {
    const label = yield* this.cursor.takeWhile((char) => /\w/.test(char), LABEL_LIMIT);
    return (yield* this.cursor.takes('」')) ? label : undefined;
  }

  private *value(key: string, label: string): Reading<Item> {
    const closer = `${CLOSER}${label}」`;
    const text = new LongText();
    const line = { isStart: false };
    const index = RESERVED.has(key) ? undefined : this.begin();
    const add = (piece: string): void => {
      text.add(piece);
      line.isStart = endsLine(piece, line.isStart);
      if (index !== undefined) this.reply.delta(index, key, piece);
    };
    // Marks of whole pairs and blocks inside a plain value are data; a label makes everything data.
    const inner = { marks: 0, blocks: 0 };
    for (;;) {
      const found = yield* this.cursor.upTo(label === '' ? ['「', '<<<['] : [closer], add);
      if (found === undefined) return 'over';
      const mark = label === '' ? yield* this.mark() : closer;
      if (mark === END && inner.blocks === 0 && inner.marks === 0) {
        if (line.isStart && (yield* this.endsBlock())) {
          this.cursor.take(END.length);
          this.fail(unclosed(key));
          return 'end';
        }
      } else if (mark === closer && inner.marks === 0 && inner.blocks === 0) {
        if (yield* this.closes(closer.length)) {
          this.cursor.take(closer.length);
          this.keep(key, text.join(), label);
          return 'between';
        }
        this.doubt(key, closer);
      } else if (mark === OPENER || mark === START) {
        this.doubt(key, mark);
        if (mark === OPENER) inner.marks++;
        else inner.blocks++;
      } else if (mark === closer && inner.marks > 0) {
        inner.marks--;
      } else if (mark === END && inner.blocks > 0) {
        inner.blocks--;
      }
      add(this.cursor.take((mark ?? found).length));
    }
  }

  /** Which of VCP's marks stands here. */
  private *mark(): Reading<string | undefined> {
    for (const mark of ['「末」', OPENER, END, START]) {
      if (yield* this.cursor.sees(mark)) return mark;
    }
    return undefined;
  }

  /** A mark inside a plain value: there is one likely reading, but it should have been escaped. */
  private doubt(key: string, mark: string): void {
    if (RESERVED.has(key)) this.fail(unclosed(key));
    if (this.notes.some(({ code }) => code === 'mark-in-value')) return;
    this.repair(
      'mark-in-value',
      `The value of "${key}" holds "${mark}"; it was read as part of the value.`,
      ESCAPE_HINT,
    );
  }

  /** Whether the closing mark here really closes: only something of the block may follow it. */
  private *closes(length: number): Reading<boolean> {
    let offset = length;
    while (isBlank(yield* this.cursor.char(offset)) && offset < length + BLANK_LIMIT) offset++;
    const next = yield* this.cursor.char(offset);
    if (next === '' || next === ',' || next === '，') return true;
    if (next === '/') return yield* this.cursor.sees('//', offset);
    if (next === '<')
      return (yield* this.cursor.sees(END, offset)) || (yield* this.cursor.sees(START, offset));
    let end = offset;
    while (isKeyChar(yield* this.cursor.char(end)) && end < offset + KEY_LIMIT) end++;
    if (end === offset) return false;
    while (isBlank(yield* this.cursor.char(end)) && end < offset + BLANK_LIMIT) end++;
    const colon = yield* this.cursor.char(end);
    return colon === ':' || colon === '：';
  }

  /** Whether the end marker here stands at the end of its line. */
  private *endsBlock(): Reading<boolean> {
    let offset = END.length;
    while (/[ \t\r]/.test(yield* this.cursor.char(offset)) && offset < BLANK_LIMIT) offset++;
    const next = yield* this.cursor.char(offset);
    return next === '' || next === '\n';
  }

  private keep(key: string, raw: string, label: string): void {
    const text = label === 'ESCAPE' ? decoded(raw) : raw;
    if (text !== raw) this.note('decoded', `Escaped markers in "${key}" were restored.`);
    if (this.values.has(key)) this.fail(twice(key));
    this.values.set(key, text);
    if (key === 'tool_name' && this.index === undefined) this.index = this.reply.begin(text.trim());
  }

  /** Skips what belongs to no pair. A value in it is still read as one, so that nothing inside it counts. */
  private *stray(): Reading<Item> {
    let text = '';
    yield* this.cursor.upTo(['「始', END, START, '\n'], (piece) => (text = (text + piece).slice(0, 60)));
    this.fail(strayText(text.trim()));
    if (!(yield* this.cursor.takes('「始'))) return 'between';
    const label = yield* this.label();
    return label === undefined ? 'between' : yield* this.value('', label);
  }

  private finish(): void {
    if (this.problem) {
      this.reject(this.problem);
      return;
    }
    const name = this.name();
    const tool = this.tools && findTool(this.tools, name);
    const pairs = [...this.values].filter(([key]) => !RESERVED.has(key) && !this.isControl(key, tool));
    this.reply.finish({
      ...this.span(),
      name,
      arguments: Object.fromEntries(pairs),
      repaired: this.repaired,
      form: 'text',
    });
  }

  /** Fields that steer VCP itself, unless the tool has an argument of that name. Without tools all are arguments. */
  private isControl(key: string, tool: ToolSpec | undefined): boolean {
    if (!tool || Object.hasOwn(tool.parameters.properties ?? {}, key)) return false;
    const repeatsName = key === 'command' && namesOf(tool).includes(plain(this.values.get(key) ?? ''));
    if (!repeatsName && !CONTROL_FIELDS.has(key)) return false;
    this.note('control-field', `The field "${key}" is no argument and was left out.`);
    return true;
  }

  private name(): string {
    const name = this.values.get('tool_name')?.trim() ?? '';
    const command = this.values.get('command')?.trim();
    if (!this.tools || command === undefined || findTool(this.tools, name)) return name;
    const joined = `${name}_${command}`;
    return findTool(this.tools, joined) ? joined : name;
  }

  private reject(problem: Problem): void {
    this.reply.reject({ ...this.span(), name: this.name() }, problem);
  }

  private span(): { index: number; id: string; start: number; end: number; notes: readonly Diagnostic[] } {
    return {
      index: this.begin(),
      id: this.values.get('request_id')?.trim() ?? '',
      start: this.start,
      end: this.cursor.position,
      notes: this.notes,
    };
  }

  private begin(): number {
    this.index ??= this.reply.begin(this.values.get('tool_name')?.trim() ?? '');
    return this.index;
  }

  private fail(problem: Problem): void {
    this.problem ??= problem;
  }

  private note(code: string, message: string): void {
    this.notes.push(note({ start: this.start, end: this.cursor.position }, code, message));
  }

  /** Something that has one likely reading and still was not written as it should be. */
  private repair(code: string, message: string, hint: string): void {
    this.repaired = true;
    this.notes.push(warning({ start: this.start, end: this.cursor.position }, code, message, hint));
  }
}

/** What a `command` field may say when it only repeats which tool is meant. */
function namesOf(tool: ToolSpec): string[] {
  return [tool.name, tool.qualifiedName, tool.vcpCommand, methodOf(tool)].flatMap((name) =>
    name === undefined ? [] : plain(name),
  );
}

/** `readFile` of `files_readFile`. */
function methodOf({ qualifiedName }: ToolSpec): string | undefined {
  return qualifiedName?.slice(qualifiedName.lastIndexOf('_') + 1);
}

const RESERVED = new Set(['tool_name', 'request_id']);

const ESCAPE_HINT = 'A value that holds 「始」 or 「末」 needs 「始ESCAPE」…「末ESCAPE」.';

const UNFINISHED: Problem = {
  code: 'unfinished',
  message: 'The call was not finished: its end marker is missing.',
  hint: `Send it again, ending with ${END}; write long files in several steps.`,
};
const UNENDED: Problem = {
  code: 'missing-end',
  message: 'A new call begins before the end marker of this one.',
  hint: `End every call with ${END}.`,
};

function unclosed(key: string): Problem {
  return {
    code: 'unclosed-value',
    message: key === '' ? 'A value was not closed.' : `The value of "${key}" was not closed.`,
    hint: 'Close every value with 「末」 and send the call again; write long files in several steps.',
  };
}

function twice(key: string): Problem {
  return {
    code: 'duplicate-argument',
    message: `"${key}" is given twice.`,
    hint: `Give "${key}" once. ${ESCAPE_HINT}`,
  };
}

function strayText(text: string): Problem {
  return {
    code: 'stray-text',
    message: `"${text === '' ? '「始」' : text}" is no argument of the form key:「始」value「末」.`,
    hint: `Write every argument as key:「始」value「末」. ${ESCAPE_HINT}`,
  };
}

/** White space as between tokens: also zero-width characters and the byte order mark. */
function isBlank(char: string): boolean {
  return char !== '' && /[\s\u200b-\u200d\u2060\ufeff]/.test(char);
}

function isKeyChar(char: string): boolean {
  return char !== '' && /[\p{L}\p{N}_-]/u.test(char);
}

/** Whether a text leaves the next character at the beginning of a line, blanks aside; it begins at one if `before`. */
function endsLine(text: string, before: boolean): boolean {
  // By hand: a pattern anchored at the end would try every run of blanks.
  for (let end = text.length - 1; end >= 0; end--) {
    const char = text[end];
    if (char === '\n') return true;
    if (char !== ' ' && char !== '\t') return false;
  }
  return before;
}
