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

  /** Nothing is awaited any more, or not by this watchdog. */
  stop(): void {
    clearInterval(this.timer);
  }

  private enter(phase: typeof this.phase): void {
    this.phase = phase;
    this.silent = 0;
  }

  private tick(): void {
    this.silent++;
    this.all++;
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
