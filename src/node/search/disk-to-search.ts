import { closeSync, constants, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import type { SearchedFiles } from './searched-files';

const PIECE = 256 * 1024;
/** A link is not followed, and a pipe is not waited for. Windows has neither flag; there `undefined` counts as 0. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The files of this machine, for a thread that has nothing else to do: what blocks is several times quicker than what
 * does not, because of most files there is little to read.
 */
export function createDiskToSearch(): SearchedFiles {
  const buffer = Buffer.allocUnsafeSlow(PIECE);
  return {
    separator: path.sep === '\\' ? '\\' : '/',
    atOnce: 1,
    list: async (folder) =>
      (orNothing(() => readdirSync(folder, { withFileTypes: true })) ?? []).map((entry) => ({
        name: entry.name,
        kind: entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other',
      })),
    read: async (file, take) => {
      const handle = orNothing(() => openSync(file, FLAGS));
      if (handle === undefined) return undefined;
      try {
        for (;;) {
          const count = readSync(handle, buffer);
          const isLast = count < buffer.length;
          if (!take(buffer.subarray(0, count), isLast) || isLast) return undefined;
        }
      } catch (error) {
        if (!isFileError(error)) throw error;
        // It cannot be read, like those that may not be opened: ripgrep passes them over, too.
        return undefined;
      } finally {
        closeSync(handle);
      }
    },
  };
}

function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isFileError(error)) return undefined;
    throw error;
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
