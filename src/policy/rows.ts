/** A row of one of the tables; a program called `constructor` has none. */
export function rowFor<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The row of the first of these names that has one. */
export function rowOf<T>(table: Readonly<Record<string, T>>, names: readonly string[]): T | undefined {
  return names.map((name) => rowFor(table, name)).find((row) => row !== undefined);
}
