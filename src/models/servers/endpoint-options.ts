import { FORM_FIELDS } from '../form/form-fields';
import type { Forcing } from '../form/forcing';
import type { OpenAiOptions } from '../openai';
import { isNear } from '../place';
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

/** Whether replies are held to a form, and how their server takes it. */
export function forcingOptions(profile: ModelProfile): Pick<Forcing, 'mode' | 'server' | 'mayProbe'> {
  const { forcedForm = 'auto', provider, baseUrl = '', extraBody = {}, facts } = profile;
  const isOwn = FORM_FIELDS.some((name) => Object.hasOwn(extraBody, name));
  return {
    mode: isOwn ? 'off' : forcedForm,
    server: provider === 'ollama' ? provider : facts?.kind,
    mayProbe: isNear(baseUrl),
  };
}
