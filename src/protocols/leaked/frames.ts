import { blanksEnd, seenOf, type Cursor, type Reading } from '../engine/cursor';
import type { Reader, ReplyWriter } from '../engine/reader';
import { endsReply } from '../engine/special-tokens';
import { finishNamed, leaveBroken, readCalls, takeName, takesMark } from './calls';

/** Calls between special tokens, any of which may be missing if another one identifies the place. */
interface Frame {
  readonly id: string;
  readonly openers?: readonly string[];
  /** What must follow the opener. */
  readonly then?: readonly string[];
  /** One of them, or the end of the reply, must follow the calls. */
  readonly closers?: readonly string[];
  /** The opener has other meanings too: it is this one if JSON follows. */
  readonly isShared?: boolean;
  readonly standsAlone?: boolean;
  readonly isMap?: boolean;
  /** Opens each call, also a block whose opener is missing. The name follows it, outside the JSON. */
  readonly item?: string;
  /** Each precedes a word or the arguments. */
  readonly marks?: readonly string[];
  /** The marker before name and id; without it, they are the first word. */
  readonly nameAt?: string;
  readonly idAt?: string;
  /** What may stand between the arguments and that. */
  readonly argumentsEnd?: string;
  readonly itemEnd?: string;
}

const deepSeek = (bar: string): Frame => ({
  id: 'deepseek',
  openers: [`<${bar}tool▁calls▁begin${bar}>`],
  closers: [`<${bar}tool▁calls▁end${bar}>`],
  item: `<${bar}tool▁call▁begin${bar}>`,
  // DeepSeek V3 and R1 write the kind first, and the name on a separate line.
  marks: [`<${bar}tool▁sep${bar}>`],
  nameAt: `<${bar}tool▁sep${bar}>`,
  itemEnd: `<${bar}tool▁call▁end${bar}>`,
});

function plamo(name: string): string {
  return `<|plamo:${name}:plamo|>`;
}

/** From the models' chat templates and their servers' parsers. */
const frames: readonly Frame[] = [
  { id: 'llama', openers: ['<|python_tag|>'] },
  { id: 'granite', openers: ['<|tool_call|>', '<function_call>'] },
  { id: 'phi', openers: ['functools'], standsAlone: true },
  { id: 'mistral', item: '[TOOL_CALLS]', marks: ['[CALL_ID]', '[ARGS]'], idAt: '[CALL_ID]' },
  deepSeek('｜'),
  deepSeek('|'),
  {
    id: 'kimi',
    openers: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'],
    closers: ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    item: '<|tool_call_begin|>',
    marks: ['<|tool_call_argument_begin|>'],
    itemEnd: '<|tool_call_end|>',
  },
  {
    id: 'solar',
    item: '<|tool_call:begin|>',
    marks: ['<|tool_call:name|>', '<|tool_call:args|>'],
    nameAt: '<|tool_call:name|>',
    idAt: '',
    itemEnd: '<|tool_call:end|>',
  },
  {
    id: 'plamo',
    openers: [plamo('begin_tool_requests')],
    closers: [plamo('end_tool_requests')],
    item: plamo('begin_tool_request'),
    marks: [
      ...['begin_tool_name', 'end_tool_name', 'begin_tool_arguments'].map(plamo),
      ...['<|plamo:constrain|>', '<|plamo:msg|>'],
    ],
    nameAt: plamo('begin_tool_name'),
    argumentsEnd: plamo('end_tool_arguments'),
    itemEnd: plamo('end_tool_request'),
  },
  { id: 'functionary', openers: ['<|from|>assistant'], item: '<|recipient|>', marks: ['<|content|>'] },
  { id: 'functionary', item: '>>>', standsAlone: true },
  { id: 'cohere', openers: ['<|START_ACTION|>'], closers: ['<|END_ACTION|>'] },
  { id: 'cohere', openers: ['Action:'], standsAlone: true },
  { id: 'internlm', openers: ['<|action_start|>'], then: ['<|plugin|>'], closers: ['<|action_end|>'] },
  { id: 'gigachat', openers: ['<|function_call|>'] },
  { id: 'gigachat', openers: ['<|message_sep|>'], then: ['function call', '<|role_sep|>'], isShared: true },
  { id: 'gigachat', openers: ['function call<|role_sep|>', 'function call'], standsAlone: true },
  { id: 'apertus', openers: ['<|tools_prefix|>'], closers: ['<|tools_suffix|>'], isMap: true },
  // Nemotron; Hunyuan, Jamba, Apriel and MiniMax M1; Sarashina; LFM2; LM Studio; MiniMax over some APIs.
  { id: 'tool-list', openers: ['<TOOLCALL>'], closers: ['</TOOLCALL>'] },
  { id: 'tool-list', openers: ['<tool_calls>'], closers: ['</tool_calls>'], isShared: true },
  { id: 'tool-list', openers: ['<|tool_calls|>'] },
  // Qwen2.5 writes the tag around its tools around its calls.
  { id: 'tool-list', openers: ['<tools>'], closers: ['</tools>'], isShared: true },
  { id: 'lfm2', openers: ['<|tool_call_start|>'], closers: ['<|tool_call_end|>'], isShared: true },
  { id: 'lm-studio', openers: ['[TOOL_REQUEST]'], closers: ['[END_TOOL_REQUEST]'], isShared: true },
  { id: 'minimax', openers: ['[TOOL_CALL]'], closers: ['[/TOOL_CALL]'], isShared: true },
  // What gateways write into a history.
  { id: 'calling', item: '[Calling tool: ', marks: ['('], itemEnd: ')]', standsAlone: true },
];

export const framed: readonly Reader[] = frames.map((frame) => {
  const { id, openers = [], then = [], closers = [], item, itemEnd, isShared, standsAlone } = frame;
  return {
    id,
    openers: item === undefined ? openers : [...openers, item],
    ...(!standsAlone && { closers: itemEnd === undefined ? closers : [...closers, itemEnd] }),
    resultOpeners: [],
    ...(standsAlone && { standsAlone }),
    *begins(cursor, opener, isLineStart, offset = 0) {
      if (!isShared && !standsAlone) return true;
      const end = offset + opener.length;
      if (standsAlone && !isLineStart) return false;
      return item ? NAME.test(yield* cursor.char(end)) : yield* isFollowed(cursor, end, then);
    },
    *block(reply, opener) {
      const { cursor } = reply;
      const isOpened = openers.includes(opener);
      if (isOpened) cursor.take(opener.length);
      for (const mark of then) {
        if ((yield* takesMark(cursor, [mark])) === undefined) return false;
      }
      if (item === undefined) return yield* readCalls(reply, frame);
      const isRead = yield* readNamed(reply, { ...frame, item }, isOpened && closers.length > 0 ? NOISE : 0);
      if (!isRead && isOpened) yield* leaveBroken(reply, closers);
      const isClosed = (yield* takesMark(cursor, closers)) !== undefined;
      return isRead && (isClosed || !isOpened || closers.length === 0 || (yield* endsReply(cursor)));
    },
  };
});

const NAME = /[\p{L}_]/u;
/** Maximum of meaningless text between the markers of a section. */
const NOISE = 16;

/** Whether JSON, or a fence around it, follows these markers. */
function* isFollowed(cursor: Cursor, from: number, marks: readonly string[]): Reading<boolean> {
  let end = yield* blanksEnd(cursor, from);
  for (const mark of marks) {
    if (!(yield* cursor.sees(mark, end))) return false;
    end = yield* blanksEnd(cursor, end + mark.length);
  }
  return /[{[`]/.test(yield* cursor.char(end));
}

/** Calls in sequence: words separated by markers, then the arguments. */
function* readNamed(
  reply: ReplyWriter,
  frame: Frame & { readonly item: string },
  noise: number,
): Reading<boolean> {
  const { cursor } = reply;
  const { item, marks = [], nameAt = '', idAt = '[none]', argumentsEnd, itemEnd, closers = [] } = frame;
  for (let count = 0; ; count++) {
    const start = cursor.position;
    yield* cursor.takeWhile((char) => !/[\p{L}\p{N}<[{]/u.test(char), noise);
    if ((yield* takesMark(cursor, [item])) === undefined) return count > 0;
    const words = new Map([['', yield* takeName(cursor)]]);
    for (let mark; (mark = yield* takesMark(cursor, marks)) !== undefined;)
      words.set(mark, yield* takeName(cursor));
    const { name, id } = fromHead(words.get(nameAt) || words.get('') || '');
    const isRead =
      name === ''
        ? yield* readCalls(reply, {})
        : yield* finishNamed(reply, { name, id: words.get(idAt) ?? id, start });
    if (!isRead) return false;
    if (argumentsEnd !== undefined) yield* takesMark(cursor, [argumentsEnd]);
    if (itemEnd === undefined || (yield* takesMark(cursor, [itemEnd])) !== undefined) continue;
    // Its end may be missing if something else shows that it has ended.
    const next = yield* seenOf(cursor, [item, ...closers], yield* blanksEnd(cursor, 0));
    if (next === undefined && !(yield* endsReply(cursor))) return false;
  }
}

/** Kimi's ids are `functions.name:number`. */
export function fromHead(head: string): { readonly name: string; readonly id: string } {
  const [, name = head, number] = /^(?:functions\.)?(.+?)(:\d+)?$/.exec(head) ?? [];
  return { name, id: number === undefined ? '' : head };
}
