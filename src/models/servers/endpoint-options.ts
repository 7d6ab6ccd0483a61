import { FORM_FIELDS } from '../form/form-fields';
import type { ConstrainOptions } from '../form/constrained-output';
import type { OpenAiOptions } from '../openai';
import { isNear } from '../place';
import { apiOf, type ModelProfile } from '../profiles';
import { stepsOf } from '../steps';

type FromProfile = Pick<
  OpenAiOptions,
  | 'api'
  | 'effort'
  | 'cache'
  | 'maxOutputTokens'
  | 'sampling'
  | 'extraBody'
  | 'reasoning'
  | 'timeouts'
  | 'server'
  | 'asksProgress'
>;

/** Request options from a profile and the facts of its server. */
export function endpointOptions(profile: ModelProfile): FromProfile {
  const { maxOutputTokens, extraBody, reasoning, timeouts, facts: { kind } = {} } = profile;
  const { temperature = coolFor(profile), topP, seed, effort, cache } = profile;
  return {
    api: apiOf(profile),
    ...(effort !== undefined && { effort }),
    ...(cache !== undefined && { cache }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    sampling: { temperature, topP, seed },
    ...(extraBody && { extraBody }),
    ...(reasoning && { reasoning }),
    ...(timeouts && { timeouts }),
    ...(kind && { server: () => kind }),
    // Other servers may refuse an unknown field.
    ...(kind === 'llamacpp' && { asksProgress: () => true }),
  };
}

/** Whether the form of replies is enforced, and how the server supports it. */
export function constrainOptions(
  profile: ModelProfile,
): Pick<ConstrainOptions, 'mode' | 'server' | 'mayProbe'> {
  const { forcedForm = 'auto', provider, baseUrl = '', extraBody = {}, facts } = profile;
  const isOwn = FORM_FIELDS.some((name) => Object.hasOwn(extraBody, name));
  return {
    mode: isOwn || apiOf(profile) !== 'chat' ? 'off' : forcedForm,
    server: provider === 'ollama' ? provider : facts?.kind,
    mayProbe: isNear(baseUrl),
  };
}

/** Steps are short and should say what is most likely. */
const COOL = 0.2;

function coolFor(profile: ModelProfile): number | undefined {
  return stepsOf(profile) === 'one' ? COOL : undefined;
}
