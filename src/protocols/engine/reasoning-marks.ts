/** What opens reasoning in a text, with what closes it. */
export const THINK_TAGS = new Map([
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  // MiniMax, Seed-OSS, LongCat, Hunyuan.
  ['<mm:think>', '</mm:think>'],
  ['<seed:think>', '</seed:think>'],
  ['<longcat_think>', '</longcat_think>'],
  ['<think:opensource>', '</think:opensource>'],
  // Mistral, Gemma 4, Cohere, Apertus, Kimi K3.
  ['[THINK]', '[/THINK]'],
  ['<|channel>thought', '<channel|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|open|>think<|sep|>', '<|close|>think<|sep|>'],
]);

/** A closing tag alone ends what the prompt opened, or is a leftover of the model's template. */
export const CLOSERS: readonly string[] = [
  ...THINK_TAGS.values(),
  // Apriel reasons in plain text.
  '[BEGIN FINAL RESPONSE]',
];

/** Gemma also ends whole answers with it. */
export const MAY_END_ANSWER = '<channel|>';

/** The same tag with a checkpoint's name after it: `<think:v2>`. */
export const NAMED = { opener: '<think:', closer: '</think:' };

/** Everything that opens or closes reasoning. */
export const THINK_TOKENS: readonly string[] = [...THINK_TAGS.keys(), ...CLOSERS, ...Object.values(NAMED)];

export function closerOf(opener: string): string {
  return THINK_TAGS.get(opener) ?? `</${opener.slice(1)}`;
}
