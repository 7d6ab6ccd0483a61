import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import type { BytePath } from './byte-paths';
import type { GuardedTree } from './guarded-tree';
import type { Layout, Look } from './layout';
import { AsideFolder } from './set-aside';
import { tidyUp, type TidiedUp } from './tidy-up';

/** What is needed to clean up after a command even if this process was killed. */
interface Running {
  readonly pid: number;
  /** Distinguishes this process from a later one with the same id. */
  readonly start: string;
  readonly writable: readonly BytePath[];
  readonly isGitWritable: boolean;
  readonly skips: readonly BytePath[];
  readonly protected: readonly (readonly [BytePath, 'file' | 'folder' | 'link' | 'other', BytePath | null])[];
  readonly repositories: readonly BytePath[];
  readonly leads: readonly (readonly [BytePath, BytePath | null])[];
  readonly elsewhere: readonly BytePath[];
  readonly isBackground?: boolean;
}

interface JournalEntry {
  /** For entries that the command may not create. */
  readonly aside: AsideFolder;
  end(): Promise<void>;
}

/** What a command of a killed process left behind. */
interface Recovered extends TidiedUp {
  readonly aside: AsideFolder;
  readonly writable: readonly BytePath[];
}

/** Records the commands that run in the sandbox, one file each. */
export class Journal {
  constructor(private readonly folder: string) {}

  async begin(
    layout: Omit<Layout, 'mounts' | 'home' | 'searchPath'>,
    isBackground: boolean,
  ): Promise<JournalEntry> {
    const { before, leads, look, repositories, writable } = layout;
    const id = randomUUID();
    const file = path.join(this.folder, `${id}.json`);
    const running: Running = {
      pid: process.pid,
      start: await startOf(process.pid),
      writable,
      isGitWritable: look.isGitWritable,
      skips: [...look.skips, ...before.locked],
      protected: [...before.protected].map(([at, { kind, link }]) => [at, kind, link ?? null]),
      repositories: before.repositories,
      leads: [...leads].map(([at, to]) => [at, to ?? null]),
      elsewhere: repositories,
      isBackground,
    };
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    if (!(await this.isOurs())) throw new Error(`${this.folder} belongs to another user`);
    await writeFile(file, JSON.stringify(running), { mode: 0o600, flag: 'wx' });
    return { aside: this.asideFor(id), end: () => rm(file, { force: true }) };
  }

  /** Cleans up what commands of killed processes left below these folders. Never rejects. */
  async recover(roots: readonly BytePath[]): Promise<readonly Recovered[]> {
    const names = (await this.isOurs()) ? await readdir(this.folder) : [];
    const recovered: Recovered[] = [];
    for (const name of names.filter((each) => each.endsWith('.json'))) {
      const file = path.join(this.folder, name);
      const running = await readEntry(file);
      if (!running || !running.writable.some((root) => roots.includes(root))) continue;
      if (running.start === (await startOf(running.pid))) continue;
      recovered.push(await recoverOne(running, this.asideFor(path.basename(name, '.json'))));
      await rm(file, { force: true });
    }
    await this.forgetOld();
    return recovered;
  }

  /** In a world-writable folder, another user may have created one with this name. */
  private async isOurs(): Promise<boolean> {
    const stats = await lstat(this.folder).catch(() => undefined);
    return stats?.isDirectory() === true && stats.uid === process.getuid?.();
  }

  private asideFor(id: string): AsideFolder {
    return new AsideFolder(path.join(this.folder, 'removed', id));
  }

  /** Deletes entries that were removed long ago. */
  private async forgetOld(): Promise<void> {
    const folder = path.join(this.folder, 'removed');
    for (const name of await readdir(folder).catch(() => [])) {
      const aside = path.join(folder, name);
      const stats = await stat(aside).catch(() => undefined);
      if (stats && Date.now() - stats.mtimeMs > limits.sandboxKeptMs)
        await rm(aside, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

async function recoverOne(
  { writable, isGitWritable, isBackground = false, ...running }: Running,
  aside: AsideFolder,
): Promise<Recovered> {
  const before: GuardedTree = {
    protected: new Map(
      running.protected.map(([at, kind, link]) => [at, { kind, ...(link !== null && { link }) }]),
    ),
    repositories: running.repositories,
    secret: [],
    maybeSecret: [],
    caches: [],
    secretLinks: new Map(),
    locked: [],
    files: new Map(),
    folders: new Map(),
  };
  const leads = new Map(running.leads.map(([at, to]) => [at, to ?? undefined]));
  const look: Look = { isGitWritable, secretNames: [], watches: 'nothing', skips: new Set(running.skips) };
  const repositories = running.elsewhere;
  const isOwn = (): boolean => false;
  const tidied = await tidyUp({ before, leads, repositories, writable, look, aside, isBackground, isOwn });
  return { ...tidied, aside, writable };
}

async function readEntry(file: string): Promise<Running | undefined> {
  try {
    // SAFETY: only we write to the folder.
    return JSON.parse(await readFile(file, 'utf8')) as Running;
  } catch {
    return undefined;
  }
}

/** The start time of a process, in the kernel's ticks; empty if there is no such process. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
