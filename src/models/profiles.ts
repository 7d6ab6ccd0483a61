import type { JsonObject } from '../base/json';

/** A model the user can pick. */
export interface ModelProfile {
  readonly id: string;
  readonly name?: string | undefined;
  readonly provider: 'openai' | 'demo';
  /** Of the Chat Completions API, usually ending in `/v1`. */
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
  readonly protocol?: string | undefined;
  /** Tokens. */
  readonly contextWindow?: number | undefined;
  /** Tokens. */
  readonly maxOutputTokens?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Merged into every request body. */
  readonly extraBody?: JsonObject | undefined;
}

/** Always there, so that Parley can be tried without a key or a network. */
export const demoProfile: ModelProfile = { id: 'demo', name: 'Demo (scripted)', provider: 'demo' };

export function findProfile(profiles: readonly ModelProfile[], id: string): ModelProfile | undefined {
  return [demoProfile, ...profiles].find((profile) => profile.id === id);
}
