import type { RequestParts } from '../words/model';

/** For each part of a request: tokens of the model per token of the plain estimate. */
export interface Factors {
  readonly instructions: number;
  readonly tools: number;
  readonly conversation: number;
}

/** Limits of a factor: tokenizers differ, and so do the ways in which templates write tools. */
const [LEAST, MOST] = [0.5, 4];

/** How much the shared factor (the tokenizer) varies between models, as a standard deviation. */
const COMMON = 0.4;

/** How much each part varies by itself. Templates write tools in many ways, and some markers cost many tokens. */
const OWN = { instructions: 0.1, tools: 0.3, conversation: 0.1 };

/** The same for factors that were learned before. */
const KNOWN = 0.05;

/**
 * How much the factors drift between requests: the conversation mixes prose, code and languages, the rest hardly
 * changes.
 */
const DRIFT = { instructions: 0.002, tools: 0.002, conversation: 0.03 };

const PARTS = ['instructions', 'tools', 'conversation'] as const;

/**
 * Learns the factors of one model and protocol from the token counts of its server. There is one count for all parts,
 * so only changes from request to request tell the parts apart: a Kalman filter without measurement noise. It fits the
 * last count exactly and moves the least certain factors most. The conversation grows during a run, so the fixed parts
 * settle.
 */
export class Calibration {
  private values: readonly number[];
  private covariance: number[][];
  /** Whether anything was learned, here or before. */
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

  /** Estimates how many tokens a request with these parts takes. */
  estimate(parts: RequestParts): number {
    return this.product(parts);
  }

  /** Learns from the server's count, which must be of the whole request. */
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

  /** When a factor reaches its limit, the others absorb the rest. */
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
