import { PlaceTable, rowsOf, type ReasonedRow } from './place-table';
import { codeNames } from './tables/code-names';

/** `why`: what runs it. */
type MarkedRow = ReasonedRow;

export const markedRows: readonly MarkedRow[] = /* @__PURE__ */ rowsOf(codeNames);

// Marked pure, so that bundles that do not judge paths leave out the table.
const TABLE = /* @__PURE__ */ new PlaceTable(markedRows);

/** The row of a file that decides what is run later. */
export function markedRow(components: readonly string[]): MarkedRow | undefined {
  const row = TABLE.atEnd(components);
  const isBeside = row?.path.endsWith('*') === true && DOCUMENT.test(components.at(-1) ?? '');
  return isBeside ? undefined : row;
}

/** `Dockerfile.md` describes one. */
const DOCUMENT = /\.(?:md|mdx|rst|adoc|txt|html?|pdf|svg|png)$/iu;
