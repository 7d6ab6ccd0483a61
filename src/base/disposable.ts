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

type Listener<T> = (value: T) => void;

/** A list of listeners. One that is added or removed while an event is sent takes effect with the next event. */
export class Emitter<T> implements Disposable {
  private listeners: readonly Listener<T>[] = [];

  readonly event = (listener: Listener<T>): Disposable => {
    this.listeners = [...this.listeners, listener];
    return {
      dispose: () => {
        this.listeners = this.listeners.filter((other) => other !== listener);
      },
    };
  };

  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }

  dispose(): void {
    this.listeners = [];
  }
}
