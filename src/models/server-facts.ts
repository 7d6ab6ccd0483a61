/** The program or service behind an address, where it can be told apart. */
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

/** What a server says of itself and of one of its models. What it does not say is not there. */
export interface ServerFacts {
  readonly kind?: ServerKind;
  /** Of the server's software, as it writes it. */
  readonly version?: string;
  /** Tokens that the model takes in as it is served now, prompt and reply together. */
  readonly window?: number;
  /** Tokens that the model was trained for, or could be loaded with: the most that `window` can be, never a window itself. */
  readonly trainedWindow?: number;
  /** Tokens, the most of one reply. */
  readonly maxOutput?: number;
  /** Takes images. */
  readonly vision?: boolean;
  /** `false`: the model's template or its server drops native tools, so that the model never sees them. */
  readonly tools?: boolean;
  /** Writes its reasoning before the answer. */
  readonly thinks?: boolean;
  /** `false`: the server knows the model and loads it with its first request, so the window is not settled yet. */
  readonly isLoaded?: boolean;
  /** It can be told to load the model with a larger window. */
  readonly canLoad?: true;
}

/** A window below this is no window, and above it no number of tokens. */
const LEAST = 128;
const MOST = 1_000_000_000;

/** A number of tokens as a server says it, or nothing where it cannot be one. */
export function tokenCount(value: unknown): number | undefined {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= LEAST && value <= MOST;
  return isCount ? value : undefined;
}

/** All that was said; of two answers to one question the earlier counts. */
export function mergeFacts(said: readonly ServerFacts[]): ServerFacts {
  return said.reduceRight((later, earlier) => ({ ...later, ...earlier }), {});
}
