const CALL = '<tool_call>{"name":"a","arguments":{}}</tool_call>';
const CODE_CALL = '<tool_code>{"name":"a","arguments":{}}</tool_code>';

/** Replies of about `size` characters without a line break, made to be scanned again and again. */
export const longLines: Readonly<Record<string, (size: number) => string>> = {
  'blocks in a wrapper that is none': (size) =>
    `<function_calls>${CODE_CALL.repeat(size / CODE_CALL.length)}</function_calls>x`,
  'calls behind a backtick': (size) => `\`</think>${CALL.repeat(size / CALL.length)}`,
  'foreign calls behind a backtick': (size) => `\`</think>${CODE_CALL.repeat(size / CODE_CALL.length)}`,
  'blanks in a name': (size) =>
    ['<tool_call>', '<tool_code>', '{"tool_calls":[']
      .map((opener) => `${opener}{"name":"x${' '.repeat(size / 3)}y"}`)
      .join(']}</tool_code></tool_call>'),
  'runs of backticks of every length': (size) =>
    Array.from({ length: Math.sqrt(2 * size) }, (_, at) => '`'.repeat(at + 1)).join('</think>'),
};
