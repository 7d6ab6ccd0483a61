import fc from 'fast-check';

/** Whether this is a run of `npm run test:all`. */
const isAll = process.env['PARLEY_DRAWS'] === 'all';

/**
 * What tests draw at random follows from it. `npm test` draws the same each time, so that chance decides over no change;
 * `npm run test:all` draws anew, and says from which seed.
 */
export const seed = Number(process.env['PARLEY_SEED'] ?? 4711);

/** `npm test` tries one of so many cases. */
const SHARE = 5;

/** How many of so many random cases are tried: all of them by `npm run test:all`, a part by `npm test`. */
export function draws(all: number): number {
  return isAll ? all : Math.ceil(all / SHARE);
}

/** The same of cases that stand in a list: all of them, or each fifth. */
export function drawn<T>(all: readonly T[]): readonly T[] {
  return isAll ? all : all.filter((_, at) => at % SHARE === seed % SHARE);
}

fc.configureGlobal({ seed });
