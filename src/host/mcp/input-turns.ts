import { Mutex } from '../../base/async';

/** VS Code has one box, and a second question would take away the first; nor could anybody tell whose it is. */
const turns = new Mutex();

/**
 * Asks when nobody else asks in the name of a server. Until then an aborted signal answers with `cancelled` at once; what
 * has begun ends by the signal itself.
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
