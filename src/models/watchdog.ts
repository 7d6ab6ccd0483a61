/** How long a stream may be silent, in seconds. */
const CONNECT = 30;
const FIRST_EVENT = 120;
const IDLE = 90;
/** How long it may take in all. */
const TOTAL = 1_800;

/**
 * Ends a stream that has gone silent, or that never ends. Counts ticks of a timer instead of comparing clocks, so that
 * a machine that slept does not look like a silent server.
 */
export class Watchdog {
  private readonly own = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private left: number;
  private ticks = 0;
  readonly signal: AbortSignal;

  /** `isNear`: connecting takes no time, so whatever does is the server's work, like loading a model. */
  constructor(signal: AbortSignal, { isNear = false } = {}) {
    this.left = isNear ? FIRST_EVENT : CONNECT;
    this.signal = AbortSignal.any([signal, this.own.signal]);
    this.timer = setInterval(() => {
      if (--this.left <= 0 || ++this.ticks >= TOTAL) this.own.abort();
    }, 1000);
  }

  /** Why the stream was ended, if it was. */
  get expired(): 'silent' | 'endless' | undefined {
    if (!this.own.signal.aborted) return undefined;
    return this.left <= 0 ? 'silent' : 'endless';
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
