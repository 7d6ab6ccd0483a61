import { visibleName } from '../../base/text';
import type { Place } from '../ports/files';
import type { FileFilter, OmittedFiles, TextMatches } from '../ports/search';
import { count, grouped } from '../text/amounts';
import { literalGlob } from './glob';
import { pathBelow } from './paths';

/**
 * Searches with a glob. If that finds nothing, its brackets and braces are read as text; `note` says so if this finds
 * something.
 */
export async function searchByGlob<T extends { readonly total: number }>(
  filter: FileFilter,
  search: (filter: FileFilter) => Promise<T>,
): Promise<{ readonly found: T; readonly filter: FileFilter; readonly note: string }> {
  const found = await search(filter);
  const literal = found.total === 0 ? literalGlob(filter.glob) : undefined;
  const other = literal && (await search(literal));
  if (!literal || !other || other.total === 0) return { found, filter, note: '' };
  return {
    found: other,
    filter: literal,
    note: ' As a pattern the glob matches nothing, so its brackets and braces were read as text.',
  };
}

/** What a second look found replaces what the first one found in the same files. */
export function withOthers(found: TextMatches, others: TextMatches): TextMatches {
  const again = new Set(others.files.map((file) => file.path));
  const rest = found.files.filter((file) => !again.has(file.path));
  const old = found.files.filter((file) => again.has(file.path));
  const cut = found.cut ?? others.cut;
  return {
    files: [...rest, ...others.files].sort((a, b) => (a.path < b.path ? -1 : 1)),
    total: found.total - old.reduce((sum, file) => sum + file.total, 0) + others.total,
    totalFiles: found.totalFiles - old.length + others.totalFiles,
    ...(cut && { cut }),
  };
}

/** What a search left out, as a sentence; empty if it was nothing. */
export function omittedText(
  { ignored, binary, secret, undecoded, isMore }: OmittedFiles,
  folder: Place,
): string {
  const names = undecoded.slice(0, NAMED).map((file) => visibleName(pathBelow(folder, file)));
  const more = undecoded.length > names.length ? ', …' : '';
  const parts = [
    ...(ignored > 0 ? [`${count(ignored, 'ignored entry', 'ignored entries')} (${TO_INCLUDE})`] : []),
    ...(binary > 0 ? [count(binary, 'binary file')] : []),
    ...(secret > 0 ? [count(secret, 'secret file')] : []),
    ...(undecoded.length > 0
      ? [`${grouped(undecoded.length)} in an unknown encoding (${names.join(', ')}${more})`]
      : []),
    ...(isMore ? ['more that was not counted'] : []),
  ];
  return parts.length === 0 ? '' : ` Not searched: ${parts.join(', ')}.`;
}

const NAMED = 5;
const TO_INCLUDE = 'include_ignored=true searches them';
