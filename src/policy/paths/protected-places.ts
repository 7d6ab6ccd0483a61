import { PlaceTable, rowsOf, type ReasonedRow } from './place-table';
import { INSTALLED, protectedNames } from './tables/protected-names';

/** `why`: what kind of place it is. */
type ProtectedRow = ReasonedRow;

export const protectedRows: readonly ProtectedRow[] = /* @__PURE__ */ rowsOf(protectedNames);

// Marked pure, so that bundles that do not judge paths leave out the table.
const TABLE = /* @__PURE__ */ new PlaceTable(protectedRows);

export function protectedRow(components: readonly string[]): ProtectedRow | undefined {
  return TABLE.within(components);
}

/** Third-party code, often linked from there, and named in commands that only use it. */
export function isInstalled({ why }: ProtectedRow): boolean {
  return why === INSTALLED;
}
