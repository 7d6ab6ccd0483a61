import type { Fact } from '../../../src/models/fact-types';

/** A fact that nobody else knows. */
export function factInMemory<T>(value: T): Fact<T> {
  let current = value;
  return {
    read: () => current,
    write: (next) => {
      current = next;
    },
  };
}
