import fc from 'fast-check';

/** All is tried by `npm run test:all`, few of it by `npm run test:mutation`, which reads thousands of times. */
const how = process.env['PARLEY_DRAWS'];
const isAll = how === 'all';

/**
 * What tests draw at random follows from it. `npm test` draws the same each time, so that chance decides over no change;
 * `npm run test:all` draws anew, and says from which seed.
 */
export const seed = Number(process.env['PARLEY_SEED'] ?? 4711);

/** `npm test` tries one of so many cases. */
const SHARE = 5;
/** The few are one of so many. */
const FEW = 32;

/** How many of so many random cases are tried: all of them by `npm run test:all`, a part by `npm test`. */
export function draws(all: number): number {
  return isAll ? all : Math.ceil(all / (how === 'few' ? FEW : SHARE));
}

/** The same of cases that stand in a list: all of them, or each fifth. */
export function drawn<T>(all: readonly T[]): readonly T[] {
  return isAll ? all : all.filter((_, at) => at % SHARE === seed % SHARE);
}

/** The places where a text of so many characters is cut: all, or a few that lie apart. */
export function cutsOf(length: number): readonly number[] {
  const all = Array.from({ length: Math.max(0, length - 1) }, (_, at) => at + 1);
  return how === 'few' ? all.filter((at) => at % FEW === 1) : all;
}

fc.configureGlobal({ seed });
