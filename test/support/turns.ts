import { setImmediate as turn } from 'node:timers/promises';

/**
 * Lets the event loop turn a number of times, so that everything in this process that was ready has run. Takes no
 * time, unlike a pause, and does not depend on the load of the machine.
 */
export async function turns(count = 20): Promise<void> {
  for (let turned = 0; turned < count; turned++) await turn();
}
