import { below } from './places';
import type { Files, Place, ToolLimits } from './workspace';

/** What is said of a place whose files `filesAt` does not name. */
export const UNRECORDED = 'its files are too many or too large to be put back';

type Most = Pick<ToolLimits, 'recordedFiles' | 'recordedBytes' | 'readWholeFileBytes'>;

/**
 * What goes along with a place: the files and links below a folder, or itself. Nothing for a folder with more of them
 * than are recorded.
 */
export async function filesAt(
  place: Place,
  files: Pick<Files, 'list' | 'stat' | 'separator'>,
  most: Most,
  signal: AbortSignal,
): Promise<readonly Place[] | undefined> {
  if ((await files.stat(place))?.kind !== 'folder') return [place];
  const found: Place[] = [];
  const folders = [place];
  let bytes = 0;
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    signal.throwIfAborted();
    for (const { name, kind, size = 0 } of await files.list(folder)) {
      const inside = below(folder, name, files);
      if (kind === 'folder') folders.push(inside);
      else found.push(inside);
      // What is too large to be read whole is not kept, and takes no room.
      if (size <= most.readWholeFileBytes) bytes += size;
      // The folders count too, or a tree of nothing else would have no end.
      if (found.length + folders.length > most.recordedFiles || bytes > most.recordedBytes) return undefined;
    }
  }
  return found;
}

/** Where a file that lies at or below one place comes to lie when that becomes another. */
export function movedAlong(file: Place, from: Place, to: Place): Place {
  const rest = (whole: string, start: string): string => whole.slice(start.length);
  return {
    ...to,
    resolved: to.resolved + rest(file.resolved, from.resolved),
    display: to.display + rest(file.display, from.display),
  };
}
