import { lstatSync, readdirSync, readlinkSync, watch, type BigIntStats, type FSWatcher } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Disposable } from '../../base/disposable';
import { limits } from '../../base/limits';
import { bytePath, joinBytes, toBuffer, toText, type BytePath } from './byte-paths';
import {
  isGitProtected,
  isSearched,
  namesBelow,
  type FolderKind,
  type GuardedTree,
  type LookOptions,
} from './guarded-tree';
import { OpenFolder } from './open-folder';
import { placeKinds, type PlaceKinds } from './place-kinds';

interface ProtectedWatchOptions {
  /** What was there before. */
  readonly before: GuardedTree;
  readonly look: Omit<LookOptions, 'roots'>;
  /** Called with what commands may not create, possibly several times. */
  readonly onAppeared: (at: BytePath) => void;
}

interface WatchedFolder {
  readonly kind: FolderKind;
  /** Nanoseconds since 1970. No program can set a folder's change time. */
  changed: bigint;
  readonly inode: bigint;
  readonly watcher: FSWatcher | undefined;
}

/**
 * Notices what commands may not create while they run. The system reports new entries at once, but it may refuse to
 * watch so many folders, or lose reports in a flood; so the change times of all folders are compared regularly, too.
 */
export class ProtectedWatch implements Disposable {
  private readonly folders = new Map<BytePath, WatchedFolder>();
  private readonly kinds: PlaceKinds;
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(private readonly options: ProtectedWatchOptions) {
    this.kinds = placeKinds(options.look.secretNames);
  }

  /** Resolves when all folders are watched. */
  async begin(): Promise<void> {
    let count = 0;
    for (const [at, kind] of this.options.before.folders) {
      if (this.isDisposed) return;
      this.add(at, kind);
      count += 1;
      if (count % AT_ONCE === 0) await nextTurn();
    }
    this.timer = setInterval(() => void this.compare(), limits.sandboxWatchMs);
    this.timer.unref();
  }

  /** Searches the folders that have changed since they were last searched. */
  async compare(): Promise<void> {
    let count = 0;
    for (const [at, folder] of [...this.folders]) {
      if (this.isDisposed) return;
      const stats = lstatOf(at);
      if (stats?.ino !== folder.inode) this.remove(at);
      else if (stats.ctimeNs !== folder.changed) {
        folder.changed = stats.ctimeNs;
        this.search(at, folder.kind);
      }
      count += 1;
      if (count % AT_ONCE === 0) await nextTurn();
    }
  }

  dispose(): void {
    this.isDisposed = true;
    clearInterval(this.timer);
    for (const at of [...this.folders.keys()]) this.remove(at);
  }

  private add(at: BytePath, kind: FolderKind): void {
    if (this.folders.size >= limits.sandboxWatchedFolders) return;
    const folder = OpenFolder.at(at);
    if (!folder) return;
    try {
      const stats = lstatSync(folder.entry('.'), { bigint: true });
      const watcher = this.watcher(folder, at, kind);
      this.remove(at);
      this.folders.set(at, { kind, changed: stats.ctimeNs, inode: stats.ino, watcher });
    } catch {
      // It was removed meanwhile.
    } finally {
      folder.dispose();
    }
  }

  private watcher(folder: OpenFolder, at: BytePath, kind: FolderKind): FSWatcher | undefined {
    try {
      const options = { persistent: false, encoding: 'buffer' } as const;
      const watcher = watch(folder.self, options, (event, name) => {
        if (event === 'rename' && name !== null) this.appeared(at, bytePath(name), kind);
      });
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch {
      // The system watches no more folders.
      return undefined;
    }
  }

  private remove(at: BytePath): void {
    this.folders.get(at)?.watcher?.close();
    this.folders.delete(at);
  }

  private search(at: BytePath, kind: FolderKind): void {
    const folder = OpenFolder.at(at);
    if (!folder) return;
    try {
      const names = readdirSync(folder.self, { encoding: 'buffer' });
      for (const name of names) this.appeared(at, bytePath(name), kind);
    } catch {
      // It cannot be read, or was removed meanwhile.
    } finally {
      folder.dispose();
    }
  }

  private appeared(folder: BytePath, name: BytePath, above: FolderKind): void {
    if (this.isDisposed) return;
    const at = joinBytes(folder, name);
    const stats = lstatOf(at);
    if (!stats) return;
    if (above === 'repository' || above === 'attributes') {
      if (isGitProtected(toText(name), above) && this.isNew(at, stats)) this.options.onAppeared(at);
      return;
    }
    const names = namesBelow(above, toText(name));
    const kind = this.kinds.of(names);
    if (kind.isProtected) {
      if (this.isNew(at, stats)) this.options.onAppeared(at);
    } else if (stats.isDirectory() && isSearched(at, toText(name), kind, this.options.look)) {
      if (this.folders.get(at)?.inode === stats.ino) return;
      this.add(at, names);
      // What was created in it before it was watched.
      if (names.length > 0 && this.folders.has(at)) this.search(at, names);
    }
  }

  private isNew(at: BytePath, stats: BigIntStats): boolean {
    const { protected: entries, repositories } = this.options.before;
    if (repositories.includes(at) && stats.isDirectory()) return false;
    const known = entries.get(at);
    if (!known) return true;
    if (stats.isSymbolicLink()) return known.kind !== 'link' || known.link !== linkOf(at);
    return known.kind !== (stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other');
  }
}

/** Folders handled before other work gets its turn. */
const AT_ONCE = 200;

function lstatOf(at: BytePath): BigIntStats | undefined {
  try {
    return lstatSync(toBuffer(at), { bigint: true, throwIfNoEntry: false });
  } catch {
    // The path is too long or leads through a file.
    return undefined;
  }
}

function linkOf(at: BytePath): BytePath | undefined {
  try {
    return bytePath(readlinkSync(toBuffer(at), { encoding: 'buffer' }));
  } catch {
    return undefined;
  }
}
