import { blanksEnd, seenOf, type Cursor, type Reading } from './cursor';

/** Texts that also have other meanings: they count only if nothing follows. */
const AMBIGUOUS: readonly string[] = ['</s>', '<sep>', '<bos>', '<eos>', '<|user|>', '<|observation|>'];

/** Control tokens of chat templates that servers pass on, and markers around the visible answer. */
export const SPECIAL_TOKENS: readonly string[] = [
  ...['<|im_end|>', '<|endoftext|>', '<|end_of_text|>', '<｜end▁of▁sentence｜>', '<｜hy_eos｜>'],
  // Llama, Muse, gpt-oss.
  ...['<|eot_id|>', '<|eom_id|>', '<|eot|>', '<|eom|>', '<|end|>', '<|call|>', '<|return|>'],
  // Gemma 4, MiniMax, Nemotron, GigaChat.
  ...['<turn|>', '<|tool_response>', '[e~[', '<SPECIAL_12>', '<|message_sep|>'],
  // Kimi K3, Inkling.
  ...['<|end_of_msg|>', '<|close|>response<|sep|>', '<|close|>message<|sep|>'],
  ...['<|end_message|>', '<|content_model_end_sampling|>'],
  // Phi, Granite, Apriel, Cohere.
  ...['<|/tool_call|>', '</function_call>', '[END FINAL RESPONSE]'],
  ...['<|END_OF_TURN_TOKEN|>', '<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'],
  ...AMBIGUOUS,
];

/** Whether a control token here is left out. */
export function* isDropped(cursor: Cursor, token: string): Reading<boolean> {
  if (!AMBIGUOUS.includes(token)) return true;
  return !(yield* cursor.need(token.length + AT_END)) && (yield* endsReply(cursor, token.length));
}

/** Maximum number of tokens examined. */
const TOKENS_AT_END = 8;
/** Maximum text after a last one. */
const AT_END = 256;

/** Whether only blanks and control tokens are left of the reply. */
export function* endsReply(cursor: Cursor, from = 0): Reading<boolean> {
  let end = yield* blanksEnd(cursor, from);
  for (let count = 0; count < TOKENS_AT_END; count++) {
    const token = yield* seenOf(cursor, SPECIAL_TOKENS, end);
    if (token === undefined) break;
    end = yield* blanksEnd(cursor, end + token.length);
  }
  return (yield* cursor.char(end)) === '' && !cursor.isCut;
}
