import type { ToolCall, ToolResult } from '../words/messages';
import type { Usage } from '../words/model';

/** What one run may use until it pauses and asks; 0 means no limit. Settings under `parley.budget.*`. */
export interface Budget {
  readonly tokens: number;
  /** Minutes of work. Waiting for the user does not count. */
  readonly minutes: number;
  /** Dollars, if the model's profile states what tokens cost. */
  readonly cost: number;
}

const IDENTICAL_CALLS = 3;
const FAILED_CALLS = 10;
const MINUTE = 60_000;
/** Characters per token, for endpoints that do not report usage. */
const CHARACTERS_PER_TOKEN = 4;

/** What a run and its sub-agents have used together. */
export class Meter {
  private requests = 0;
  private used = 0;
  private spent = 0;
  private waiting = 0;
  private workedFor = 0;
  private since = performance.now();

  /** Requests to the model, including those of sub-agents. */
  get rounds(): number {
    return this.requests;
  }

  get tokens(): number {
    return this.used;
  }

  /** Dollars, as far as known. */
  get cost(): number {
    return this.spent;
  }

  /** Milliseconds of work so far. */
  get worked(): number {
    return this.workedFor + (this.waiting === 0 ? performance.now() - this.since : 0);
  }

  /** Adds one request. `characters` of it and its reply are used if the endpoint does not report usage. */
  add(usage: Usage | undefined, characters: number): void {
    this.requests++;
    this.spent += usage?.cost ?? 0;
    this.used += usage
      ? usage.inputTokens + usage.outputTokens
      : Math.ceil(characters / CHARACTERS_PER_TOKEN);
  }

  /** Time spent waiting for the user does not count. */
  async pausedWhile<T>(waiting: () => Promise<T>): Promise<T> {
    if (this.waiting++ === 0) this.workedFor += performance.now() - this.since;
    try {
      return await waiting();
    } finally {
      if (--this.waiting === 0) this.since = performance.now();
    }
  }
}

/** Tracks one loop: what it uses, and whether it makes progress. */
export class Spending {
  private lastCall = '';
  private identical = 0;
  private failed = 0;

  constructor(private readonly meter: Meter) {}

  /** Whether the model has made the same call so often in a row that it is not run again. */
  isRepetition({ name, arguments: args }: ToolCall): boolean {
    const call = `${name} ${JSON.stringify(args)}`;
    this.identical = call === this.lastCall ? this.identical + 1 : 1;
    this.lastCall = call;
    return this.identical >= IDENTICAL_CALLS;
  }

  add({ status }: ToolResult): void {
    this.failed = status === 'success' ? 0 : this.failed + 1;
  }

  /** Why the run has to pause now, as a sentence with the next step. */
  exceeded({ tokens, minutes, cost }: Budget): string | undefined {
    if (this.identical >= IDENTICAL_CALLS)
      return 'Paused: the model made the same call three times in a row. Continue, or tell it what to do instead.';
    if (this.failed >= FAILED_CALLS)
      return `Paused: ${this.failed} calls in a row failed. Continue, or tell the model what to do instead.`;
    if (tokens > 0 && this.meter.tokens >= tokens)
      return `Paused after ${this.meter.tokens.toLocaleString('en')} tokens. Continue for as many again, or raise "parley.budget.tokens".`;
    if (cost > 0 && this.meter.cost >= cost)
      return `Paused after $${this.meter.cost.toFixed(2)}. Continue for as much again, or raise "parley.budget.cost".`;
    if (minutes > 0 && this.meter.worked >= minutes * MINUTE)
      return minutes === 1
        ? 'Paused after 1 minute of work. Continue for as long again, or raise "parley.budget.minutes".'
        : `Paused after ${minutes} minutes of work. Continue for as long again, or raise "parley.budget.minutes".`;
    return undefined;
  }
}

/** Sent to a model that repeats a call. */
export const REPEATED =
  'Not executed: you just made the same call twice, with the results above. Use them, or do something else.';
