/** Which protocols suit a model, by what it was trained on. */
export interface Suited {
  /** Used unless something else was chosen. */
  readonly protocol: string;
  /** For servers that take no tools, and for models that do not keep to the first. */
  readonly fallback: string;
}

/** The first row that fits counts. Names come in many spellings: `qwen/Qwen3-Coder-30B`, `deepseek-r1:7b`. */
const TABLE: readonly (readonly [RegExp, Suited])[] = [
  // Reasoning distills and older or small models were never trained on tools; raw values suit them for files.
  [/^deepseek-r1.*distill|^r1-distill/, { protocol: 'invoke', fallback: 'vcp' }],
  [
    /^(?:tinyllama|vicuna|codellama|starcoder|codegemma|deepseek-coder|llama-?2|phi-?[123](?!\d)|gemma-?[123]?(?:[-:]|$))/,
    { protocol: 'invoke', fallback: 'vcp' },
  ],
  [/^(?:gpt-|chatgpt|o\d|claude|gemini)/, { protocol: 'native', fallback: 'json' }],
  [/^qwen-?3-?coder|^qwen-?3\.5/, { protocol: 'native', fallback: 'qwen3-coder' }],
  [/^(?:qwen|qwq|hermes|nous-hermes|granite-?4)/, { protocol: 'native', fallback: 'hermes' }],
  [/^(?:glm|chatglm)/, { protocol: 'native', fallback: 'glm' }],
  [/^(?:deepseek|minimax)/, { protocol: 'native', fallback: 'invoke' }],
];

const UNKNOWN: Suited = { protocol: 'native', fallback: 'invoke' };

/** By the model's name as an endpoint knows it; the vendor in front of a slash does not count. */
export function suitedFor(model: string): Suited {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return TABLE.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN;
}
