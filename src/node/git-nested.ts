import { readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * The folders in and below some folders that are a repository or hold its `.git`, submodules that are put away too, and
 * whatever no index names. Links are not followed.
 */
export async function nestedRepositories(
  tops: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
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

/** Nothing where there is no folder. */
async function listed(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return [];
    throw error;
  }
}
