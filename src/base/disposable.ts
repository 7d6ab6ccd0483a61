export interface Disposable {
  dispose(): void;
}

/** Owns subscriptions and ends them together, last first. Adding to a disposed store disposes at once. */
export class DisposableStore implements Disposable {
  private readonly parts: Disposable[] = [];
  private disposed = false;

  add<T extends Disposable>(part: T): T {
    if (this.disposed) part.dispose();
    else this.parts.push(part);
    return part;
  }

  dispose(): void {
    this.disposed = true;
    for (const part of this.parts.splice(0).reverse()) part.dispose();
  }
}
