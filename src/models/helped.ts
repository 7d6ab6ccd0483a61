import { promptForm, type ModelProfile } from './profiles';

/** What a profile does not have yet of what may make its model do better. */
export function helpsFor(profile: ModelProfile): readonly ('short' | 'example' | 'cool')[] {
  const { extraBody = {} } = profile;
  const form = promptForm(profile);
  return [
    ...(form === 'short' ? [] : (['short'] as const)),
    ...(form === 'example' ? [] : (['example'] as const)),
    ...(Object.hasOwn(extraBody, 'temperature') ? [] : (['cool'] as const)),
  ];
}

/** The profile, whose replies vary so much. */
export function withTemperature(profile: ModelProfile, temperature: number): ModelProfile {
  return { ...profile, extraBody: { ...profile.extraBody, temperature } };
}
