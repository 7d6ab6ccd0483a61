import { below } from './places';
import type { Files, Place } from './workspace';

/**
 * What goes along with a place: the files and links below a folder, or itself. A folder with more than `most` of them
 * stands for all that is in it.
 */
export async function filesAt(
  place: Place,
  files: Pick<Files, 'list' | 'stat' | 'separator'>,
  most: number,
): Promise<readonly Place[]> {
  if ((await files.stat(place))?.kind !== 'folder') return [place];
  const found: Place[] = [];
  const folders = [place];
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    for (const { name, kind } of await files.list(folder)) {
      const inside = below(folder, name, files);
      if (kind === 'folder') folders.push(inside);
      else found.push(inside);
      // The folders count too, or a tree of nothing else would have no end.
      if (found.length + folders.length > most) return [place];
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
