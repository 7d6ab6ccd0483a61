import { lstatSync, readlinkSync, type BigIntStats, type Dirent } from 'node:fs';
import { chmod, readdir, realpath } from 'node:fs/promises';
import { limits } from '../../base/limits';
import { LONGEST_ROW } from '../../policy/paths/place-table';
import { ignoredFilter, type SecretName } from '../../policy/secrets';
import { bytePath, joinBytes, toBuffer, toText, type BytePath } from './byte-paths';
import { placeKinds, type PlaceKind, type PlaceKinds } from './place-kinds';

/** What commands may not read or change in writable folders. */
export interface GuardedTree {
  /**
   * Files, folders and links whose change asks for approval each time, with the targets of links. Includes everything
   * below them.
   */
  readonly protected: ReadonlyMap<BytePath, ProtectedEntry>;
  /** Folders called `.git`, if commands may write to existing ones. */
  readonly repositories: readonly BytePath[];
  /** Files that usually contain keys. */
  readonly secret: readonly BytePath[];
  /** Settings of version control that may have a key in an address; only their content shows it. */
  readonly maybeSecret: readonly BytePath[];
  /** Folders with output that builds can create again. */
  readonly caches: readonly BytePath[];
  /** Links with such names. Their targets are secret too. */
  readonly secretLinks: ReadonlyMap<BytePath, Secrecy>;
  /** Folders that cannot be read, and those that an ignore file for agents names. */
  readonly locked: readonly BytePath[];
  /** Ordinary files that are watched. */
  readonly files: ReadonlyMap<BytePath, SeenFile>;
}

/** Whether the name of a file shows that it contains keys, or only its content can. */
export type Secrecy = 'secret' | 'maybe';

export interface ProtectedEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** The target of a link. */
  readonly link?: BytePath;
}

/** Enough to notice a change: no program can set a file's change time. */
export interface SeenFile {
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly changed: bigint;
  /** Permission bits. */
  readonly mode: number;
  /** Whether it decides what builds, tests or scripts run. */
  readonly runsCode: boolean;
}

export interface LookOptions {
  readonly roots: readonly BytePath[];
  /** Patterns that the user added to the names of secret files. */
  readonly secretNames: readonly SecretName[];
  /** Whether commands may write to repositories, except to what decides what runs. */
  readonly isGitWritable: boolean;
  /** The files whose size and time are recorded too. */
  readonly watches: 'nothing' | 'what-runs' | 'all';
  /** Makes folders readable again that a command has locked. */
  readonly unlocks?: boolean;
  /** Folders to skip. */
  readonly skips?: ReadonlySet<BytePath>;
}

/** Whether a file is unchanged. */
export function isSame(one: SeenFile | undefined, other: SeenFile): boolean {
  return one?.size === other.size && one.changed === other.changed;
}

/** Thrown if there is too much to check before a command starts. */
export class TooMuchToGuard extends Error {
  override readonly name = 'TooMuchToGuard';
}

/** Like `lookAtTree`, for a repository's own folder that is elsewhere. */
export async function lookAtRepository(
  folder: BytePath,
  options: Omit<LookOptions, 'roots'>,
): Promise<GuardedTree> {
  const look = new TreeLook({ ...options, roots: [] });
  await look.repository(folder, 0);
  return look.tree;
}

/** Scans folders. Never follows a link. */
export async function lookAtTree(options: LookOptions): Promise<GuardedTree> {
  const look = new TreeLook(options);
  await Promise.all(options.roots.map((root) => look.root(root)));
  return look.tree;
}

/** Other version control is not scanned: it contains thousands of files. */
const UNSEARCHED: ReadonlySet<string> = new Set(['.hg', '.svn', '.jj']);

/** Folders among installed packages that are not packages. */
const CACHES: readonly string[] = ['.cache', '.vite', '.vite-temp', '.vitest'];
const QUIET = { throwIfNoEntry: false } as const;

const GIT_SETTINGS: ReadonlySet<string> = new Set(['config', 'config.worktree']);
/** Programs, and files that lead to other settings. */
const GIT_RUNS: ReadonlySet<string> = new Set(['hooks', 'commondir', 'gitdir']);
const GIT_NESTS: ReadonlySet<string> = new Set(['modules', 'worktrees']);
const HEAD = Buffer.from('HEAD');

interface TreePlace {
  readonly path: BytePath;
  /** The last components of its path. */
  readonly names: readonly string[];
  /** Whether it is in a protected folder. */
  readonly isKept: boolean;
}

class TreeLook {
  readonly protected = new Map<BytePath, ProtectedEntry>();
  readonly repositories: BytePath[] = [];
  readonly secret: BytePath[] = [];
  readonly maybeSecret: BytePath[] = [];
  readonly caches: BytePath[] = [];
  readonly secretLinks = new Map<BytePath, Secrecy>();
  readonly locked: BytePath[] = [];
  readonly files = new Map<BytePath, SeenFile>();
  private readonly kinds: PlaceKinds;
  /** Whether an ignore file for agents names a path. */
  private readonly isIgnored: (path: string) => boolean;
  private seen = 0;

  constructor(private readonly options: LookOptions) {
    this.kinds = placeKinds(options.secretNames);
    this.isIgnored = ignoredFilter({ platform: 'posix', added: options.secretNames });
  }

  get tree(): GuardedTree {
    const { protected: kept, repositories, secret, maybeSecret, secretLinks, caches, locked, files } = this;
    return { protected: kept, repositories, secret, maybeSecret, secretLinks, caches, locked, files };
  }

  root(root: BytePath): Promise<void> {
    return this.folder(root, [], false);
  }

  private async folder(folder: BytePath, names: readonly string[], isKept: boolean): Promise<void> {
    const entries = await this.entries(folder);
    this.count(entries.length, folder);
    const inner: Promise<void>[] = [];
    // No row of the tables is longer.
    const above = names.slice(1 - LONGEST_ROW);
    for (const entry of entries) {
      const name = bytePath(entry.name);
      const place: TreePlace = { path: joinBytes(folder, name), names: [...above, toText(name)], isKept };
      const kind = this.kinds.of(place.names);
      const path = toText(place.path);
      if (entry.isDirectory() && this.isIgnored(`${path}/`)) this.locked.push(place.path);
      else if (!entry.isDirectory() && this.isIgnored(path))
        this.file(entry, place, { ...kind, isSecret: true });
      else if (entry.isDirectory()) inner.push(this.inFolder(place, kind));
      else this.file(entry, place, kind);
    }
    await Promise.all(inner);
  }

  private async inFolder({ path, names, isKept }: TreePlace, kind: PlaceKind): Promise<void> {
    const name = names.at(-1) ?? '';
    const isProtected = kind.isProtected && !isKept;
    if (isProtected && name === '.git') {
      if (this.options.isGitWritable) this.repositories.push(path);
      else this.protected.set(path, { kind: 'folder' });
      return this.repository(path, 0);
    }
    if (isProtected) this.protected.set(path, { kind: 'folder' });
    if (kind.isInstalled && name === 'node_modules') {
      const caches = CACHES.map((cache) => joinBytes(path, cache));
      this.caches.push(...caches.filter((cache) => lstatSync(toBuffer(cache), QUIET)?.isDirectory()));
    }
    const isPassedOver = kind.isInstalled || UNSEARCHED.has(name) || this.options.skips?.has(path);
    if (!isPassedOver) await this.folder(path, names, isKept || isProtected);
  }

  private file(entry: Dirent<Buffer>, { path, isKept }: TreePlace, kind: PlaceKind): void {
    const isProtected = kind.isProtected && !isKept;
    if (isProtected) this.protected.set(path, protectedEntry(entry, path));
    if (kind.isSecret) this.secretFile(entry, path, 'secret');
    if (kind.maybeSecret) this.secretFile(entry, path, 'maybe');
    const { watches } = this.options;
    const isWatched = watches === 'all' || (watches === 'what-runs' && kind.runsCode);
    if (!isWatched || isProtected || isKept || !entry.isFile()) return;
    // Single asynchronous calls in the thread pool would take ten times as long.
    const stats = lstatSync(toBuffer(path), { bigint: true, throwIfNoEntry: false });
    if (stats) this.files.set(path, seenFile(stats, kind.runsCode));
  }

  private secretFile(entry: Dirent<Buffer>, path: BytePath, secrecy: Secrecy): void {
    if (entry.isSymbolicLink()) this.secretLinks.set(path, secrecy);
    else if (secrecy === 'secret') this.secret.push(path);
    else if (entry.isFile()) this.maybeSecret.push(path);
  }

  /** Scans a repository's own folder: of the repository, a submodule or a working tree. */
  async repository(folder: BytePath, depth: number): Promise<void> {
    if (depth > limits.pathLevels) throw new TooMuchToGuard(`Too deep: ${toText(folder)}`);
    for (const entry of await this.entries(folder)) {
      const name = toText(bytePath(entry.name));
      const path = joinBytes(folder, bytePath(entry.name));
      if (GIT_SETTINGS.has(name) || name === 'FETCH_HEAD') this.secretFile(entry, path, 'maybe');
      if (this.options.isGitWritable && (GIT_SETTINGS.has(name) || GIT_RUNS.has(name)))
        this.protected.set(path, protectedEntry(entry, path));
      if (name === 'info' && this.options.isGitWritable) await this.attributes(path);
      if (!entry.isDirectory() || !GIT_NESTS.has(name)) continue;
      await this.nested(path, depth + 1);
    }
  }

  /** Submodules may be deeper, by their names: `modules/libs/one`. */
  private async nested(folder: BytePath, depth: number): Promise<void> {
    const entries = await this.entries(folder);
    this.count(entries.length, folder);
    if (entries.some(({ name }) => name.equals(HEAD))) return this.repository(folder, depth);
    if (depth > limits.pathLevels) throw new TooMuchToGuard(`Too deep: ${toText(folder)}`);
    for (const entry of entries) {
      if (entry.isDirectory()) await this.nested(joinBytes(folder, bytePath(entry.name)), depth + 1);
    }
  }

  private async attributes(info: BytePath): Promise<void> {
    for (const entry of await this.entries(info)) {
      const path = joinBytes(info, bytePath(entry.name));
      if (toText(bytePath(entry.name)) === 'attributes')
        this.protected.set(path, protectedEntry(entry, path));
    }
  }

  private count(entries: number, folder: BytePath): void {
    this.seen += entries;
    if (this.seen > limits.sandboxEntries) throw new TooMuchToGuard(`Too many entries: ${toText(folder)}`);
  }

  private async entries(folder: BytePath): Promise<readonly Dirent<Buffer>[]> {
    try {
      return await readdir(toBuffer(folder), READ);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ENOENT' || code === 'ENOTDIR') return [];
      // Too deep for any path, so no editor or tool can read it by its path.
      if (code === 'ENAMETOOLONG') return [];
      if (code !== 'EACCES' && code !== 'EPERM')
        throw new TooMuchToGuard(`Cannot be read: ${toText(folder)}`, { cause: error });
      const entries = this.options.unlocks ? await this.unlocked(folder) : undefined;
      if (!entries) this.locked.push(folder);
      return entries ?? [];
    }
  }

  /** Unlocks a folder. Returns `undefined` if it belongs to another user; commands then cannot read it either. */
  private async unlocked(folder: BytePath): Promise<readonly Dirent<Buffer>[] | undefined> {
    try {
      await chmod(toBuffer(folder), 0o700);
      return await readdir(toBuffer(folder), READ);
    } catch {
      return undefined;
    }
  }
}

const READ = { withFileTypes: true, encoding: 'buffer' } as const;

function gone(): undefined {
  return undefined;
}

function seenFile({ size, ctimeNs, mode }: BigIntStats, runsCode: boolean): SeenFile {
  return { size: Number(size), changed: ctimeNs, mode: Number(mode) & 0o7777, runsCode };
}

function protectedEntry(entry: Dirent<Buffer>, path: BytePath): ProtectedEntry {
  if (entry.isSymbolicLink())
    return { kind: 'link', link: bytePath(readlinkSync(toBuffer(path), { encoding: 'buffer' })) };
  if (entry.isDirectory()) return { kind: 'folder' };
  return { kind: entry.isFile() ? 'file' : 'other' };
}

/** Resolves all links in a path; `undefined` if the target does not exist. */
export async function realBytes(path: BytePath): Promise<BytePath | undefined> {
  const real = await realpath(toBuffer(path), { encoding: 'buffer' }).catch(gone);
  return real === undefined ? undefined : bytePath(real);
}
