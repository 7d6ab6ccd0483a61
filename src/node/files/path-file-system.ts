import { constants, type Dirent, type Stats } from 'node:fs';
import { lstat, open, opendir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import type { Entry, FileKind, PathFileSystem } from '../../policy/paths/path-file-system';
import type { PathRequest } from '../../policy/paths/paths';
import type { SecretName } from '../../policy/secrets';
import { importsOf } from './imported-rules';
import { secretNamesOf } from './agent-ignore-files';

/** The file system of this machine. */
export const pathFileSystem: PathFileSystem = {
  platform: process.platform === 'win32' ? 'win32' : 'posix',
  caseSensitive: process.platform !== 'win32' && process.platform !== 'darwin',
  hasSpecialFolders: process.platform !== 'win32',
  // fs.promises.realpath is the native one: it gives the spelling on disk and follows junctions.
  realpath: (path) => unlessMissing(path, (found) => realpath(found)),
  kind: async (path) => {
    const stats = await unlessMissing(path, (found) => lstat(found));
    return stats === undefined ? undefined : kindOf(stats);
  },
  readLink: (path) => readlink(path),
  entries: (path) => unlessMissing(path, entriesOf),
  smallText: (path) => unlessMissing(path, smallText),
  links: async (path) => {
    // On Windows the number of a file may be larger than a double holds exactly.
    const stats = await unlessMissing(path, (found) => lstat(found, { bigint: true }));
    return stats?.isFile() ? { count: Number(stats.nlink), id: `${stats.dev}:${stats.ino}` } : undefined;
  },
};

async function smallText(path: string): Promise<string | undefined> {
  // Must not block if a pipe is in its place. Windows has no such flag.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > limits.judgedTextBytes) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(limits.judgedTextBytes));
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function entriesOf(path: string): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  for await (const entry of await opendir(path, { bufferSize: 1_024 })) {
    if (found.length === limits.folderEntries) throw new Error(`Too many entries: ${path}`);
    found.push({ name: entry.name, kind: kindOf(entry) });
  }
  return found;
}

async function unlessMissing<T>(path: string, look: (path: string) => Promise<T>): Promise<T | undefined> {
  try {
    return await look(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && meansMissing(error.code, path)) return undefined;
    throw error;
  }
}

/** The longest name that common file systems hold. */
const NAME_BYTES = 255;

function meansMissing(code: unknown, path: string): boolean {
  if (code === 'ENOENT' || code === 'ENOTDIR') return true;
  // A path that is too long may still exist; a path with a name that is too long cannot.
  return code === 'ENAMETOOLONG' && path.split(/[\\/]/u).some((name) => Buffer.byteLength(name) > NAME_BYTES);
}

function kindOf(stats: Stats | Dirent): FileKind {
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'directory';
  return stats.isFile() ? 'file' : 'other';
}

/** Where files may be read and written. */
export interface PlacesOptions {
  /** The folders of the workspace, absolute. */
  readonly roots: readonly string[];
  /** What the user added to the names of secret files; asked for each time. */
  readonly secretNames?: () => readonly SecretName[];
  /** Folders with Parley's own data. */
  readonly ownFolders?: readonly string[];
}

/** The current values, as the policy needs them. */
export function placesNow({
  roots,
  ownFolders,
  ...options
}: PlacesOptions): Pick<PathRequest, 'roots' | 'secretNames' | 'ownFolders' | 'alsoProtected'> {
  return {
    roots,
    secretNames: secretNamesOf({ roots, ...options }),
    alsoProtected: importsOf(roots),
    ...(ownFolders && { ownFolders }),
  };
}

/** Whether a place is a folder or below it. There is no relative path between two Windows drives. */
export function isWithin(place: string, folder: string): boolean {
  const relative = path.relative(folder, place);
  return relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative);
}
