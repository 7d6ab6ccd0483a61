import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { ToolError } from '../../core/words/tool';

// Without O_NONBLOCK opening a FIFO would wait for a writer. Windows has neither flag; there `undefined` counts as 0.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/**
 * Opens a resolved path for reading. Does not follow a link that has appeared since, neither at the end nor on the way,
 * and refuses anything but a regular file. The caller closes the handle.
 */
export async function openRegularFile(path: string, name: string): Promise<OpenFile> {
  const handle = await open(path, FLAGS).catch((error: unknown) => {
    throw fileError(error, name);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new ToolError(`${name} is not a regular file. Give the path of a file.`);
    if (!(await isAt(path, stats))) throw movedError(name);
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export async function readRegularFile(
  path: string,
  { name, most }: { name: string; most: number },
): Promise<{ bytes: Buffer; stats: Stats }> {
  const { handle, stats } = await openRegularFile(path, name);
  try {
    if (stats.size > most) throw new ToolError(`${name} is too large to be read whole. Read it by range.`);
    return { bytes: await handle.readFile(), stats };
  } finally {
    await handle.close();
  }
}

/**
 * Whether the opened file is what the path names now. If a folder on the way was a link for a moment, another file was
 * opened; if it is still a link, the real path shows it.
 */
async function isAt(path: string, opened: Stats): Promise<boolean> {
  if (!(await isOwnRealPath(path))) return false;
  // Deleted since it was opened: nothing to compare with.
  const there = await lstat(path).catch(() => undefined);
  return there?.ino === opened.ino && there.dev === opened.dev;
}

/** Whether the path contains no links. */
export async function isOwnRealPath(path: string): Promise<boolean> {
  // A path that cannot be resolved does not lead to the same place.
  return (await realpath(path).catch(() => undefined)) === path;
}

export function movedError(name: string): ToolError {
  return new ToolError(`${name} now leads to another place. List the folder again.`);
}

/** A file system error as advice for a model; other errors are returned unchanged. */
export function fileError(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  const text = TEXTS[error.code];
  return text === undefined ? error : new ToolError(`${name}: ${text}`, { cause: error });
}

const TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'nothing is there. List the folder to see what exists.',
  ENOTDIR: 'a part of the path is a file, not a folder. List the folder to see what exists.',
  EISDIR: 'it is a folder. Give the path of a file.',
  EEXIST: 'something is there already. Read it first.',
  ELOOP: 'it has become a link. List the folder again.',
  EACCES: 'the system does not permit it. Ask the user.',
  EPERM: 'the system does not permit it. Ask the user.',
  EBUSY:
    'it could not be changed, probably because another program has it open (an editor, a virus scanner). Ask the user to close it there, and try again.',
  EROFS: 'the file system is read-only. Ask the user.',
  EXDEV: 'the two places are on different disks. Use a command.',
  ENOSPC: 'the disk is full. Ask the user.',
  ENAMETOOLONG: 'the name is too long. Choose a shorter one.',
};
