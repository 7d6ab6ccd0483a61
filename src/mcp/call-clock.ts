import type { Disposable } from '../base/disposable';

/** Ends a call without activity for too long. Stops while it is paused. */
export class CallClock implements Disposable {
  private readonly overdue = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pauses = 0;

  readonly signal: AbortSignal;

  constructor(
    private readonly ms: number,
    stop: AbortSignal,
  ) {
    this.signal = AbortSignal.any([stop, this.overdue.signal]);
    this.restart();
  }

  get isOverdue(): boolean {
    return this.overdue.signal.aborted;
  }

  restart(): void {
    clearTimeout(this.timer);
    if (this.pauses === 0) this.timer = setTimeout(() => this.overdue.abort(), this.ms);
  }

  /** May be called several times; then `resume` must be called as often. */
  pause(): void {
    this.pauses++;
    clearTimeout(this.timer);
  }

  resume(): void {
    this.pauses--;
    this.restart();
  }

  dispose(): void {
    // A form may be answered after the call has ended.
    this.pauses = Infinity;
    clearTimeout(this.timer);
  }
}

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
