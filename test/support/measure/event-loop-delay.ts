import { readFileSync } from 'node:fs';

const RESOLUTION_MS = 5;

/**
 * Measures how long the event loop is blocked at most. Time in which this thread could run, but other programs had
 * the processors, does not count; only Linux reports it.
 */
export class BlockMeter {
  private longest = 0;
  private at = performance.now();
  private queued = queuedMs();
  private readonly timer = setInterval(() => this.turn(), RESOLUTION_MS);

  /** Returns milliseconds. */
  end(): number {
    this.turn();
    clearInterval(this.timer);
    return Math.max(0, Math.round(this.longest - RESOLUTION_MS));
  }

  private turn(): void {
    const [now, queued] = [performance.now(), queuedMs()];
    this.longest = Math.max(this.longest, now - this.at - (queued - this.queued));
    [this.at, this.queued] = [now, queued];
  }
}

/** Does the work, and returns the longest time in milliseconds that it blocked the event loop. */
export async function measureEventLoopDelay<T>(
  work: () => Promise<T>,
): Promise<{ result: T; blockedMs: number }> {
  const meter = new BlockMeter();
  try {
    const result = await work();
    return { result, blockedMs: meter.end() };
  } finally {
    meter.end();
  }
}

/** Milliseconds that this process's main thread has waited for a processor. */
function queuedMs(): number {
  if (process.platform !== 'linux') return 0;
  const [, waited] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(waited) / 1e6;
}
