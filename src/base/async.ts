/** What comes of the work. Rejects with the signal's reason as soon as it aborts, whatever becomes of the work then. */
export async function orAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => (stop = () => reject(abortReason(signal))));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** As `orAborted`, with nothing in the place of the rejection. */
export async function unlessAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await orAborted(work, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Why a signal has aborted, as an error. */
export function abortReason({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('Stopped.');
}

/** Fulfilled after so many milliseconds, or at once when the signal is aborted. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}

/** Runs actions one after another, in the order in which they came. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(action: () => Promise<T>): Promise<T> {
    const result = this.last.then(action);
    // Whoever comes next waits for the end, whatever that was.
    this.last = result.then(ignore, ignore);
    return result;
  }
}

function ignore(): void {
  return undefined;
}
