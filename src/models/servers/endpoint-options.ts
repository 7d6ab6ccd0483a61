import type { OpenAiOptions } from '../openai';
import type { ModelProfile } from '../profiles';

type FromProfile = Pick<
  OpenAiOptions,
  'maxOutputTokens' | 'extraBody' | 'reasoning' | 'timeouts' | 'server' | 'asksProgress'
>;

/** What a profile, and what its server says of itself, decide about requests. */
export function endpointOptions(profile: ModelProfile): FromProfile {
  const { maxOutputTokens, extraBody, reasoning, timeouts, facts: { kind } = {} } = profile;
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(extraBody && { extraBody }),
    ...(reasoning && { reasoning }),
    ...(timeouts && { timeouts }),
    ...(kind && { server: () => kind }),
    // Others may refuse a field that they do not know.
    ...(kind === 'llamacpp' && { asksProgress: () => true }),
  };
}
