/** How long a stream may be silent, in seconds. */
const CONNECT = 30;
const FIRST_EVENT = 120;
const IDLE = 90;

/**
 * Ends a stream that has gone silent. Counts ticks of a timer instead of comparing clocks, so that a machine that
 * slept does not look like a silent server.
 */
export class Watchdog {
  private readonly own = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private left = CONNECT;
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.own.signal]);
    this.timer = setInterval(() => {
      if (--this.left <= 0) this.own.abort();
    }, 1000);
  }

  get expired(): boolean {
    return this.own.signal.aborted;
  }

  connected(): void {
    this.left = FIRST_EVENT;
  }

  heard(): void {
    this.left = IDLE;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
