import { elsewhere, type TimeoutName, type Timeouts } from './timeouts';

/**
 * Aborts a stream that has gone silent or never ends. Counts timer ticks instead of comparing clocks, so that a
 * machine that slept does not look like a silent server.
 */
export class Watchdog {
  private readonly own = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private phase: Exclude<TimeoutName, 'total'> = 'connect';
  /** Seconds since the last activity, and since the beginning. */
  private silent = 0;
  private all = 0;
  private why: TimeoutName | undefined;
  /** Seconds until a finished reply is left, whatever arrives. */
  private left = Infinity;
  readonly signal: AbortSignal;

  constructor(
    signal: AbortSignal,
    private readonly timeouts: Timeouts = elsewhere,
  ) {
    this.signal = AbortSignal.any([signal, this.own.signal]);
    this.timer = setInterval(() => this.tick(), 1000);
  }

  /** The expired limit, if any. */
  get expired(): TimeoutName | undefined {
    return this.why;
  }

  /** The server has accepted the connection. */
  connected(): void {
    if (this.phase === 'connect') this.enter('firstEvent');
  }

  /** A byte has arrived. */
  heard(): void {
    this.silent = 0;
  }

  /** A part of the reply has arrived. */
  began(): void {
    this.enter('idle');
  }

  /** The reply is whole. Waits only so many more seconds for what belongs to it, and then aborts without an expiry. */
  finished(seconds: number): void {
    this.left = Math.min(this.left, seconds);
  }

  /** Nothing is awaited any more, or not by this watchdog. */
  stop(): void {
    clearInterval(this.timer);
  }

  private enter(phase: typeof this.phase): void {
    this.phase = phase;
    this.silent = 0;
  }

  private tick(): void {
    if (this.signal.aborted) return this.stop();
    this.silent++;
    this.all++;
    if (--this.left <= 0) {
      this.stop();
      this.own.abort();
      return;
    }
    const { [this.phase]: patience, total } = this.timeouts;
    if (patience > 0 && this.silent >= patience) this.end(this.phase);
    else if (total > 0 && this.all >= total) this.end('total');
  }

  private end(why: TimeoutName): void {
    this.why ??= why;
    this.stop();
    this.own.abort();
  }
}
