import { plain as letters } from '../../core/run/foreign-arguments';
import type { ToolSpec } from '../../core/words/tool';
import { CallBody } from '../engine/call-body';
import {
  afterUnclosed,
  findTool,
  malformed,
  unclosed,
  unended,
  unfinishedCall,
  type CallProblem,
} from '../engine/calls';
import {
  BLANK_LIMIT,
  blanksEnd,
  endsLine,
  isBlank,
  seenOf,
  type Cursor,
  type Reading,
} from '../engine/cursor';
import { LongText } from '../engine/long-text';
import type { OfferedTools, OpenFence, Reader, ReplyWriter } from '../engine/reader';
import { Trial } from '../engine/trial';
import {
  ANSWER_LABELS,
  BLOCK_LABELS,
  END,
  FINISH,
  isBlockName,
  keyOf,
  labelOf,
  NO_BREAK,
  originalLine,
  RESULT,
  textOf,
  THOUGHT_OPENERS,
  TOOL_OPENERS,
} from './lines';

/** A longer thought is passed on as text before it is known whether a call or an answer follows. */
const THOUGHT_LIMIT = 2_000;
const SHOWN_LIMIT = 60;

/** What the next line is. */
type LineKind = 'end' | 'step' | 'label' | 'result' | 'fence' | 'over' | 'other';

/** A code fence around the step: what opened it, and where the step's texts go meanwhile. */
interface InFence {
  readonly run: string;
  readonly say: (piece: string) => void;
}

/** Reads a step, with the cursor on its thought or its tool. In a fence it counts only if it is the whole reply. */
export function* readStep(
  reply: ReplyWriter,
  opener: string,
  fence: OpenFence | undefined,
  tools: OfferedTools,
): Reading<boolean> {
  if (fence) return yield* readFencedStep(reply, opener, fence, tools);
  yield* readWhole(reply, opener, tools);
  return true;
}

/** Recognizes whole steps when another form is in use: what they contain is no call. */
export function foreignSteps(tools: OfferedTools): Reader {
  return {
    id: 'plain',
    openers: TOOL_OPENERS,
    lineOpeners: TOOL_OPENERS,
    resultOpeners: [],
    *begins(cursor, opener, isLineStart, offset = 0) {
      if (!isLineStart) return false;
      const line = yield* cursor.restOfLine(offset + opener.length);
      const name = nameIn(line, tools);
      if (!NAME.test(name.name) && findTool(tools ?? [], name.name) === undefined) return false;
      const next = yield* blanksEnd(cursor, offset + opener.length + line.length);
      return (yield* isEnd(cursor, next)) || FOREIGN_FIELD.test(yield* cursor.restOfLine(next));
    },
    *block(reply, opener) {
      const { cursor } = reply;
      const start = cursor.position;
      cursor.take(opener.length);
      const name = nameIn(yield* restOf(cursor), tools);
      if (!name.isAnswer) {
        yield* new Step(reply, { tools, isForeign: true }).read(name);
        return true;
      }
      const index = reply.startCall(name.name);
      yield* readAnswer(reply, '', () => undefined, undefined);
      reply.rejectCall({ index, name: name.name, start, end: cursor.position }, FOREIGN_ANSWER);
      return true;
    },
  };
}

function* readFencedStep(
  reply: ReplyWriter,
  opener: string,
  fence: OpenFence,
  tools: OfferedTools,
): Reading<boolean> {
  const { cursor } = reply;
  cursor.mark();
  const trial = new Trial(cursor);
  const said: string[] = [];
  const [run = ''] = /`+|~+/.exec(fence.text) ?? [];
  const does = yield* readWhole(trial, opener, tools, { run, say: (piece) => said.push(piece) });
  const isWhole = does === 'answers' || (does === 'calls' && trial.isClean);
  if (!isWhole || !(yield* fence.isDecoration())) {
    cursor.rewind();
    reply.text(fence.text);
    return false;
  }
  cursor.release();
  reply.text(said.join(''));
  for (const call of trial.calls) reply.endCall({ ...call, index: reply.startCall(call.name) });
  return true;
}

function* readWhole(
  reply: ReplyWriter,
  opener: string,
  tools: OfferedTools,
  fence?: InFence,
): Reading<'thinks' | 'calls' | 'answers'> {
  const { cursor } = reply;
  const say = fence?.say ?? ((piece: string): void => reply.text(piece));
  let thought = '';
  let tool: string | undefined = opener;
  if (THOUGHT_OPENERS.includes(opener)) {
    cursor.take(opener.length);
    thought = (yield* cursor.takeWhile((char) => char !== '\n', THOUGHT_LIMIT)).trimStart();
    const at = yield* blanksEnd(cursor, 0);
    tool = /^\n?$/.test(yield* cursor.char()) ? yield* seenOf(cursor, TOOL_OPENERS, at) : undefined;
    if (tool === undefined) {
      say(thought);
      return 'thinks';
    }
    thought = thought.trimEnd();
    cursor.take(at);
  }
  const step = new Step(reply, { tools, fence });
  cursor.take(tool.length);
  const name = nameIn(yield* restOf(cursor), tools);
  if (name.isAnswer) {
    yield* readAnswer(reply, thought, say, fence);
    return 'answers';
  }
  say(thought);
  yield* step.read(name);
  return 'calls';
}

interface StepName {
  readonly name: string;
  /** As it was written, if decorated. */
  readonly written: string;
  readonly isAnswer: boolean;
}

/** The name on the line of the tool. A tool that is called like the answer is written as a JSON text. */
function nameIn(line: string, tools: OfferedTools): StepName {
  const written = line.trim();
  const quoted = textOf(written);
  const name = quoted ?? written.replace(/^[*`]+|[*`]+$/g, '').trim();
  const isFinish = letters(name) === FINISH;
  const isTool = quoted !== undefined && (!tools || findTool(tools, quoted) !== undefined);
  return { name, written: quoted === undefined ? written : name, isAnswer: isFinish && !isTool };
}

/** The rest of the line; its line break stays. */
function* restOf(cursor: Cursor): Reading<string> {
  const text = new LongText();
  yield* cursor.upTo(['\n'], (piece) => text.add(piece));
  return text.join();
}

/** The text of the answer, up to an end mark or the end of the reply; the thought before it is reasoning. */
function* readAnswer(
  reply: ReplyWriter,
  thought: string,
  say: (piece: string) => void,
  fence: InFence | undefined,
): Reading<void> {
  const { cursor } = reply;
  cursor.take(yield* blanksEnd(cursor, 0));
  const label = yield* seenOf(cursor, ANSWER_LABELS);
  if (label !== undefined) {
    cursor.take(label.length);
    yield* cursor.takeWhile((char) => /[ \t\r]/.test(char), BLANK_LIMIT);
    if (!(yield* endsAnswer(cursor, 1, fence))) yield* cursor.takes('\n');
  }
  const isEmpty = (yield* cursor.char()) === '' || (yield* endsAnswer(cursor, 0, fence));
  if (isEmpty || thought === '') say(thought);
  else reply.reasoning(thought);
  for (let at = 0; ; at = 1) {
    if (yield* endsAnswer(cursor, at, fence)) {
      if (!fence || (yield* cursor.sees(END, at))) cursor.take(at + END.length);
      return;
    }
    if ((yield* cursor.char(at)) === '') return;
    if (at > 0) say(cursor.take(1));
    if (yield* cursor.sees('\\')) say(originalLine(yield* restOf(cursor)));
    else yield* cursor.upTo(['\n'], say);
  }
}

function* endsAnswer(cursor: Cursor, at: number, fence: InFence | undefined): Reading<boolean> {
  return (yield* isEnd(cursor, at)) || (fence !== undefined && (yield* cursor.sees(fence.run, at)));
}

/** Whether the line there is an end mark and nothing else. */
function* isEnd(cursor: Cursor, at: number): Reading<boolean> {
  if (!(yield* cursor.sees(END, at))) return false;
  const behind = at + END.length;
  return (yield* endsLine(cursor, behind)) || (yield* cursor.sees('>>>', behind));
}

interface StepOptions {
  readonly tools: OfferedTools;
  readonly fence?: InFence | undefined;
  /** Another form is in use: the step needs its end mark, and a line that is no field is not a part of it. */
  readonly isForeign?: boolean;
}

/** The call of a step, with the cursor on the line of its tool. */
class Step extends CallBody {
  private tool: ToolSpec | undefined;
  /** Only an end mark shows that the last field is whole: it has many lines, or nothing yet. */
  private needsEnd = false;
  private readonly tools: OfferedTools;
  private readonly fence: InFence | undefined;
  private readonly isForeign: boolean;

  constructor(reply: ReplyWriter, { tools, fence, isForeign = false }: StepOptions) {
    super(reply);
    this.tools = tools;
    this.fence = fence;
    this.isForeign = isForeign;
  }

  /** Reads all fields, up to the end of the step. */
  *read({ name, written }: StepName): Reading<void> {
    const { cursor } = this;
    this.begin(name);
    if (written !== name)
      this.repair('name', `Read the tool "${written}" as "${name}".`, 'Write the bare name of the tool.');
    this.tool = findTool(this.tools ?? [], this.name);
    for (;;) {
      const at = yield* this.nextLine();
      const kind = yield* this.lineKind(at);
      if (kind !== 'other') {
        if (kind === 'end') yield* this.takeEnd(at);
        else this.checkEnd(kind);
        this.end();
        return;
      }
      cursor.take(at);
      if (this.isForeign && !FOREIGN_FIELD.test(yield* cursor.restOfLine(0))) {
        yield* this.leave();
        return;
      }
      yield* this.field();
    }
  }

  /** Ends a foreign step at a line that is no field, or behind the text that the line may belong to. */
  private *leave(): Reading<void> {
    const { cursor } = this;
    this.fail(strayLine(yield* cursor.restOfLine(0)));
    if (this.needsEnd) yield* cursor.upTo([`\n${END}`], () => undefined);
    this.end();
  }

  /** Where the next line that is not blank begins. */
  private *nextLine(): Reading<number> {
    const at = yield* blanksEnd(this.cursor, 0);
    if (at < BLANK_LIMIT) return at;
    yield* this.cursor.takeWhile(isBlank, Infinity);
    return 0;
  }

  private *lineKind(at: number): Reading<LineKind> {
    const { cursor, fence } = this;
    if ((yield* cursor.char(at)) === '') return 'over';
    if ((yield* seenOf(cursor, END_SPELLINGS, at)) !== undefined) return 'end';
    if (yield* cursor.sees(RESULT, at)) return 'result';
    if (fence && (yield* cursor.sees(fence.run, at))) return 'fence';
    return (yield* seenOf(cursor, STEP_OPENERS, at)) === undefined ? 'other' : 'step';
  }

  private *takeEnd(at: number): Reading<void> {
    const { cursor } = this;
    cursor.take(at);
    const mark = cursor.take(END.length);
    const tail = (yield* cursor.takes('>>>')) ? '>>>' : '';
    if (mark + tail !== END)
      this.repair('end-mark', `Read "${mark}${tail}" as "${END}".`, `Write ${END} alone on its line.`);
  }

  /** Without an end mark, the call counts only if its last line is complete. */
  private checkEnd(kind: LineKind): void {
    const isCut = kind === 'over' && this.cursor.isCut;
    if (this.problem || isCut || this.isForeign || this.values.size === 0 || this.needsEnd)
      this.fail(kind === 'step' ? unended(END) : unfinishedCall(END));
    else
      this.repair(
        'missing-end',
        `The call lacks ${END}; its last line is complete.`,
        `Write ${END} after it.`,
      );
  }

  /** A line `Label: value`, or `Label:` with a text below it. */
  private *field(): Reading<void> {
    const line = yield* restOf(this.cursor);
    const [, quoted, bare, rest = ''] = FIELD.exec(line) ?? [];
    const label = quoted ?? bare?.trim();
    if (label === undefined) {
      this.fail(strayLine(line));
      return;
    }
    const key = this.keyFor(label);
    const isBlank = rest.trim() === '';
    this.needsEnd = isBlank;
    if (isBlank && isBlockName(key)) {
      yield* this.block(key);
      return;
    }
    // One blank belongs to the form; in code, the others may be its indentation.
    const value = isBlockName(key) ? rest.replace(/^ |\r$/g, '') : (textOf(rest.trim()) ?? rest.trim());
    this.checkLabels(key, rest);
    this.show(key, value);
    this.keep(key, value);
  }

  /** The argument with this label: spelled exactly, else with the same letters. */
  private keyFor(label: string): string {
    const keys = Object.keys(this.tool?.parameters.properties ?? {});
    const key = keyOf(label);
    if (keys.includes(key)) return key;
    const spelled = keys.filter((each) => letters(each) === letters(key));
    const [only] = spelled;
    if (spelled.length !== 1 || only === undefined) return key;
    this.note('argument', `Read "${label}" as "${labelOf(only)}".`);
    return only;
  }

  /** A lost line break would put a field into the value before it. */
  private checkLabels(key: string, value: string): void {
    for (const other of Object.keys(this.tool?.parameters.properties ?? {})) {
      const label = `${labelOf(other)}:`;
      if (other === key || this.values.has(other) || !value.includes(label)) continue;
      const message = `The value of "${key}" holds "${label}", which was read as part of it.`;
      this.warn('label-in-value', message, 'Begin each field on a line of its own.');
    }
  }

  /** A text of many lines, with the cursor on the line break before it. */
  private *block(key: string): Reading<void> {
    const { cursor } = this;
    const text = new LongText();
    const add = (piece: string): void => {
      text.add(piece);
      this.show(key, piece);
    };
    const labels = this.blockLabels();
    let isFirst = true;
    const beginLine = (): void => {
      if (!isFirst) add('\n');
      isFirst = false;
    };
    // A line that says "no line break at the end", if it is the last one.
    let sign: string | undefined;
    let kind = yield* this.blockLine(labels);
    for (; kind === 'other'; kind = yield* this.blockLine(labels)) {
      cursor.take(1);
      if (sign !== undefined) {
        beginLine();
        add(sign);
        sign = undefined;
      }
      if (!(yield* cursor.sees('\\'))) {
        beginLine();
        yield* cursor.upTo(['\n'], add);
        continue;
      }
      const line = yield* restOf(cursor);
      if (NO_BREAK.test(line)) {
        sign = line;
      } else {
        beginLine();
        add(originalLine(line));
      }
    }
    if (sign === undefined) beginLine();
    this.keep(key, text.join());
    if (kind === 'step') {
      this.fail(UNENDED_TEXT);
      this.reply.markRepaired(afterUnclosed(this.span()));
      // What follows may be a part of the text.
      if (this.isForeign) yield* cursor.upTo([`\n${END}`], () => undefined);
    } else if (kind === 'over' || kind === 'fence') {
      this.fail(unclosed(key, `a line ${END}`));
    }
  }

  /** The labels that end a text: of all texts of this tool, so that none is given twice by mistake. */
  private blockLabels(): readonly string[] {
    if (!this.tool) return BLOCK_LABELS;
    const keys = Object.keys(this.tool.parameters.properties ?? {});
    return keys.filter(isBlockName).map((key) => `${labelOf(key)}:`);
  }

  /** What begins behind the line break at the cursor. */
  private *blockLine(labels: readonly string[]): Reading<LineKind> {
    const { cursor, fence } = this;
    if ((yield* cursor.char(1)) === '') return 'over';
    if (yield* isEnd(cursor, 1)) return 'end';
    if ((yield* seenOf(cursor, labels, 1)) !== undefined) return 'label';
    if (fence && (yield* cursor.sees(fence.run, 1))) return 'fence';
    const [tool = ''] = TOOL_OPENERS;
    if (!(yield* cursor.sees(tool, 1))) return 'other';
    const name = (yield* cursor.restOfLine(1 + tool.length)).trim();
    const isKnown = this.tools ? findTool(this.tools, name) !== undefined : NAME.test(name);
    return isKnown || name === FINISH ? 'step' : 'other';
  }
}

const END_SPELLINGS = [END, END.toLowerCase()];
const STEP_OPENERS = [...TOOL_OPENERS, ...THOUGHT_OPENERS];
const NAME = /^[\w.-]+$/;
/** A label, which may be decorated or written as a JSON text, and what is behind it. */
const FIELD =
  /^[ \t]*(?:\*\*|`)?(?:("(?:[^"\\]|\\.)*")|([^\s:"*`][^:"*`]{0,199}))(?:\*\*|`)?[ \t]*:(?:\*\*)?([^]*)$/;

/** A field as another form never begins a line. */
const FOREIGN_FIELD =
  /^(?:\*\*|`)?(?:"(?:[^"\\]|\\.)*"|[A-Za-z_][\w .-]{0,99})(?:\*\*|`)?:(?:\*\*)?(?:[ \t]|\r?$)/;

const FOREIGN_ANSWER = malformed('It is an answer, not a call.', 'Answer in plain text.');

const UNENDED_TEXT: CallProblem = {
  ...unended(END),
  hint: `End every step with a line ${END}. Write \\Tool: if a text has a line that begins with Tool:.`,
};

function strayLine(line: string): CallProblem {
  const shown = line.trim().slice(0, SHOWN_LIMIT);
  return malformed(
    `The line "${shown}" is no field.`,
    `Write "Name: value" on each line and ${END} after the last one; a value of several lines is a JSON text.`,
  );
}
