import type { Json } from '../base/json';

/** Several calls in one block of VCP, told apart by the whole number at the end of each key. */
export interface SerialCalls {
  /** By number in the order written, the keys without it. */
  readonly calls: ReadonlyMap<string, ReadonlyMap<string, Json>>;
  /** Keys that belong to none of the calls. */
  readonly strays: readonly string[];
}

/** Splits `command1`, `path1`, `command2`, …; `undefined` where no command is numbered, and so it is one call. */
export function serialCalls(values: ReadonlyMap<string, Json>): SerialCalls | undefined {
  const calls = new Map<string, Map<string, Json>>();
  for (const key of values.keys()) {
    const { base, number } = parts(key);
    if (base === 'command' && number !== '') calls.set(number, new Map());
  }
  if (calls.size === 0) return undefined;
  const strays: string[] = [];
  for (const [key, value] of values) {
    const { base, number } = parts(key);
    const call = calls.get(number);
    if (call) call.set(base, value);
    else strays.push(key);
  }
  return { calls, strays };
}

/** `filePath11` is `filePath` and `11`. */
function parts(key: string): { readonly base: string; readonly number: string } {
  const number = /\d+$/.exec(key.slice(1))?.[0] ?? '';
  return { base: key.slice(0, key.length - number.length), number };
}
