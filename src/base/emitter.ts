import type { Disposable } from './disposable';

type Listener<T> = (value: T) => void;

/** A list of listeners. A listener added or removed while an event is sent counts from the next event on. */
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
