import { limits } from '../../base/limits';
import { isAbsolute, join, splitLast, type NameRules } from './path-text';

export type FileKind =
  | 'file'
  | 'directory'
  | 'link'
  /** Device, FIFO, socket. */
  | 'other';

/** An entry of a folder; a link is not followed. */
export interface Entry {
  readonly name: string;
  readonly kind: FileKind;
}

/** What the path rules need from a file system. `undefined` means that nothing is there; any other failure throws. */
export interface PathFileSystem extends NameRules {
  /** Whether `/proc` and the like show the machine. In a virtual file system they are ordinary folders. */
  readonly hasSpecialFolders: boolean;
  /** The path with every link followed, as the operating system would. */
  realpath(path: string): Promise<string | undefined>;
  /** What is at the path; a link at its end is not followed. */
  kind(path: string): Promise<FileKind | undefined>;
  readLink(path: string): Promise<string>;
  /** The entries of a folder. Throws if there are more than `limits.folderEntries`. */
  entries(path: string): Promise<readonly Entry[] | undefined>;
  /**
   * The whole text of a small regular file; nothing for a larger one. Absent if nothing can be read before approval.
   */
  smallText?(path: string): Promise<string | undefined>;
  /** How many names (hard links) a regular file has. Absent if files have only one name. */
  links?(path: string): Promise<FileLinks | undefined>;
}

export interface FileLinks {
  readonly count: number;
  /** The same for all names of one file. */
  readonly id: string;
}

/**
 * Where an absolute path leads, with all links followed as the operating system would. If its end does not exist yet,
 * the deepest existing part is followed and the rest is appended. `link/../x` therefore leads beside the target of the
 * link. Throws if the file system fails or links form a circle.
 */
export async function follow(path: string, files: PathFileSystem, links = 0): Promise<string> {
  if (links > limits.pathLinks) throw new Error(`Too many links: ${path}`);
  const real = await files.realpath(path);
  if (real !== undefined) return real;
  const last = splitLast(path, files.platform);
  if (last === undefined) return path;
  const { folder, name } = last;
  if ((await files.kind(join(folder, name, files.platform))) === 'link') {
    const target = await files.readLink(join(folder, name, files.platform));
    const next = isAbsolute(target, files.platform) ? target : join(folder, target, files.platform);
    return follow(next, files, links + 1);
  }
  const parent = await follow(folder, files, links);
  if (name === '.') return parent;
  if (name === '..') return splitLast(parent, files.platform)?.folder ?? parent;
  // A `missing/..` before it leads back to existing entries; then this may be a link again.
  const followed = join(parent, name, files.platform);
  return (await files.kind(followed)) === undefined ? followed : follow(followed, files, links + 1);
}

/** Like `follow`, but a link at the end is not followed: the entry that a deletion or a move would change. */
export async function followFolder(path: string, files: PathFileSystem): Promise<string> {
  const last = splitLast(path, files.platform);
  if (last === undefined || last.name === '.' || last.name === '..') return follow(path, files);
  return join(await follow(last.folder, files), last.name, files.platform);
}
