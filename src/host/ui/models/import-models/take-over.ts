import type { FoundModel, ReadModel } from '../../../../models/imports/found-model';
import { apiOf, withAddress, type ModelProfile } from '../../../../models/profiles';
import { newProfile } from '../add-model/draft';
import type { OwnProfile } from '../own-models';

/** Profiles of all these, without their keys. */
export function profilesFrom(
  found: readonly FoundModel[],
  profiles: readonly ModelProfile[],
): readonly OwnProfile[] {
  const made: OwnProfile[] = [];
  for (const each of found) made.push(newProfile({ ...each, words: each.name }, [...profiles, ...made]));
  return made;
}

/** Whether a profile reaches the same model at the same address over the same API. */
export function isKnown(found: FoundModel, profiles: readonly ModelProfile[]): boolean {
  return profiles.some(
    (profile) => endpointOf(profile) === endpointOf(found) && profile.model === found.model,
  );
}

/** Ollama is at the same address under two providers. */
function endpointOf(profile: Pick<ModelProfile, 'provider' | 'baseUrl' | 'api'>): string {
  const { provider, baseUrl } = profile;
  if (provider === 'vscode') return 'vscode';
  const { baseUrl: address = '' } = withAddress({
    id: '',
    provider,
    ...(baseUrl !== undefined && { baseUrl }),
  });
  return `${apiOf(profile)} ${address.replace('//localhost', '//127.0.0.1').replace(/\/v1$/, '')}`;
}

/** Each model once, in the order found; one with a key wins over the same without. */
export function withoutTwins(read: readonly ReadModel[]): readonly ReadModel[] {
  const isSame = (a: FoundModel, b: FoundModel): boolean =>
    a.model === b.model && endpointOf(a) === endpointOf(b);
  const all: ReadModel[] = [];
  for (const each of read) {
    const at = all.findIndex((other) =>
      other.type === 'found' && each.type === 'found' ? isSame(other, each) : false,
    );
    const twin = all[at];
    if (twin?.type !== 'found' || each.type !== 'found') all.push(each);
    else if (twin.key === undefined && each.key !== undefined) all[at] = { ...twin, key: each.key };
  }
  return all;
}

/** Keys of these models, one per origin: the first one counts. */
export function keysOf(found: readonly FoundModel[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const each of found) {
    const { baseUrl } = withAddress({ id: '', provider: each.provider, baseUrl: each.baseUrl });
    if (each.key === undefined || baseUrl === undefined) continue;
    const { origin } = new URL(baseUrl);
    if (!keys.has(origin)) keys.set(origin, each.key);
  }
  return keys;
}
