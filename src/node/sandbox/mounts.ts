import { bytePath, isBelow, parentOf, type BytePath } from './byte-paths';
import type { GuardedTree } from './guarded-tree';

/** What the sandbox shows at a place. */
export type Mount =
  /** The same place outside, for reading or writing. */
  | { readonly type: 'read' | 'write'; readonly at: BytePath }
  /** Another file instead. */
  | { readonly type: 'copy'; readonly at: BytePath; readonly from: BytePath }
  /** Something empty that cannot be read. */
  | { readonly type: 'hidden'; readonly at: BytePath; readonly kind: 'file' | 'folder' }
  /** An empty folder for this command alone. */
  | { readonly type: 'private'; readonly at: BytePath }
  /** A folder that all commands of this process share; others cannot see it. */
  | { readonly type: 'shared'; readonly at: BytePath; readonly from: BytePath }
  | { readonly type: 'link'; readonly at: BytePath; readonly to: BytePath };

/** What is shown instead of hidden entries. */
export interface Blanks {
  /** An empty file and an empty folder, without any permission. */
  readonly file: string;
  readonly folder: string;
}

/** Returns the options of `bwrap` for the mounts, in order. */
export function mountOptions(mounts: readonly Mount[], blanks: Blanks): readonly string[] {
  return mounts.flatMap((mount) => {
    switch (mount.type) {
      case 'read':
        return ['--ro-bind', mount.at, mount.at];
      case 'write':
        return ['--bind', mount.at, mount.at];
      case 'copy':
        return ['--ro-bind', mount.from, mount.at];
      case 'hidden':
        return ['--ro-bind', bytePath(blanks[mount.kind]), mount.at];
      case 'private':
        return ['--tmpfs', mount.at];
      case 'shared':
        return ['--bind', mount.from, mount.at];
      case 'link':
        return ['--symlink', mount.to, mount.at];
    }
  });
}

interface TreeMounts {
  /** Writable folders, and the folders around what is protected. */
  readonly roots: readonly BytePath[];
  readonly tree: GuardedTree;
  /** Targets of protected links, if they are in the roots. */
  readonly targets: readonly BytePath[];
  /** For settings that contain a key: the copy without it. */
  readonly copies: ReadonlyMap<BytePath, BytePath>;
  /** Folders with our own data. */
  readonly ownFolders: readonly BytePath[];
}

/**
 * Mounts that protect entries in writable folders and hide secret ones. Every folder on the path to such an entry
 * becomes a mount too: a mount point cannot be renamed, so nothing can take its place.
 */
export function treeMounts({ roots, tree, targets, copies, ownFolders }: TreeMounts): readonly Mount[] {
  const guards = new Map<BytePath, Mount>();
  for (const [at, { kind }] of tree.protected) if (kind !== 'link') guards.set(at, { type: 'read', at });
  for (const at of targets) guards.set(at, { type: 'read', at });
  for (const at of tree.repositories) guards.set(at, { type: 'write', at });
  for (const at of tree.secret) guards.set(at, { type: 'hidden', at, kind: 'file' });
  for (const at of tree.caches) guards.set(at, { type: 'private', at });
  for (const at of tree.locked) guards.set(at, { type: 'hidden', at, kind: 'folder' });
  for (const [at, from] of copies) guards.set(at, { type: 'copy', at, from });
  for (const at of ownFolders) {
    if (roots.some((root) => isBelow(at, root))) guards.set(at, { type: 'hidden', at, kind: 'folder' });
  }
  const isKept = (path: BytePath): boolean =>
    [...above(path)].some((folder) => guards.get(folder)?.type === 'read');
  const isHidden = (path: BytePath): boolean =>
    [...above(path)].some((folder) => guards.get(folder)?.type === 'hidden');
  const pins = new Map<BytePath, Mount>();
  for (const at of [...guards.keys(), ...tree.protected.keys()]) {
    if (isKept(at) || isHidden(at)) continue;
    for (let folder = parentOf(at); !guards.has(folder); folder = parentOf(folder)) {
      if (pins.has(folder) || roots.includes(folder) || !roots.some((root) => isBelow(folder, root))) break;
      pins.set(folder, { type: 'write', at: folder });
    }
  }
  // A repository in a read-only folder stays read-only.
  const wanted = [...guards.values()].filter(
    ({ type, at }) => !isHidden(at) && !((type === 'read' || type === 'write') && isKept(at)),
  );
  return byDepth([...pins.values(), ...wanted]);
}

function* above(path: BytePath): Generator<BytePath> {
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) yield at;
}

/** Sorts outer folders first: a later mount covers what was mounted below it. */
export function byDepth(mounts: readonly Mount[]): readonly Mount[] {
  const depth = ({ at }: Mount): number => at.split('/').length;
  return [...mounts].sort((a, b) => depth(a) - depth(b));
}
