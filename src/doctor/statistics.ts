/** How often something went right. */
export interface Tally {
  readonly right: number;
  readonly n: number;
}

/** Shares between 0 and 1. */
export type Interval = readonly [low: number, high: number];

/** The normal distribution has 2.5 % on each side beyond this. */
const Z = 1.959964;

/** The 95 % interval of the true share (Wilson's). The whole range if nothing was counted. */
export function wilson({ right, n }: Tally): Interval {
  if (n === 0) return [0, 1];
  const share = right / n;
  const spread = Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2));
  const middle = share + Z ** 2 / (2 * n);
  const scale = 1 + Z ** 2 / n;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

/** The interval of the share of which all three attempts are right, given the interval for one attempt. */
export function threeInARow([low, high]: Interval): Interval {
  return [low ** 3, high ** 3];
}

/** Shares that differ by less count as equally good. */
const NEAR = 0.05;

/** Steps from 0 to 1, much finer than `NEAR`. */
const STEPS = 400;

/**
 * For each, the probability that its true share is within five points of the best, from 0 to 1. Before anything was
 * counted, every share is equally likely.
 */
export function chancesOfBest(tallies: readonly Tally[]): readonly number[] {
  const weights = tallies.map(posterior);
  const below = weights.map(sums);
  const shift = Math.round(NEAR * STEPS);
  return weights.map((own, at) => {
    const others = below.filter((_, other) => other !== at);
    return own.reduce((sum, weight, step) => {
      const upTo = Math.min(STEPS - 1, step + shift);
      return sum + others.reduce((product, each) => product * (each[upTo] ?? 1), weight);
    }, 0);
  });
}

/** The probability of each share, in steps; the sum is 1. (The beta distribution.) */
function posterior({ right, n }: Tally): readonly number[] {
  const logs = Array.from({ length: STEPS }, (_, step) => {
    const share = (step + 0.5) / STEPS;
    return right * Math.log(share) + (n - right) * Math.log(1 - share);
  });
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Cumulative sums. */
function sums(weights: readonly number[]): readonly number[] {
  let sum = 0;
  return weights.map((weight) => (sum += weight));
}
