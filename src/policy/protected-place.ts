import { follow } from './follow';
import { limits } from './limits';
import type { PathFileSystem } from './path-file-system';
import { below, join } from './path-text';
import { isProtected, leadsToProtected } from './protected';

interface Entry {
  readonly path: string;
  /** The components below the root. */
  readonly names: readonly string[];
}

export interface Change {
  /** Whether what lies below the entry goes with it. */
  readonly takesAll: boolean;
  /** What comes to lie at the entry, with all that lies below it. */
  readonly arriving: string | undefined;
  /** The components below the root under each name the place has: as asked, as entry, as target. */
  readonly names: readonly (readonly string[])[];
  readonly entry: Entry;
  readonly target: string;
  readonly root: string;
  /** Folders with Parley's own data. */
  readonly ownFolders: readonly string[];
}

/** Why a change at a place inside the workspace is asked every time, if it is. */
export async function whyProtected(change: Change, files: PathFileSystem): Promise<string | undefined> {
  if (change.names.some((row) => isProtected(row, files.platform))) return 'protected path';
  for (const name of (await files.entries(change.root)) ?? []) {
    const link = join(change.root, name, files.platform);
    if (!isProtected([name], files.platform) || (await files.kind(link)) !== 'link') continue;
    if (await liesIn(link, change, files)) return `protected path under another name, ${name}`;
  }
  for (const folder of change.ownFolders) {
    if (await liesIn(folder, change, files)) return 'data of Parley itself';
  }
  if (!change.takesAll) return undefined;
  if (change.names.some((row) => leadsToProtected(row, files.platform))) return 'may hold protected paths';
  return (
    (await whyHoldsProtected(change.entry, files)) ??
    (change.arriving === undefined
      ? undefined
      : whyHoldsProtected({ path: change.arriving, names: change.entry.names }, files))
  );
}

/** Deleting or moving a folder does the same to everything in it. */
async function whyHoldsProtected(folder: Entry, files: PathFileSystem): Promise<string | undefined> {
  const queue = [folder];
  let seen = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if ((await files.kind(at.path)) !== 'directory') continue;
    for (const name of (await files.entries(at.path)) ?? []) {
      const inner = { path: join(at.path, name, files.platform), names: [...at.names, name] };
      if (isProtected(inner.names, files.platform))
        return `holds the protected path ${inner.names.join('/')}`;
      seen += 1;
      if (seen > limits.listEntries) return 'too many files to look for protected ones';
      queue.push(inner);
    }
  }
  return undefined;
}

async function liesIn(folder: string, { entry, target }: Change, files: PathFileSystem): Promise<boolean> {
  const real = await follow(folder, files);
  return [entry.path, target].some((path) => below(real, path, files) !== undefined);
}
