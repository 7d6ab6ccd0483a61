import { setImmediate as turn } from 'node:timers/promises';
import { limits } from '../../base/limits';
import { FolderRules, VERSION_CONTROL, type AppliedRules } from './ignore-files';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readRegularFile } from '../files/regular-file';

export interface WalkStart {
  /** The folder from which on ignore files apply. */
  readonly top: string;
  /** The folder to walk: `top` or a folder below it. */
  readonly target: string;
  /** Whether `top` is the folder of a repository. */
  readonly inRepository: boolean;
  /** All if not given. */
  readonly rules?: AppliedRules;
}

/** A file that is not ignored. */
export interface WalkedFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the target, with `/`. */
  readonly below: string;
  readonly name: string;
}

interface WalkedFolder {
  readonly path: string;
  readonly below: string;
  /** The names of the path from `top` on. */
  readonly names: readonly string[];
  /** The rules of the folders above. */
  readonly rules: FolderRules | undefined;
}

/** Milliseconds after which a walk lets other work run. */
const BUSY_MS = 20;

/**
 * Yields the files below a folder that are not ignored, one folder at a time. Skips folders of version control; does
 * not follow links. Ends early, with what is known, when the signal aborts.
 */
export async function* walk(
  files: SearchedFiles,
  start: WalkStart,
  signal: AbortSignal,
): AsyncGenerator<readonly WalkedFile[]> {
  const folders = [await entered(files, start)];
  const lookIn = (folder: WalkedFolder) => look(files, { ...start, signal }, folder);
  while (folders.length > 0 && !signal.aborted) {
    const group = folders.splice(-files.atOnce);
    for (const { found, inner } of await Promise.all(group.map(lookIn))) {
      folders.push(...inner);
      if (found.length > 0) yield found;
    }
  }
}

/** The target, with the rules of all folders from `top` to it. */
async function entered(
  files: SearchedFiles,
  { top, target, inRepository, rules: applied = 'all' }: WalkStart,
): Promise<WalkedFolder> {
  const names = target
    .slice(top.length)
    .split(files.separator)
    .filter((name) => name !== '');
  let rules: FolderRules | undefined;
  for (let depth = 0; applied === 'all' && depth < names.length; depth++) {
    const path = [top, ...names.slice(0, depth)].reduce((folder, name) => inside(files, folder, name));
    rules = await rulesIn(files, { path, depth, inRepository }, await files.list(path), rules);
  }
  return { path: target, below: '', names, rules };
}

async function look(
  files: SearchedFiles,
  { inRepository, signal, rules: applied }: WalkStart & { readonly signal: AbortSignal },
  folder: WalkedFolder,
): Promise<{ readonly found: readonly WalkedFile[]; readonly inner: readonly WalkedFolder[] }> {
  const entries = await files.list(folder.path);
  const depth = folder.names.length;
  const rules =
    applied === 'none'
      ? undefined
      : await rulesIn(files, { path: folder.path, depth, inRepository }, entries, folder.rules);
  const found: WalkedFile[] = [];
  const inner: WalkedFolder[] = [];
  let turnAt = performance.now() + BUSY_MS;
  for (const { name, kind } of entries) {
    // Many ignore rules for many entries take long: let other work run, and the time run out.
    if (performance.now() > turnAt) {
      await turn();
      turnAt = performance.now() + BUSY_MS;
    }
    if (signal.aborted) break;
    if (kind === 'other' || VERSION_CONTROL.includes(name)) continue;
    if (rules?.ignores({ folders: folder.names, name, isFolder: kind === 'folder' })) continue;
    const path = inside(files, folder.path, name);
    const below = folder.below === '' ? name : `${folder.below}/${name}`;
    if (kind === 'file') found.push({ path, below, name });
    else inner.push({ path, below, names: [...folder.names, name], rules });
  }
  return { found, inner };
}

async function rulesIn(
  files: SearchedFiles,
  { path, depth, inRepository }: { path: string; depth: number; inRepository: boolean },
  entries: readonly SearchedEntry[],
  parent: FolderRules | undefined,
): Promise<FolderRules | undefined> {
  const read = async (name: string): Promise<string> => {
    const file = name.split('/').reduce((folder, each) => inside(files, folder, each), path);
    const content = await files.read(file);
    if (content === undefined || content === 'too large') return '';
    return Buffer.from(content.subarray(0, limits.ignoreFileBytes)).toString();
  };
  return FolderRules.of(parent, { depth, entries, inRepository, read });
}

function inside({ separator }: SearchedFiles, folder: string, name: string): string {
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}

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

interface SearchedEntry {
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
