import { existsSync } from 'node:fs';
import path from 'node:path';

/** The first program of these names on the PATH. */
export function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return firstExisting(names.flatMap((name) => folders.map((folder) => path.join(folder, name))));
}

export function firstExisting(files: readonly string[]): string | undefined {
  return files.find((file) => existsSync(file));
}
