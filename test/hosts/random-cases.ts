import fc from 'fast-check';

/** `npm run test:all` tries all cases; `npm run test:mutation`, which runs the tests thousands of times, only a few. */
const how = process.env['PARLEY_DRAWS'];
/** This is `npm run test:all`. */
export const isAll = how === 'all';

/**
 * The seed of all random cases. `npm test` always uses the same one, so that no change passes or fails by chance;
 * `npm run test:all` draws a new one and prints it.
 */
export const seed = Number(process.env['PARLEY_SEED'] ?? 4711);

/** `npm test` tries one of this many random cases. */
const SHARE = 20;
/** `npm test` tries one of this many cases of a list. */
const LIST_SHARE = 5;
/** `npm test` cuts a text at one of this many places. */
const CUT_SHARE = 4;
/** The mutation tests try one of this many cases. */
const FEW = 32;

/** The number of random cases to try: all of them in `npm run test:all`, a part in `npm test`. */
export function caseCount(all: number): number {
  return isAll ? all : Math.ceil(all / (how === 'few' ? FEW : SHARE));
}

/** The cases of a list to try: all of them, or every fifth. */
export function caseSample<T>(all: readonly T[]): readonly T[] {
  return isAll ? all : all.filter((_, at) => at % LIST_SHARE === seed % LIST_SHARE);
}

/**
 * The places where a text of this length is cut: all in `npm run test:all`. In `npm test` every fourth; texts of
 * different lengths begin at different places.
 */
export function cutPositions(length: number): readonly number[] {
  const all = Array.from({ length: Math.max(0, length - 1) }, (_, at) => at + 1);
  if (isAll) return all;
  const share = how === 'few' ? FEW : CUT_SHARE;
  return all.filter((at) => at % share === length % share);
}

fc.configureGlobal({ seed });
