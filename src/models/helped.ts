import { promptForm, type ModelProfile } from './profiles';

/** What a profile does not have yet of what may make its model do better. */
export function helpsFor(profile: ModelProfile): readonly ('short' | 'cool')[] {
  const { extraBody = {} } = profile;
  return [
    ...(promptForm(profile) === 'full' ? (['short'] as const) : []),
    ...(Object.hasOwn(extraBody, 'temperature') ? [] : (['cool'] as const)),
  ];
}

/** The profile, whose replies vary so much. */
export function withTemperature(profile: ModelProfile, temperature: number): ModelProfile {
  return { ...profile, extraBody: { ...profile.extraBody, temperature } };
}
