/** What gives a reply away, in the order in which it is looked for. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/^\s*data:/, 'native'],
  [/<<<\[TOOL_REQUEST\]>>>/, 'vcp'],
  [/<tool_code>/, 'xml'],
  [/<tool_call>|<function=/, 'hermes'],
  [/function_calls>|<minimax:tool_call>|<invoke /, 'invoke'],
  [/"action"\s*:\s*"(?:tool_call|finish)"/, 'envelope'],
  [/"tool_calls"\s*:/, 'json'],
];

/** The id of the protocol that a recorded reply is written in; one without any sign is read as plain text. */
export function detectProtocol(reply: string): string {
  return SIGNS.find(([sign]) => sign.test(reply))?.[1] ?? 'vcp';
}
