/** Closes a `switch` over a union: the compiler refuses it while a case is missing. */
export function never(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
