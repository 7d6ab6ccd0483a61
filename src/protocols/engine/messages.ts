import { afterUnclosed } from './calls';
import type { Code } from './code';
import type { Cursor, Reading } from './cursor';
import type { Reader, ReplyWriter } from './reader';
import { callInReasoning } from './reasoning';

export type MessageKind = 'reasoning' | 'answer' | 'user' | 'text' | 'call';

/**
 * Messages of harmony (gpt-oss), Muse, Inkling and Kimi K3: a header names the addressee of a part of the reply.
 * Servers that do not parse them pass their markers on.
 */
interface Header {
  /** Length of the header here. */
  readonly length: number;
  /**
   * An answer is not searched for foreign forms, a message to the user for no forms at all; a call has another
   * recipient.
   */
  readonly kind: MessageKind;
  /** The recipient, as written; usually empty. */
  readonly recipient: string;
}

/** What may begin a header. The first one is at the beginning of a reply whose prompt ends inside a header. */
export const HEADER_OPENERS: readonly string[] = [
  ...['to=', '<|start|>assistant', '<|channel|>', '<|message_model|>', '<|open|>'],
  ...['<|content_text|>', '<|content_thinking|>'],
  ...['<|content_invoke_tool_text|>', '<|content_invoke_tool_json|>'],
];

/** What ends a message, including one whose own end is missing. */
export const MESSAGE_ENDS: readonly string[] = [
  ...['<|end|>', '<|call|>', '<|return|>', '<|start|>', '<|channel|>'],
  ...['<|eom|>', '<|eot|>', '<|end_message|>', '<|message_model|>', '<|close|>'],
];

const HARMONY =
  /^(?:<\|start\|>\s*assistant\s*)?(?:<\|channel\|>\s*commentary\s+to=assistant\s*)*(?:to=(?<early>[^\s<]+)\s*)?(?:<\|channel\|>\s*(?<kind>analysis|commentary|final)\s*)?(?:to=(?<late>[^\s<]+)\s*)?(?:<\|constrain\|>\s*)?\w*\s*<\|message\|>$/;
const INKLING = /^(?:<\|message_model\|>)?\s*(?<early>[^\s<]*)\s*<\|content_(?<kind>\w+)\|>$/;
const KIMI_K3 = /^<\|open\|>\s*(?<kind>response|message)\b[^<]*<\|sep\|>$/;

const KINDS: Readonly<Record<string, MessageKind>> = {
  ...{ analysis: 'reasoning', commentary: 'text', final: 'answer' },
  ...{ self: 'reasoning', user: 'user', assistant: 'text', all: 'text' },
  ...{ text: 'answer', thinking: 'reasoning', invoke_tool_text: 'answer', invoke_tool_json: 'call' },
  ...{ response: 'answer', message: 'text' },
};

/** The last marker of a header. */
const LAST_MARK = /<\|(?:message|content_\w+|sep)\|>/;
/** Longer ones are text. */
const HEADER_LIMIT = 256;

/** The header at an offset; takes nothing. */
export function* headerHere(cursor: Cursor, offset = 0): Reading<Header | undefined> {
  for (;;) {
    const near = cursor.unread.slice(offset, offset + HEADER_LIMIT);
    const last = LAST_MARK.exec(near);
    if (last) return headerIn(near.slice(0, last.index + last[0].length));
    if (near.length === HEADER_LIMIT || !(yield* cursor.need(offset + near.length + 1))) return undefined;
  }
}

function headerIn(text: string): Header | undefined {
  const fields = (HARMONY.exec(text) ?? INKLING.exec(text) ?? KIMI_K3.exec(text))?.groups;
  if (!fields) return undefined;
  const recipient = fields['early'] || fields['late'] || '';
  // Inkling's name is not a recipient: its kind is sufficient.
  const to = text.endsWith('<|message|>') ? recipient : '';
  const kind = to ? (KINDS[to] ?? 'call') : (KINDS[fields['kind'] || 'final'] ?? 'text');
  return { length: text.length, recipient, kind };
}

/** Drops the header of a message that is not a call, and passes on its text by its kind. Returns the kind. */
export function* readHeader(
  reply: ReplyWriter,
  reader: Reader,
  code: Code,
): Reading<MessageKind | undefined> {
  const { cursor } = reply;
  const header = yield* headerHere(cursor);
  // Calls have other readers. The rest of a call's header is not a header, and Muse's tagged calls are not messages.
  const isCall = header?.kind === 'call' || PART_OF_CALL.test(code.before);
  if (!header || (isCall && !(yield* cursor.sees('<', header.length)))) return undefined;
  cursor.take(header.length);
  code.newLine();
  if (header.kind === 'reasoning') yield* takeReasoning(reply, reader);
  return header.kind;
}

const PART_OF_CALL = /\bto=[^\s<]+\s*$/;

function* takeReasoning(reply: ReplyWriter, reader: Reader): Reading<void> {
  const { cursor } = reply;
  const start = cursor.position;
  const seen = { code: false, call: false };
  const thought: string[] = [];
  const add = (piece: string): void => {
    thought.push(piece);
    reply.reasoning(piece);
    seen.code ||= piece.includes('`');
  };
  const marks = [...MESSAGE_ENDS, ...reader.openers];
  let end = yield* cursor.upTo(marks, add);
  while (end !== undefined && !MESSAGE_ENDS.includes(end)) {
    seen.call ||= !reader.begins || (yield* reader.begins(cursor, end, false));
    add(cursor.take(end.length));
    end = yield* cursor.upTo(marks, add);
  }
  const span = { start, end: cursor.position };
  // The end of another message may be an example, if this message's end is missing.
  if (seen.code && end !== '<|end|>') reply.markRepaired(afterUnclosed(span));
  // Another header in it shows that its own end is missing.
  const text = thought.join('');
  const isOpen = end === undefined || LAST_MARK.test(text);
  if (isOpen && (seen.call || reply.lostForm(text) !== undefined)) reply.warn(callInReasoning(span));
}
