import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 2;

/** Does the work, and returns the longest time in milliseconds that the event loop was blocked. */
export async function measureEventLoopDelay<T>(
  work: () => Promise<T>,
): Promise<{ result: T; blockedMs: number }> {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 4 * RESOLUTION_MS));
  monitor.enable();
  // It measures from one turn of the loop to the next, so it needs two turns before it measures.
  await turns();
  const result = await work();
  await turns();
  monitor.disable();
  return { result, blockedMs: Math.max(0, Math.round(monitor.max / 1e6) - RESOLUTION_MS) };
}
