import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Returns everything below a folder, one line each: `a/`, `a/x: content`, `l -> target`. Links are not followed. */
export function folderSnapshot(folder: string, below = ''): readonly string[] {
  const entries = readdirSync(path.join(folder, below), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isSymbolicLink()) return [`${name} -> ${readlinkSync(path.join(folder, name))}`];
      if (entry.isDirectory()) return [`${name}/`, ...folderSnapshot(folder, name)];
      return [`${name}: ${entry.isFile() ? readFileSync(path.join(folder, name), 'utf8') : '(pipe)'}`];
    })
    .sort();
}
