import type { Reading } from './cursor';
import type { ReplyWriter } from './reader';

/** Texts in which a call is only repeated: results, and quotations in a sentence. */

const BARS = ['｜', '|'];

/** What opens a result, in Parley's forms and in those of chat templates, with what closes it. */
export const RESULT_WRAPPERS: ReadonlyMap<string, string> = new Map([
  ['<tool_response>', '</tool_response>'],
  ['<tool_responses>', '</tool_responses>'],
  ['<tool_result>', '</tool_result>'],
  ['<tool_results>', '</tool_results>'],
  ['<tool_output>', '</tool_output>'],
  ['<function_results>', '</function_results>'],
  ['<function_response>', '</function_response>'],
  ['<function_result>', '</function_result>'],
  ['<<<[TOOL_RESULT]>>>', '<<<[END_TOOL_RESULT]>>>'],
  // Mistral, Gemma.
  ['[TOOL_RESULTS]', '[/TOOL_RESULTS]'],
  ['<|tool_response>', '<tool_response|>'],
  ['<start_function_response>', '<end_function_response>'],
  // DeepSeek, Cohere, LFM2.
  ...BARS.flatMap((bar) =>
    ['outputs', 'output'].map(
      (what) => [`<${bar}tool▁${what}▁begin${bar}>`, `<${bar}tool▁${what}▁end${bar}>`] as const,
    ),
  ),
  ['<|START_TOOL_RESULT|>', '<|END_TOOL_RESULT|>'],
  ['<|tool_response_start|>', '<|tool_response_end|>'],
]);

/** Quotation marks, with those that end what they begin. */
const QUOTATIONS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['„', '“”'],
  ['‚', '‘’'],
  ['«', '»'],
  ['»', '«'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
  ['＂', '＂'],
]);

/** What would end a quotation that begins with the last character of a text; empty if it is no quotation mark. */
export function quotationEnds(before: string): string {
  return QUOTATIONS.get(before.at(-1) ?? '') ?? '';
}

/** Whether a stretch of a text stands between quotation marks. */
export function isQuotedIn(text: string, start: number, end: number): boolean {
  const closer = text[end];
  return closer !== undefined && quotationEnds(text.slice(0, start)).includes(closer);
}

/** Whether text is a part of a sentence. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/**
 * Takes a result that the model repeats, up to its closer: what looks like a call in it is text. Without one it is read
 * again, and calls in it count as repaired.
 */
export function* takeRepeatedResult(reply: ReplyWriter, opener: string, closer: string): Reading<void> {
  const { cursor } = reply;
  const pieces: string[] = [];
  const found = yield* cursor.upTo([closer], (piece) => pieces.push(piece));
  const text = pieces.join('');
  if (found !== undefined) reply.text(opener + text + cursor.take(closer.length), true);
  else if (reply.putBackSwallowed(text)) reply.text(opener);
  else reply.text(opener + text);
}
