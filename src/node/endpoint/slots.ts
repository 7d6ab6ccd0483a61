/** Limits how many tasks run at once; the rest wait in order. */
export class Slots {
  private readonly waiting = new Set<(isFree: boolean) => void>();

  constructor(private free: number) {}

  /** Returns a function that frees the slot, once; `undefined` if the signal aborted before a slot was free. */
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

  /** Passes the slot directly to the next task, so that no later one overtakes it. */
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
