import { blanksEnd, seenOf, type Cursor, type Reading } from './cursor';

/** Control tokens of chat templates that servers let through. */
export const SPECIAL_TOKENS: readonly string[] = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<｜end▁of▁sentence｜>',
];

/** Whether nothing but blanks and control tokens is left of the reply. */
export function* endsReply(cursor: Cursor): Reading<boolean> {
  let end = yield* blanksEnd(cursor, 0);
  for (let token; (token = yield* seenOf(cursor, SPECIAL_TOKENS, end)) !== undefined;)
    end = yield* blanksEnd(cursor, end + token.length);
  return (yield* cursor.char(end)) === '' && !cursor.isCut;
}
