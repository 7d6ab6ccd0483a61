import type { BigIntStats, Dirent } from 'node:fs';
import { chmod, lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { limits } from '../../base/limits';
import { isInstalled, protectedRow } from '../../policy/paths/protected-places';
import { LONGEST_ROW } from '../../policy/paths/place-table';
import { markedRow } from '../../policy/paths/runs-code';
import { isSecretByContent, secretFilter } from '../../policy/secrets';
import { bytePath, joinBytes, toBuffer, toText, type BytePath } from './byte-paths';

/** What lies in folders that commands may write to, as far as they may not read or change it. */
export interface GuardedTree {
  /** Files, folders and links whose change asks each time, with where a link leads. What lies below them belongs to them. */
  readonly protected: ReadonlyMap<BytePath, ProtectedEntry>;
  /** Folders called `.git`, where commands may write to those that were there. */
  readonly repositories: readonly BytePath[];
  /** Files that usually hold keys. */
  readonly secret: readonly BytePath[];
  /** Settings of version control that may hold a key in an address; their content says. */
  readonly maybeSecret: readonly BytePath[];
  /** Folders that cannot be looked into. */
  readonly locked: readonly BytePath[];
  /** Ordinary files that are watched. */
  readonly files: ReadonlyMap<BytePath, SeenFile>;
}

interface ProtectedEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** What a link holds. */
  readonly link?: BytePath;
}

/** Enough to see that a file was changed: no program can set the time of its last change. */
export interface SeenFile {
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly changed: bigint;
  /** Permission bits. */
  readonly mode: number;
  /** It decides what builds, tests or scripts run. */
  readonly runsCode: boolean;
}

export interface LookOptions {
  readonly roots: readonly BytePath[];
  /** Patterns that the user added to the names of secret files. */
  readonly secretNames: readonly string[];
  /** Of a repository only what decides what runs is protected. */
  readonly isGitWritable: boolean;
  /** Which files are asked for their size and time as well. */
  readonly watches: 'nothing' | 'what-runs' | 'all';
  /** Makes folders readable that a command has locked. */
  readonly unlocks?: boolean;
  /** Folders that are passed over. */
  readonly skips?: ReadonlySet<string>;
}

/** Whether a file was not changed in between. */
export function isSame(one: SeenFile | undefined, other: SeenFile): boolean {
  return one?.size === other.size && one.changed === other.changed;
}

/** Thrown where there is more than can be looked at before a command starts. */
export class TooMuchToGuard extends Error {
  override readonly name = 'TooMuchToGuard';
}

/** The same of a repository's own folder that lies elsewhere. */
export async function lookAtRepository(
  folder: BytePath,
  options: Omit<LookOptions, 'roots'>,
): Promise<GuardedTree> {
  const look = new TreeLook({ ...options, roots: [] });
  await look.repository(folder, 0);
  return look.tree;
}

/** Never follows a link. */
export async function lookAtTree(options: LookOptions): Promise<GuardedTree> {
  const look = new TreeLook(options);
  await Promise.all(options.roots.map((root) => look.root(root)));
  return look.tree;
}

/** Of other version control nothing is looked at: it holds thousands of files. */
const UNSEARCHED: ReadonlySet<string> = new Set(['.hg', '.svn', '.jj']);

const GIT_SETTINGS: ReadonlySet<string> = new Set(['config', 'config.worktree']);
/** Programs, and what leads to other settings. */
const GIT_RUNS: ReadonlySet<string> = new Set(['hooks', 'commondir', 'gitdir']);
const GIT_NESTS: ReadonlySet<string> = new Set(['modules', 'worktrees']);
const HEAD = Buffer.from('HEAD');

class TreeLook {
  readonly protected = new Map<BytePath, ProtectedEntry>();
  readonly repositories: BytePath[] = [];
  readonly secret: BytePath[] = [];
  readonly maybeSecret: BytePath[] = [];
  readonly locked: BytePath[] = [];
  readonly files = new Map<BytePath, SeenFile>();
  private readonly isSecret: (path: string) => boolean;
  private seen = 0;

  constructor(private readonly options: LookOptions) {
    this.isSecret = secretFilter({ platform: 'posix', added: options.secretNames });
  }

  get tree(): GuardedTree {
    const { protected: kept, repositories, secret, maybeSecret, locked, files } = this;
    return { protected: kept, repositories, secret, maybeSecret, locked, files };
  }

  root(root: BytePath): Promise<void> {
    return this.folder(root, [], false);
  }

  private async folder(folder: BytePath, names: readonly string[], isProtected: boolean): Promise<void> {
    const entries = await this.entries(folder);
    this.count(entries.length, folder);
    const inner: Promise<void>[] = [];
    for (const entry of entries) {
      const name = bytePath(entry.name);
      const path = joinBytes(folder, name);
      // Of a longer path no row can say more.
      const below = [...names.slice(1 - LONGEST_ROW), toText(name)];
      inner.push(this.entry(entry, { path, names: below, isProtected }));
    }
    await Promise.all(inner);
  }

  private async entry(
    entry: Dirent<Buffer>,
    { path, names, isProtected }: { path: BytePath; names: readonly string[]; isProtected: boolean },
  ): Promise<void> {
    const row = isProtected ? undefined : protectedRow(names);
    const name = names.at(-1) ?? '';
    if (row && name === '.git' && entry.isDirectory()) {
      if (this.options.isGitWritable) this.repositories.push(path);
      else this.protected.set(path, { kind: 'folder' });
      await this.repository(path, 0);
      return;
    }
    if (row) this.protected.set(path, await protectedEntry(entry, path));
    if (entry.isDirectory()) {
      if ((row && isInstalled(row)) || UNSEARCHED.has(name) || this.options.skips?.has(path)) return;
      await this.folder(path, names, isProtected || row !== undefined);
      return;
    }
    if (this.isSecret(names.join('/'))) this.secret.push(path);
    else if (isSecretByContent(names.join('/'))) this.maybeSecret.push(path);
    const runsCode = this.options.watches !== 'nothing' && markedRow(names) !== undefined;
    const isWatched = runsCode || this.options.watches === 'all';
    if (isWatched && !isProtected && !row && entry.isFile()) await this.file(path, runsCode);
  }

  /** A repository's own folder, of itself, a submodule or a working tree. */
  async repository(folder: BytePath, depth: number): Promise<void> {
    if (depth > limits.pathLevels) throw new TooMuchToGuard(`Too deep: ${toText(folder)}`);
    for (const entry of await this.entries(folder)) {
      const name = toText(bytePath(entry.name));
      const path = joinBytes(folder, bytePath(entry.name));
      if (entry.isFile() && GIT_SETTINGS.has(name)) this.maybeSecret.push(path);
      if (entry.isFile() && name === 'FETCH_HEAD') this.maybeSecret.push(path);
      if (this.options.isGitWritable && (GIT_SETTINGS.has(name) || GIT_RUNS.has(name)))
        this.protected.set(path, await protectedEntry(entry, path));
      if (name === 'info' && this.options.isGitWritable) await this.attributes(path);
      if (!entry.isDirectory() || !GIT_NESTS.has(name)) continue;
      await this.nested(path, depth + 1);
    }
  }

  /** Submodules may lie deeper, by their names: `modules/libs/one`. */
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
        this.protected.set(path, await protectedEntry(entry, path));
    }
  }

  private count(entries: number, folder: BytePath): void {
    this.seen += entries;
    if (this.seen > limits.sandboxEntries) throw new TooMuchToGuard(`Too many entries: ${toText(folder)}`);
  }

  private async file(path: BytePath, runsCode: boolean): Promise<void> {
    const stats = await lstat(toBuffer(path), { bigint: true }).catch(gone);
    if (stats) this.files.set(path, seenFile(stats, runsCode));
  }

  private async entries(folder: BytePath): Promise<readonly Dirent<Buffer>[]> {
    try {
      return await readdir(toBuffer(folder), READ);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ENOENT' || code === 'ENOTDIR') return [];
      // Deeper than any path reaches, so no editor and no tool reads it by one.
      if (code === 'ENAMETOOLONG' && this.options.unlocks) return [];
      if (code !== 'EACCES' && code !== 'EPERM') throw error;
      if (!this.options.unlocks) {
        this.locked.push(folder);
        return [];
      }
      await chmod(toBuffer(folder), 0o700);
      return readdir(toBuffer(folder), READ);
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

async function protectedEntry(entry: Dirent<Buffer>, path: BytePath): Promise<ProtectedEntry> {
  if (entry.isSymbolicLink())
    return { kind: 'link', link: bytePath(await readlink(toBuffer(path), { encoding: 'buffer' })) };
  if (entry.isDirectory()) return { kind: 'folder' };
  return { kind: entry.isFile() ? 'file' : 'other' };
}

/** Where a path leads with all links followed; nothing where it leads nowhere. */
export async function realBytes(path: BytePath): Promise<BytePath | undefined> {
  const real = await realpath(toBuffer(path), { encoding: 'buffer' }).catch(gone);
  return real === undefined ? undefined : bytePath(real);
}
