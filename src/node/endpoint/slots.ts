/** Lets so many be at work at once; the rest wait for their turn, in their order. */
export class Slots {
  private readonly waiting = new Set<(isFree: boolean) => void>();

  constructor(private free: number) {}

  /** What gives the place back, once; nothing where the signal was aborted before there was one. */
  async take(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.free > 0) this.free--;
    else if (!(await this.turn(signal))) return undefined;
    let isGiven = false;
    return () => {
      if (!isGiven) this.pass();
      isGiven = true;
    };
  }

  /** Straight to the next, so that nobody who comes later is faster. */
  private pass(): void {
    const [next] = this.waiting;
    if (next) next(true);
    else this.free++;
  }

  private turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const go = (isFree: boolean): void => {
        this.waiting.delete(go);
        signal.removeEventListener('abort', leave);
        resolve(isFree);
      };
      const leave = (): void => go(false);
      this.waiting.add(go);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
