import type { RequestParts } from '../words/model';

/** How many tokens of a model one token of the plain estimate is, for each part of a request. */
export interface Factors {
  readonly instructions: number;
  readonly tools: number;
  readonly conversation: number;
}

/** How far the plain estimate may be off for good: other tokenizers, templates that write tools in another way. */
const [LEAST, MOST] = [0.5, 4];

/** What all parts have in common (the tokenizer) varies so much between models, as a standard deviation. */
const COMMON = 0.4;

/** What each part has of its own. Templates write tools in many ways, and some marks cost a tokenizer dearly. */
const OWN = { instructions: 0.1, tools: 0.3, conversation: 0.1 };

/** Where they were learned before. */
const KNOWN = 0.05;

/** What changes from one request to the next: prose, code and other languages in the conversation, nothing else. */
const DRIFT = { instructions: 0.002, tools: 0.002, conversation: 0.03 };

const PARTS = ['instructions', 'tools', 'conversation'] as const;

/**
 * Learns the factors of one model and protocol from what its server counts. There is one count for all parts, so it is
 * the change from request to request that tells them apart: a Kalman filter without measuring noise. It fits the last
 * count exactly and moves most what is least known; in a run the conversation grows, so the fixed parts settle.
 */
export class Calibration {
  private values: readonly number[];
  private covariance: number[][];
  /** Something was learned, here or before. */
  isKnown: boolean;

  constructor(known?: Factors, guess?: Factors) {
    this.isKnown = known !== undefined;
    const start = known ?? guess;
    this.values = PARTS.map((part) => within(start?.[part] ?? 1));
    this.covariance = PARTS.map((row, at) =>
      PARTS.map((_, column) => {
        const own = known ? KNOWN : OWN[row];
        return (known ? 0 : COMMON ** 2) + (at === column ? own ** 2 : 0);
      }),
    );
  }

  get factors(): Factors {
    const [instructions = 1, tools = 1, conversation = 1] = this.values;
    return { instructions, tools, conversation };
  }

  /** About how many tokens a request with these parts takes. */
  estimate(parts: RequestParts): number {
    return this.product(parts);
  }

  /** Takes in what the server has counted. The count has to be of the whole request. */
  learn(parts: RequestParts, counted: number): void {
    const seen = PARTS.map((part) => parts[part]);
    const spread = this.covariance.map((row) => dot(row, seen));
    const variance = dot(spread, seen);
    if (!(variance > 0) || !Number.isFinite(counted)) return;
    const gain = spread.map((each) => each / variance);
    const missing = counted - this.product(parts);
    this.values = this.values.map((value, at) => within(value + (gain[at] ?? 0) * missing));
    this.fit(seen, counted);
    this.covariance = this.covariance.map((row, at) =>
      row.map((value, column) => {
        const drift = at === column ? DRIFT[PARTS[at] ?? 'conversation'] ** 2 : 0;
        return value - (gain[at] ?? 0) * (spread[column] ?? 0) + drift;
      }),
    );
    this.isKnown = true;
  }

  /** Where a factor has met its bound, the others take the rest. */
  private fit(seen: readonly number[], counted: number): void {
    for (let pass = 0; pass < PARTS.length; pass++) {
      const missing = counted - dot(this.values, seen);
      const free = this.values.map((value) => (missing > 0 ? value < MOST : value > LEAST));
      const weight = seen.reduce((sum, each, at) => sum + (free[at] ? each : 0), 0);
      if (Math.abs(missing) < 1e-6 || weight === 0) return;
      this.values = this.values.map((value, at) => (free[at] ? within(value + missing / weight) : value));
    }
  }

  private product(parts: RequestParts): number {
    return dot(
      this.values,
      PARTS.map((part) => parts[part]),
    );
  }
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, each, at) => sum + each * (other[at] ?? 0), 0);
}

function within(factor: number): number {
  return Number.isFinite(factor) ? Math.min(MOST, Math.max(LEAST, factor)) : 1;
}
