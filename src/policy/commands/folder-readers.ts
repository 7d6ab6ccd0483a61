import type { FoundTable } from './find-table';
import type { ReadArguments } from './read-arguments';
import { rowOf } from './rules';
import { folderReaders } from './tables/readers';

/** The places below which a command reads everything; `paths` are those that it names. */
export function placesRead(
  names: readonly string[],
  paths: readonly string[],
  known: { readonly found: FoundTable; readonly read: ReadArguments } | undefined,
): readonly string[] {
  if (known?.read.unknown.size === 0) {
    const { walks, walksHere } = known.found.table;
    const isWalking =
      typeof walks === 'string' ? walks.split(' ').some((each) => known.read.options.has(each)) : walks;
    if (isWalking !== true) return [];
    return paths.length === 0 && walksHere === true ? ['.'] : paths;
  }
  const row = rowOf(folderReaders, names);
  if (row === undefined) return [];
  return row === 'here' ? [...paths, '.'] : paths;
}
