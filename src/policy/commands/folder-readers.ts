import type { FoundTable } from './find-table';
import type { ReadArguments } from './read-arguments';
import { rowOf } from './rules';

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

/**
 * Programs that read, search or pack everything below a folder, by name or with their subcommand, for words that no table
 * knows. `here`: perhaps also below the working folder without naming it. Listing names does not count as reading.
 */
export const folderReaders: Readonly<Record<string, 'here' | 'named'>> = {
  grep: 'here',
  egrep: 'here',
  fgrep: 'here',
  rgrep: 'here',
  pcregrep: 'here',
  pcre2grep: 'here',
  rg: 'here',
  ag: 'here',
  ack: 'here',
  ugrep: 'here',
  'git grep': 'here',
  // It compares two folders without an option, and outside a repository also without `--no-index`.
  'git diff': 'named',
  diff: 'named',
  colordiff: 'named',
  tar: 'named',
  gtar: 'named',
  bsdtar: 'named',
  zip: 'here',
  '7z': 'here',
  '7za': 'here',
  '7zz': 'here',
  cp: 'named',
  rsync: 'named',
  gzip: 'named',
  gunzip: 'named',
  zcat: 'named',
  pigz: 'named',
  zstd: 'named',
  // Windows
  copy: 'named',
  xcopy: 'named',
  robocopy: 'named',
  'copy-item': 'named',
  findstr: 'here',
};
