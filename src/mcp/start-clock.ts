/** Ends a start that takes too long, unless it is stopped. */
export class StartClock {
  private readonly overdue = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly signal: AbortSignal;

  constructor(
    private readonly ms: number,
    life: AbortSignal,
  ) {
    this.signal = AbortSignal.any([life, this.overdue.signal]);
    this.start();
  }

  get isOverdue(): boolean {
    return this.overdue.signal.aborted;
  }

  start(): void {
    this.stop();
    this.timer = setTimeout(() => this.overdue.abort(), this.ms);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
