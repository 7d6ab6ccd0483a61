import { pause } from '../base/async';
import type { Model, ModelDelta, ModelFailure, ModelRequest, RetryHint } from '../core/words/model';
import { attempt } from './layer';

// Times in seconds.
const TRIES = 5;
const FIRST_DELAY = 1;
const DELAY_FACTOR = 2;
const DELAY_MOST = 60;
const RETRY_AFTER_MOST = 120;
const TOTAL = 600;
/** Pause between two requests to a server that is not ready yet, and its maximum. */
const READY_LEAST = 2;
const READY_MOST = 5;
const READY_AFTER_MOST = 30;

type Waiting = NonNullable<RetryHint['waiting']>;

/** What determines the time of the next attempt. */
export interface RetryClock {
  /** Monotonic milliseconds. */
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Resolves after this many milliseconds, or at once when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const realClock: RetryClock = { now: () => performance.now(), random: () => Math.random(), pause };

/**
 * Sends a request again a few times while nothing of its reply has arrived and the failure may be
 * temporary. Each pause is reported as a `retry`, and a stop ends it at once. A server that is not ready yet is asked
 * until it is, within its time limit, reported as a `progress`.
 */
export function retrying(model: Model, clock: RetryClock = realClock): Model {
  return { name: model.name, stream: (request, signal) => stream(model, request, signal, clock) };
}

async function* stream(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  clock: RetryClock,
): AsyncGenerator<ModelDelta, void, undefined> {
  const isStopped = (): boolean => signal.aborted;
  const patience = new Patience(clock);
  for (;;) {
    const failed = yield* attempt(model, request, signal);
    if (!failed || isStopped()) return;
    const { failure } = failed;
    const next = patience.after(failure);
    if (next.type === 'give-up') {
      yield { type: 'failure', failure: lastWord(failure) };
      return;
    }
    if (next.say) yield next.say;
    await clock.pause(next.waitMs, signal);
    if (isStopped()) return;
  }
}

type Next =
  | { readonly type: 'give-up' }
  | { readonly type: 'wait'; readonly waitMs: number; readonly say?: ModelDelta };

/** Decides after each failure of one request whether and when it is sent again. */
class Patience {
  private readonly start: number;
  private attempt = 1;
  /** How long the server has not been ready, and why. */
  private waitingSince: number | undefined;
  private stage: 'loading' | 'busy' | undefined;

  constructor(private readonly clock: RetryClock) {
    this.start = clock.now();
  }

  after({ retry }: ModelFailure): Next {
    if (!retry) return { type: 'give-up' };
    return retry.waiting ? this.wait(retry, retry.waiting) : this.again(retry);
  }

  /** Time until the server is ready counts for nothing else. */
  private wait({ afterMs = 0 }: RetryHint, { stage, withinMs }: Waiting): Next {
    const now = this.clock.now();
    this.waitingSince ??= now;
    if (now - this.waitingSince >= withinMs) return { type: 'give-up' };
    const pause = (READY_LEAST + (READY_MOST - READY_LEAST) * this.clock.random()) * 1000;
    const left = this.waitingSince + withinMs - now;
    const waitMs = Math.min(left, Math.max(Math.round(pause), Math.min(afterMs, READY_AFTER_MOST * 1000)));
    const isNews = this.stage !== stage;
    this.stage = stage;
    return { type: 'wait', waitMs, ...(isNews && { say: { type: 'progress', stage } }) };
  }

  private again(retry: RetryHint): Next {
    const tries = Math.min(TRIES, retry.tries ?? TRIES);
    const waitMs = delay(retry, this.attempt, this.clock.random());
    const waited = this.waitingSince === undefined ? 0 : this.clock.now() - this.waitingSince;
    const isOver = waitMs === undefined || this.clock.now() - this.start - waited + waitMs > TOTAL * 1000;
    if (this.attempt >= tries || isOver) return { type: 'give-up' };
    this.attempt++;
    this.stage = undefined;
    return { type: 'wait', waitMs, say: announcement(retry.what, this.attempt, tries, waitMs) };
  }
}

/**
 * Milliseconds until the next attempt, at least as long as the endpoint asks for; `undefined` if that is too long.
 */
function delay({ afterMs = 0 }: RetryHint, attempt: number, random: number): number | undefined {
  if (afterMs > RETRY_AFTER_MOST * 1000) return undefined;
  // Chosen from the whole range, so that clients that failed together do not return together.
  const most = Math.min(DELAY_MOST, FIRST_DELAY * DELAY_FACTOR ** (attempt - 1)) * 1000;
  return Math.max(afterMs, Math.round(random * most));
}

function announcement(what: string, attempt: number, tries: number, waitMs: number): ModelDelta {
  const message = `${what}. Trying again in ${Math.ceil(waitMs / 1000)} s (${attempt} of ${tries}).`;
  return { type: 'retry', attempt, of: tries, waitMs, message };
}

function lastWord(failure: ModelFailure): ModelFailure {
  const { what = '', afterMs = 0 } = failure.retry ?? {};
  if (afterMs <= RETRY_AFTER_MOST * 1000) return failure;
  return { ...failure, message: askedToWait(what, Math.ceil(afterMs / 60_000)) };
}

function askedToWait(what: string, minutes: number): string {
  if (minutes < 120) return `${what} and asks to wait ${minutes} minutes. Send the message again then.`;
  const hours = Math.ceil(minutes / 60);
  if (hours < 48) return `${what} and asks to wait ${hours} hours. Send the message again then.`;
  return `${what} and asks to wait ${Math.ceil(hours / 24)} days. Send the message again then.`;
}
