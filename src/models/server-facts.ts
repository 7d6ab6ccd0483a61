/** The program or service behind an address, if it can be identified. */
export type ServerKind =
  | 'jan'
  | 'koboldcpp'
  | 'litellm'
  | 'llamacpp'
  | 'lmstudio'
  | 'localai'
  | 'mistral'
  | 'ollama'
  | 'openrouter'
  | 'sglang'
  | 'tabbyapi'
  | 'vllm';

/** What a server reports about itself and one of its models. Missing facts are absent. */
export interface ServerFacts {
  readonly kind?: ServerKind;
  /** Version of the server's software, as reported. */
  readonly version?: string;
  /** Context window of the model as it is served now, prompt and reply together. */
  readonly window?: number;
  /** Trained or maximum window of the model: the upper limit of `window`, never a window itself. */
  readonly trainedWindow?: number;
  /** Maximum tokens of one reply. */
  readonly maxOutput?: number;
  /** Accepts images. */
  readonly vision?: boolean;
  /** `false`: the model's template or its server drops native tools, so that the model never sees them. */
  readonly tools?: boolean;
  /** Writes reasoning before the answer. */
  readonly thinks?: boolean;
  /** Takes an effort of thinking, where the server says so apart from `thinks`. */
  readonly effort?: boolean;
  /** `false`: the server loads the model with its first request, so the window is not final yet. */
  readonly isLoaded?: boolean;
  /** The model can be loaded with a larger window. */
  readonly canLoad?: true;
  /** Number of weights of the model. */
  readonly parameters?: number;
}

/** A smaller value cannot be a window, and a larger one cannot be a token count. */
const LEAST = 128;
const MOST = 1_000_000_000;

/** A token count as a server reports it, or nothing if it cannot be one. */
export function tokenCount(value: unknown): number | undefined {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= LEAST && value <= MOST;
  return isCount ? value : undefined;
}

/** A number of weights as a server reports it: `1500000000`, or `1.5B`. */
export function parameterCount(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value > 0 ? value : undefined;
  const [, number, unit = ''] = /^\s*(\d{1,6}(?:\.\d{1,6})?)\s*([KMBT])\s*$/i.exec(String(value)) ?? [];
  const scale = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[unit.toUpperCase()];
  return number === undefined || scale === undefined ? undefined : parameterCount(Number(number) * scale);
}

/** All facts combined; the earlier answer to a question counts. */
export function mergeFacts(said: readonly ServerFacts[]): ServerFacts {
  return said.reduceRight((later, earlier) => ({ ...later, ...earlier }), {});
}
