import type { Stats } from 'node:fs';
import { link, lstat, mkdir, readlink, rename, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { whileBusy } from '../../base/busy';
import { ToolError } from '../../core/words/tool';
import { pathFileSystem } from './path-file-system';
import { isOwnRealPath, movedError } from './regular-file';
import { removeFolders } from './replace-file';

interface EntryMove {
  /** Absolute; links on the way are resolved, one at the end is what is moved. */
  readonly from: string;
  readonly to: string;
  /** Throws if either path now leads elsewhere or is judged differently. */
  readonly check: () => Promise<void>;
}

/** Moves a file, a folder or a link to an unused path, creating folders. Undoes the move if a later step fails. */
export async function moveEntry({ from, to, check }: EntryMove): Promise<void> {
  await check();
  const made = await makeFolders(path.dirname(to));
  try {
    // A folder on the way may have become a link while folders were created.
    await check();
    const moved = await lstat(from);
    await place(from, to, moved);
    await orBack({ from, to, moved });
  } catch (error) {
    if (made !== undefined) await removeFolders(path.dirname(to), made);
    throw error;
  }
}

async function makeFolders(folder: string): Promise<string | undefined> {
  try {
    return await mkdir(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const text = `${path.basename(folder)} is a file, not a folder. Choose another place.`;
    throw new ToolError(text, { cause: error });
  }
}

async function place(from: string, to: string, moved: Stats): Promise<void> {
  if (await isSpelling(from, to)) return whileBusy(() => rename(from, to));
  if (await exists(to)) throw new ToolError('Something has appeared at the new place. Look at it first.');
  // A rename would replace a file that has appeared meanwhile; a hard link never does.
  if (moved.isFile() && (await tryLink(from, to))) return dropOldName(from, to);
  if (moved.isSymbolicLink() && process.platform !== 'win32') {
    await symlink(await readlink(from), to);
    return dropOldName(from, to);
  }
  await whileBusy(() => rename(from, to));
}

/** `a.txt` to `A.txt` if both are the same file for the system. */
export async function isSpelling(from: string, to: string): Promise<boolean> {
  if (pathFileSystem.caseSensitive || from.toLowerCase() !== to.toLowerCase()) return false;
  const [one, other] = await Promise.all([from, to].map((path) => lstat(path).catch(() => undefined)));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    // Taken or gone: rethrow. Any other error means that the file system has no hard links.
    if (error instanceof Error && 'code' in error && (error.code === 'EEXIST' || error.code === 'ENOENT'))
      throw error;
    return false;
  }
}

async function dropOldName(from: string, to: string): Promise<void> {
  try {
    await unlink(from);
  } catch (error) {
    await unlink(to);
    throw error;
  }
}

/** If a path leads elsewhere after the move, moves the entry back and throws. */
async function orBack({ from, to, moved }: Moved): Promise<void> {
  try {
    await mustHaveStayed(from, to);
  } catch (error) {
    const there = await lstat(to).catch(() => undefined);
    const isOurs = moved.isSymbolicLink() || (there?.ino === moved.ino && there.dev === moved.dev);
    if (there && isOurs && !(await exists(from))) await rename(to, from);
    throw error;
  }
}

/** Throws `ToolError` if a folder on the way has become a link. */
export async function mustHaveStayed(...paths: readonly string[]): Promise<void> {
  for (const each of paths) {
    if (!(await isOwnRealPath(path.dirname(each)))) throw movedError(path.basename(each));
  }
}

interface Moved {
  readonly from: string;
  readonly to: string;
  readonly moved: Stats;
}

async function exists(file: string): Promise<boolean> {
  return (await pathFileSystem.kind(file)) !== undefined;
}
