import { opendir } from 'node:fs/promises';
import path from 'node:path';
import type { FileCount } from '../tools/workspace';

/** Whatever lies below a folder and is no folder itself, hidden and ignored ones too. Links are not followed. */
export async function countFiles(folder: string, most: number, signal: AbortSignal): Promise<FileCount> {
  const queue = [folder];
  let files = 0;
  let seen = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for await (const entry of await opendir(at)) {
      signal.throwIfAborted();
      if (seen === most) return { files, isMore: true };
      seen += 1;
      if (entry.isDirectory()) queue.push(path.join(at, entry.name));
      else files += 1;
    }
  }
  return { files, isMore: false };
}
