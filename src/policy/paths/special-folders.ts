import { limits } from '../../base/limits';
import { follow } from './path-file-system';
import { components, foldName, isAbsolute, join, splitLast } from './path-text';
import type { RememberedFiles } from './remembered-files';

/** They contain keys, memory and hardware, not files of a workspace. `/dev/shm` is an ordinary file system. */
const SPECIAL_FOLDERS = ['proc', 'sys', 'dev'];

/**
 * Whether a path leads into a special folder, or passes through one on its way: itself, or by a link anywhere in it.
 * `/proc/self/cwd/..` is another place for each process, so where such a link leads now says nothing about a command.
 * Throws if the file system fails or links form a circle.
 */
export async function passesThroughSpecial(path: string, files: RememberedFiles): Promise<boolean> {
  return files.hasSpecialFolders && passes(path, files, 0);
}

async function passes(path: string, files: RememberedFiles, links: number): Promise<boolean> {
  if (links > limits.pathLinks) throw new Error(`Too many links: ${path}`);
  if (isInSpecial(path, files)) return true;
  // Without a link, everything on the way is a part of the path.
  if ((await files.realpath(path)) === path) return false;
  const last = splitLast(path, files.platform);
  if (last === undefined) return false;
  if (await passes(last.folder, files, links)) return true;
  if (last.name === '.' || last.name === '..') return false;
  const folder = await follow(last.folder, files);
  const entry = join(folder, last.name, files.platform);
  if (isInSpecial(entry, files)) return true;
  if ((await files.kind(entry)) !== 'link') return false;
  const target = await files.readLink(entry);
  const next = isAbsolute(target, files.platform) ? target : join(folder, target, files.platform);
  return passes(next, files, links + 1);
}

function isInSpecial(path: string, { platform }: RememberedFiles): boolean {
  const [top, next] = components(path, platform).map((name) => foldName(name, platform));
  return SPECIAL_FOLDERS.includes(top ?? '') && next !== 'shm';
}
