import { promptForm, type ModelProfile } from './profiles';

/** Aids for the model that a profile does not use yet. */
export function helpsFor(profile: ModelProfile): readonly ('short' | 'example' | 'cool')[] {
  const { temperature, extraBody = {} } = profile;
  const form = promptForm(profile);
  return [
    ...(form === 'short' ? [] : (['short'] as const)),
    ...(form === 'example' ? [] : (['example'] as const)),
    ...(temperature !== undefined || Object.hasOwn(extraBody, 'temperature') ? [] : (['cool'] as const)),
  ];
}

/** The profile of a model with unstable replies. */
export function withTemperature(profile: ModelProfile, temperature: number): ModelProfile {
  return { ...profile, temperature };
}
