/** Something known of a model at its endpoint. Where it is kept depends on who opens the model. */
export interface Fact<T> {
  read(): T;
  write(value: T): void;
}

/** For as long as it lives. */
export function factInMemory<T>(value: T): Fact<T> {
  let current = value;
  return {
    read: () => current,
    write: (next) => {
      current = next;
    },
  };
}
