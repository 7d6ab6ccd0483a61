import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { readSettings, type GitSettings } from './git-settings';

/** Every git that refreshes its index calls this hook, even `git status`. */
const INDEX_HOOK = 'hooks/post-index-change';

/** Runs git in a folder and returns its output; an empty text if git cannot answer there. */
export type AskGit = (folder: string, ...words: readonly string[]) => Promise<string>;

export interface FolderSettings extends GitSettings {
  /** The folder in which git was asked. */
  readonly folder: string;
  /** The repository's own folder; empty if there is none. */
  readonly gitFolder: string;
  /** The top of the working tree; the folder itself if there is no repository or it has no files. */
  readonly top: string;
}

export type FoundSettings = readonly [FolderSettings, ...FolderSettings[]];

/** Returns the settings of the repository around a folder, then those of its submodules. */
export async function settingsAround(folder: string, ask: AskGit): Promise<FoundSettings> {
  const [settings, index] = await Promise.all([
    settingsIn(folder, ask),
    ask(folder, 'ls-files', '--stage', '--full-name', '-z', ':/'),
  ]);
  const submodules = Array.from(index.matchAll(/(?<=^|\0)160000 [^\t\0]*\t([^\0]*)/gu), ([, name = '']) =>
    path.resolve(settings.top, name),
  );
  const found: [FolderSettings, ...FolderSettings[]] = [settings];
  for (const submodule of submodules) {
    // A submodule that is not checked out has no settings; git would answer for the repository around it.
    if (await exists(path.join(submodule, '.git'))) found.push(...(await settingsAround(submodule, ask)));
  }
  return found;
}

/** Like `settingsAround`, for a command that enters submodules of any commit, which may no longer be in the index. */
export async function settingsBelow(
  folder: string,
  ask: AskGit,
  signal: AbortSignal,
): Promise<FoundSettings> {
  const [settings, ...inner] = await Promise.all([
    settingsIn(folder, ask),
    ask(folder, 'rev-parse', '--git-path', 'modules'),
    ask(folder, 'rev-parse', '--git-common-dir'),
  ]);
  const found: [FolderSettings, ...FolderSettings[]] = [settings];
  const tops = inner.filter((top) => top !== '').map((top) => path.resolve(folder, top));
  for (const nested of await nestedRepositories([settings.top, ...tops], signal)) {
    found.push(await settingsIn(nested, ask));
  }
  return found;
}

async function settingsIn(folder: string, ask: AskGit): Promise<FolderSettings> {
  const [list, places] = await Promise.all([
    // Works even if the user forbids repositories without a `.git`.
    ask(folder, '-c', 'safe.bareRepository=all', 'config', '--list', '--show-scope', '-z'),
    ask(folder, 'rev-parse', '--absolute-git-dir', '--git-path', INDEX_HOOK, '--show-toplevel'),
  ]);
  // A path with a line break would look like two paths.
  const [gitFolder = '', hook = '', top = '', ...more] = places.split(/\r?\n/u);
  if (more.length > 0) throw new Error('git printed more paths than expected');
  const hasHook = hook !== '' && (await exists(path.resolve(folder, hook)));
  return { ...readSettings(list), hasHook, folder, gitFolder, top: path.resolve(folder, top) };
}

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * Finds all folders in and below the given ones that are a repository or contain a `.git`, including submodules that
 * are not checked out and repositories that are in no index. Does not follow links.
 */
async function nestedRepositories(tops: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [...tops];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const entries = await listed(folder);
    const names = new Set(entries.map(({ name }) => name.toLowerCase()));
    if (names.has('.git') || (names.has('head') && names.has('objects'))) found.push(folder);
    for (const entry of entries) {
      const inner = path.join(folder, entry.name);
      if (entry.name.toLowerCase() === '.git') folders.push(path.join(inner, 'modules'));
      else if (entry.isDirectory()) folders.push(inner);
    }
  }
  return found;
}

/** Returns an empty list if the folder does not exist. */
async function listed(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return [];
    throw error;
  }
}
