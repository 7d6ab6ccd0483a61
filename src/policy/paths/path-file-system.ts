import { limits } from '../../base/limits';
import { isAbsolute, join, splitLast, type Platform } from './path-text';

export type FileKind =
  | 'file'
  | 'directory'
  | 'link'
  /** Device, FIFO, socket. */
  | 'other';

/** What lies in a folder under a name; a link is not followed. */
export interface Entry {
  readonly name: string;
  readonly kind: FileKind;
}

/** What the path rules ask of a file system. `undefined` means that nothing is there; any other failure throws. */
export interface PathFileSystem {
  readonly platform: Platform;
  /** Whether names that differ only in case are different files. */
  readonly caseSensitive: boolean;
  /** Whether `/proc` and its like show the machine there. In a virtual file system they are folders as any other. */
  readonly hasSpecialFolders: boolean;
  /** The path with every link followed, as the operating system does it. */
  realpath(path: string): Promise<string | undefined>;
  /** What the path itself is; a link at its end is not followed. */
  kind(path: string): Promise<FileKind | undefined>;
  readLink(path: string): Promise<string>;
  /** What a folder holds. Throws where that is more than `limits.folderEntries`. */
  entries(path: string): Promise<readonly Entry[] | undefined>;
  /**
   * The whole of a small regular file as text; a larger one has none. Absent where nothing can be read before it is
   * asked about.
   */
  smallText?(path: string): Promise<string | undefined>;
  /** How many names a regular file has. Absent where a file has one name only. */
  links?(path: string): Promise<FileLinks | undefined>;
}

export interface FileLinks {
  readonly count: number;
  /** The same for all names of one file. */
  readonly id: string;
}

/**
 * Where an absolute path leads, with all links followed as the operating system does it, also where its end does
 * not exist yet: then the deepest part that exists is followed and the rest is appended. `link/../x` therefore
 * leads beside the target of the link. Throws when the file system fails or links go round in circles.
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
  // A `missing/..` in front leads back to where things exist; then this may be a link again.
  const followed = join(parent, name, files.platform);
  return (await files.kind(followed)) === undefined ? followed : follow(followed, files, links + 1);
}

/** Like `follow`, but a link at the end is not followed: the entry that a deletion or a move would change. */
export async function followFolder(path: string, files: PathFileSystem): Promise<string> {
  const last = splitLast(path, files.platform);
  if (last === undefined || last.name === '.' || last.name === '..') return follow(path, files);
  return join(await follow(last.folder, files), last.name, files.platform);
}
