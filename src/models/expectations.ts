import type { ModelProfile } from './profiles';
import { parametersOf } from './steps';

/**
 * What to expect. `hardly-calls`: even reads and small edits rarely work. `small-edits`: these work, tests rarely do.
 * `short-tasks`: these usually work, long ones rarely; no model of this size was measured.
 */
export interface Expectation {
  readonly ability: 'hardly-calls' | 'small-edits' | 'short-tasks';
  readonly measured?: Measured;
}

/** Jobs that a model solved, and all that it was given, over all seeds. */
export interface Measured {
  readonly solved: number;
  readonly of: number;
}

/**
 * What `npm run bench:jobs` measured, by the names that servers write: the column *solved* of the row of this model with
 * the setting `auto`, in the table of `test/bench/jobs/README.md`. Until there is such a row, `measured` is left out,
 * and no figure is shown.
 */
const MEASURED: readonly { readonly name: RegExp; readonly measured?: Measured }[] = [
  { name: /qwen-?2\.5-coder[-:]1\.5b/i },
];

/** By the number of weights, smallest first; a model belongs to the first row that it is below. */
const BY_SIZE: readonly (Pick<Expectation, 'ability'> & { readonly below: number })[] = [
  { below: 0.7e9, ability: 'hardly-calls' },
  { below: 4e9, ability: 'small-edits' },
  { below: 15e9, ability: 'short-tasks' },
];

/** What to expect of the model of a profile; nothing if its size is not known, or not small. */
export function expectationOf(
  profile: Pick<ModelProfile, 'model' | 'facts'>,
  table = MEASURED,
): Expectation | undefined {
  const parameters = parametersOf(profile);
  const size = BY_SIZE.find(({ below }) => parameters !== undefined && parameters < below);
  if (!size) return undefined;
  const { ability } = size;
  const measured = table.find(({ name }) => name.test(profile.model ?? ''))?.measured;
  return { ability, ...(measured && { measured }) };
}
