import type { Steps } from '../core/words/grammar';
import type { ModelProfile } from './profiles';
import { parameterCount } from './server-facts';

/** Models with fewer parameters work in steps of one call. */
const SMALL = 4e9;

/**
 * How the model of a profile works: as its profile says, otherwise as the doctor recommends, otherwise by its size, as far
 * as that is known.
 */
export function stepsOf(profile: Pick<ModelProfile, 'steps' | 'model' | 'facts' | 'work'>): Steps {
  const { steps = 'auto', work } = profile;
  if (steps !== 'auto') return steps;
  if (work?.steps !== undefined) return work.steps;
  const parameters = parametersOf(profile);
  return parameters !== undefined && parameters < SMALL ? 'one' : 'many';
}

/** The number of weights, as the server reports it or the name tells it. */
export function parametersOf({
  model = '',
  facts,
}: Pick<ModelProfile, 'model' | 'facts'>): number | undefined {
  return facts?.parameters ?? namedParameters(model);
}

/**
 * The number of weights that a model's name tells: `Qwen2.5-Coder-1.5B-Instruct`, `smollm2-135m`, `llama3.2:3b`. For
 * `30B-A3B` it is the whole model; what is active at a time says nothing about what it can hold.
 */
export function namedParameters(model: string): number | undefined {
  // Millions have three digits: `1M` is the window of some models.
  const sizes = [...model.matchAll(/(?<![a-z0-9.])(\d{1,4}(?:\.\d{1,3})?b|\d{3}m)(?![a-z0-9])/gi)];
  const counts = sizes.flatMap(([size]) => parameterCount(size) ?? []);
  return counts.length === 0 ? undefined : Math.max(...counts);
}
