/** Time that several searches share. What happens between them, such as a question to the user, does not count. */
export class SearchTime {
  constructor(
    /** Milliseconds. */
    private left: number,
  ) {}

  /** Nothing when the time was over first. */
  async use<T>(search: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.left <= 0) return undefined;
    const signal = AbortSignal.timeout(this.left);
    const begin = performance.now();
    try {
      return await search(signal);
    } catch (error) {
      if (signal.aborted && error === signal.reason) return undefined;
      throw error;
    } finally {
      this.left = Math.max(0, Math.floor(this.left - (performance.now() - begin)));
    }
  }
}
