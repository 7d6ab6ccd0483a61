import { blanksEnd, seenOf, type Cursor, type Reading } from '../engine/cursor';
import type { Reader, ReplyWriter } from '../engine/reader';
import { endsReply } from '../engine/special-tokens';
import { finishNamed, leaveBroken, readCalls, takeName, takesMark } from './calls';

/** Calls between special tokens, of which any may be missing that another one makes up for. */
interface Frame {
  readonly id: string;
  readonly openers?: readonly string[];
  /** What must follow behind the opener. */
  readonly then?: readonly string[];
  /** One of them, or the end of the reply, must come behind the calls. */
  readonly closers?: readonly string[];
  readonly mayLackCloser?: boolean;
  /** The opener means other things too: it is this one where JSON follows. */
  readonly isShared?: boolean;
  readonly standsAlone?: boolean;
  readonly isMap?: boolean;
  /** Names stand in front of the arguments; if not, the calls are JSON with both. */
  readonly named?: Named;
}

interface Named {
  /** Opens each call, also a block whose opener is missing. */
  readonly item: string;
  /** Each stands in front of a word or of the arguments. */
  readonly marks?: readonly string[];
  /** Behind which mark name and id stand; the first word has none. */
  readonly name?: string;
  readonly id?: string;
  readonly itemEnd?: string;
}

const deepSeek = (bar: string): Frame => ({
  id: 'deepseek',
  openers: [`<${bar}tool▁calls▁begin${bar}>`],
  // DeepSeek V3 and R1 write the kind first, and the name in a line of its own.
  named: {
    item: `<${bar}tool▁call▁begin${bar}>`,
    marks: [`<${bar}tool▁sep${bar}>`],
    name: `<${bar}tool▁sep${bar}>`,
    itemEnd: `<${bar}tool▁call▁end${bar}>`,
  },
  closers: [`<${bar}tool▁calls▁end${bar}>`],
});

/** From the models' chat templates and their servers' parsers. */
const frames: readonly Frame[] = [
  { id: 'llama', openers: ['<|python_tag|>'] },
  // Granite 3 closes nothing, Phi-4 does.
  {
    id: 'granite',
    openers: ['<|tool_call|>', '<function_call>'],
    closers: ['<|/tool_call|>', '</function_call>'],
    mayLackCloser: true,
  },
  { id: 'phi', openers: ['functools'], isShared: true, standsAlone: true },
  {
    id: 'mistral',
    named: { item: '[TOOL_CALLS]', marks: ['[CALL_ID]', '[ARGS]'], id: '[CALL_ID]' },
  },
  deepSeek('｜'),
  deepSeek('|'),
  {
    id: 'kimi',
    openers: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'],
    named: {
      item: '<|tool_call_begin|>',
      marks: ['<|tool_call_argument_begin|>'],
      itemEnd: '<|tool_call_end|>',
    },
    closers: ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
  },
  {
    id: 'solar',
    named: {
      item: '<|tool_call:begin|>',
      marks: ['<|tool_call:name|>', '<|tool_call:args|>'],
      name: '<|tool_call:name|>',
      id: '',
      itemEnd: '<|tool_call:end|>',
    },
  },
  {
    id: 'functionary',
    openers: ['<|from|>assistant'],
    named: { item: '<|recipient|>', marks: ['<|content|>'] },
  },
  { id: 'functionary', standsAlone: true, named: { item: '>>>' } },
  { id: 'cohere', openers: ['<|START_ACTION|>'], closers: ['<|END_ACTION|>'] },
  { id: 'cohere', openers: ['Action:'], isShared: true, standsAlone: true },
  { id: 'internlm', openers: ['<|action_start|>'], then: ['<|plugin|>'], closers: ['<|action_end|>'] },
  { id: 'gigachat', openers: ['<|function_call|>'] },
  { id: 'gigachat', openers: ['<|message_sep|>'], then: ['function call', '<|role_sep|>'], isShared: true },
  {
    id: 'gigachat',
    openers: ['function call<|role_sep|>', 'function call'],
    isShared: true,
    standsAlone: true,
  },
  { id: 'apertus', openers: ['<|tools_prefix|>'], closers: ['<|tools_suffix|>'], isMap: true },
  // Nemotron; Hunyuan, Jamba, Apriel and MiniMax M1; Sarashina; LFM2; LM Studio.
  { id: 'tool-list', openers: ['<TOOLCALL>'], closers: ['</TOOLCALL>'] },
  { id: 'tool-list', openers: ['<tool_calls>'], closers: ['</tool_calls>'], isShared: true },
  { id: 'tool-list', openers: ['<|tool_calls|>'] },
  {
    id: 'lfm2',
    openers: ['<|tool_call_start|>'],
    closers: ['<|tool_call_end|>'],
    isShared: true,
  },
  { id: 'lm-studio', openers: ['[TOOL_REQUEST]'], closers: ['[END_TOOL_REQUEST]'], isShared: true },
  // MiniMax over some APIs.
  { id: 'minimax', openers: ['[TOOL_CALL]'], closers: ['[/TOOL_CALL]'], isShared: true },
];

export const framed: readonly Reader[] = frames.map(reader);

function reader(frame: Frame): Reader {
  const { id, openers = [], then = [], closers = [], named } = frame;
  return {
    id,
    openers: named ? [...openers, named.item] : openers,
    resultOpeners: [],
    ...(frame.standsAlone && { standsAlone: true }),
    *begins(cursor, opener, isLineStart, offset = 0) {
      const end = offset + opener.length;
      if (frame.standsAlone && !isLineStart) return false;
      if (named) return !frame.standsAlone || NAME.test(yield* cursor.char(end));
      return !frame.isShared || (yield* isFollowed(cursor, end, then));
    },
    *block(reply, opener) {
      const { cursor } = reply;
      const isOpened = openers.includes(opener);
      if (isOpened) cursor.take(opener.length);
      for (const mark of then) {
        if ((yield* takesMark(cursor, [mark])) === undefined) return false;
      }
      if (!named) return yield* readCalls(reply, frame);
      if (!(yield* readNamed(reply, named, closers))) {
        if (isOpened) yield* leaveBroken(cursor, closers);
        return false;
      }
      const isClosed = (yield* takesMark(cursor, closers)) !== undefined;
      return isClosed || !isOpened || closers.length === 0 || (yield* endsReply(cursor));
    },
  };
}

const NAME = /[\p{L}_]/u;

/** Whether JSON follows, or a fence around it, behind these marks. */
function* isFollowed(cursor: Cursor, from: number, marks: readonly string[]): Reading<boolean> {
  let end = yield* blanksEnd(cursor, from);
  for (const mark of marks) {
    if (!(yield* cursor.sees(mark, end))) return false;
    end = yield* blanksEnd(cursor, end + mark.length);
  }
  return /[{[`]/.test(yield* cursor.char(end));
}

/** Calls one behind the other: words that marks tell apart, then the arguments. */
function* readNamed(reply: ReplyWriter, named: Named, closers: readonly string[]): Reading<boolean> {
  const { cursor } = reply;
  const { item, marks = [], name = '', id, itemEnd } = named;
  for (let count = 0; ; count++) {
    const start = cursor.position;
    if ((yield* takesMark(cursor, [item])) === undefined) return count > 0;
    const words = new Map([['', yield* takeName(cursor)]]);
    for (let mark; (mark = yield* takesMark(cursor, marks)) !== undefined;)
      words.set(mark, yield* takeName(cursor));
    const head = named.name === undefined ? words.get('') : words.get(name) || words.get('');
    if (!head) {
      if (!(yield* readCalls(reply, {}))) return false;
    } else {
      const idHere = id === undefined ? undefined : words.get(id);
      if (!(yield* finishNamed(reply, { ...fromHead(head), ...(idHere && { id: idHere }), start })))
        return false;
    }
    if (itemEnd === undefined || (yield* takesMark(cursor, [itemEnd])) !== undefined) continue;
    // Its end may be missing where something else says that it has ended.
    const next = yield* seenOf(cursor, [item, ...closers], yield* blanksEnd(cursor, 0));
    if (next === undefined && !(yield* endsReply(cursor))) return false;
  }
}

/** Kimi's ids are `functions.name:number`. */
export function fromHead(head: string): { readonly name: string; readonly id?: string } {
  const [, name = head, number] = /^(?:functions\.)?(.+?)(:\d+)?$/.exec(head) ?? [];
  return number === undefined ? { name } : { name, id: head };
}
