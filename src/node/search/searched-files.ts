import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import { readRegularFile } from '../files/regular-file';

/** The file system of a search without ripgrep. Paths are absolute; links are not followed. */
export interface SearchedFiles {
  /** Separates the names in a path. */
  readonly separator: '/' | '\\';
  /** How many requests are worth sending in parallel. */
  readonly atOnce: number;
  list(folder: string): Promise<readonly SearchedEntry[]>;
  /** `undefined` if there is no such file. */
  read(file: string): Promise<Uint8Array | 'too large' | undefined>;
}

export interface SearchedEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

/** The files on disk, as far as listing needs them: `read` is for ignore files. */
export const listedDisk: SearchedFiles = {
  separator: path.sep === '\\' ? '\\' : '/',
  atOnce: 8,
  list: async (folder) =>
    (await readdir(folder, { withFileTypes: true })).map((entry) => ({
      name: entry.name,
      kind: entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other',
    })),
  read: async (file) => (await readRegularFile(file, { name: file, most: limits.ignoreFileBytes })).bytes,
};
