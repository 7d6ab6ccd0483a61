import { Mutex } from '../../../base/async';

/** VS Code has one input box, and a second question would replace the first without a sign of its server. */
const turns = new Mutex();

/**
 * Asks one question of a server at a time. A waiting question whose signal aborts returns `cancelled` at once; an
 * open one ends by the signal itself.
 */
export async function inTurn<T>(ask: () => Promise<T>, cancelled: T, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return cancelled;
  let stop = (): void => undefined;
  const stopped = new Promise<T>((resolve) => (stop = () => resolve(cancelled)));
  signal.addEventListener('abort', stop, { once: true });
  const asked = turns.run(async () => {
    signal.removeEventListener('abort', stop);
    return signal.aborted ? cancelled : ask();
  });
  return Promise.race([asked, stopped]);
}
