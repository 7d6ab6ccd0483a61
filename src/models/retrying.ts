import type { Model, ModelDelta, ModelFailure, ModelRequest, RetryHint } from '../core/words/model';
import { pause } from '../base/async';

// Times in seconds.
const TRIES = 5;
const FIRST_DELAY = 1;
const DELAY_FACTOR = 2;
const DELAY_MOST = 60;
const RETRY_AFTER_MOST = 120;
const TOTAL = 600;

/** What decides when the next try is made. */
export interface RetryClock {
  /** Milliseconds since any moment. */
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Fulfilled after so many milliseconds, or at once when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const realClock: RetryClock = { now: () => performance.now(), random: () => Math.random(), pause };

/**
 * The model, asked again a few times while nothing of its reply has arrived and the failure says that this may help.
 * Each pause is announced with a `retry`, and a stop ends it at once.
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
  const start = clock.now();
  const isStopped = (): boolean => signal.aborted;
  for (let attempt = 1; ; attempt++) {
    const failure = yield* tryOnce(model, request, signal);
    if (!failure || isStopped()) return;
    const waitMs = failure.retry && delay(failure.retry, attempt, clock.random());
    const isOver = waitMs === undefined || clock.now() - start + waitMs > TOTAL * 1000;
    if (attempt === TRIES || isOver) {
      yield { type: 'failure', failure: lastWord(failure) };
      return;
    }
    yield announcement(failure.retry?.what ?? '', attempt + 1, waitMs);
    await clock.pause(waitMs, signal);
    if (isStopped()) return;
  }
}

/** Passes on what arrives; gives back the failure if nothing else did. */
async function* tryOnce(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, ModelFailure | undefined, undefined> {
  let hasBegun = false;
  for await (const delta of model.stream(request, signal)) {
    if (delta.type === 'failure' && !hasBegun) return delta.failure;
    hasBegun = true;
    yield delta;
  }
  return undefined;
}

/** Milliseconds until the next try, at least as long as the endpoint asks for; `undefined` if that is too long. */
function delay({ afterMs = 0 }: RetryHint, attempt: number, random: number): number | undefined {
  if (afterMs > RETRY_AFTER_MOST * 1000) return undefined;
  // Chosen from the whole range: clients that failed together shall not come back together.
  const most = Math.min(DELAY_MOST, FIRST_DELAY * DELAY_FACTOR ** (attempt - 1)) * 1000;
  return Math.max(afterMs, Math.round(random * most));
}

function announcement(what: string, attempt: number, waitMs: number): ModelDelta {
  const message = `${what}. Trying again in ${Math.ceil(waitMs / 1000)} s (${attempt} of ${TRIES}).`;
  return { type: 'retry', attempt, of: TRIES, waitMs, message };
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
