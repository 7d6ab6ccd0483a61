import type { JsonObject } from '../../base/json';

/**
 * Fields that a request can do without, with the other names under which refusals mention them. A field that is not
 * here changes what was asked for, so its refusal is shown.
 */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  max_tokens: [],
  max_completion_tokens: [],
  max_output_tokens: [],
  temperature: [],
  top_p: [],
  top_k: [],
  min_p: [],
  seed: [],
  stop: ['stop_sequences', 'stop sequences', 'stop words'],
  stream_options: ['include_usage'],
  presence_penalty: [],
  frequency_penalty: [],
  repeat_penalty: [],
  repetition_penalty: [],
  rep_pen: [],
  logit_bias: [],
  logprobs: [],
  top_logprobs: [],
  parallel_tool_calls: ['parallel tool calls'],
  reasoning_effort: [],
  verbosity: [],
  skip_special_tokens: [],
  return_progress: [],
  service_tier: [],
  prompt_cache_key: [],
  safety_identifier: [],
  store: [],
  metadata: [],
  user: [],
};

/** Older servers know the first name, OpenAI's reasoning models the second. */
const LIMITS: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

/** How an endpoint says that it does not take a field, or only its default. */
export const REFUSAL =
  /unsupported|n[o']t supported|not? support|n't support|not (?:permitted|allowed|accepted|available|recognized|valid)|unrecognized|unknown|unexpected|extra[ _](?:inputs?|fields?|forbidden)|forbidden|deprecated|only (?:the )?(?:default|\d)|incompatible|cannot be (?:used|specified|set)|cannot both|additional propert/i;

/** Other fields, which the endpoint takes. */
const TAKEN = /(?<!un)supported (?:parameters|fields|arguments|properties)\b[^]*$/i;

/** The fields of a body that a refusal is about. */
export function refusedFields(said: string, body: JsonObject): readonly string[] {
  const words = said.replace(TAKEN, '');
  if (!REFUSAL.test(words)) return [];
  const named = Object.entries(OPTIONAL).flatMap(([field, others]) => {
    const isNamed = Object.hasOwn(body, field) && [field, ...others].some((name) => names(words, name));
    return isNamed ? [field] : [];
  });
  // Two that exclude each other.
  return /\bboth\b/i.test(words) && named.length === 2 ? named.slice(1) : named;
}

/** Whether a text mentions a field; words that are not only names of fields must be marked as one. */
function names(text: string, field: string): boolean {
  const isWord = /^(?:stop|store|seed|user|metadata|verbosity|logprobs)$/.test(field);
  const [before, after] = isWord ? [MARKED, '(?=[\'"`,.:;)\\]]|\\s|$)'] : ['(?<![\\w])', '(?![\\w])'];
  return new RegExp(`${before}${field}${after}`, 'i').test(text);
}

const MARKED =
  '(?:[\'"`]|(?:param(?:eter)?|argument|field|propert(?:y|ie)|key)s?(?: supplied)?:? |body[.,\'" ]+|^)';

/** The body without these fields; a limit of tokens gets its other name first. */
export function withoutFields(body: JsonObject, fields: readonly string[]): JsonObject {
  const left = Object.entries(body).flatMap(([name, value]) => {
    if (!fields.includes(name)) return [[name, value] as const];
    const other = LIMITS[name];
    const isRenamed = other !== undefined && !fields.includes(other) && !Object.hasOwn(body, other);
    return isRenamed ? [[other, value] as const] : [];
  });
  return Object.fromEntries(left);
}
