/** Runs actions one after another, in the order in which they came. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(action: () => Promise<T>): Promise<T> {
    const result = this.last.then(action);
    // Whoever comes next waits for the end, whatever that was.
    this.last = result.then(ignore, ignore);
    return result;
  }
}

function ignore(): void {
  return undefined;
}
