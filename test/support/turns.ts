import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

/**
 * Lets the event loop turn a number of times, so that everything in this process that was ready has run. Takes no
 * time, unlike a pause, and does not depend on the load of the machine.
 */
export async function turns(count = 20): Promise<void> {
  for (let turned = 0; turned < count; turned++) await turn();
}

/**
 * Lets time pass for what a test simulates: a slow server, reader or disk, or a user who stops something after a
 * while. Never to wait for the code under test, which may take any time on a busy machine.
 */
export async function letTimePass(milliseconds: number): Promise<void> {
  await delay(milliseconds);
}
