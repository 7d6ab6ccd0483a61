import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rm,
  stat,
  unlink,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Blanks } from './mounts';

const PREFIX = 'parley-sandbox-';

/** A folder for the sandbox files of this process, which other users cannot read. Removed on dispose. */
export class PrivateFolder {
  private made: Promise<string> | undefined;
  private files = 0;

  get(): Promise<string> {
    this.made ??= make();
    return this.made;
  }

  /** Writes a file with this content that only this process uses. */
  async write(content: string | Buffer): Promise<string> {
    const folder = await this.get();
    this.files += 1;
    const file = path.join(folder, `f${this.files}`);
    await writeFile(file, content, { mode: 0o400, flag: 'wx' });
    return file;
  }

  /** Opens a new file with this content for reading and removes it from the folder. */
  async open(content: Buffer): Promise<FileHandle> {
    const file = await this.write(content);
    const handle = await open(file, 'r');
    await unlink(file);
    return handle;
  }

  async blanks(): Promise<Blanks> {
    const folder = await this.get();
    return { file: path.join(folder, 'empty-file'), folder: path.join(folder, 'empty-folder') };
  }

  /** The folder that commands keep caches in for later commands. */
  async caches(): Promise<string> {
    return path.join(await this.get(), 'caches');
  }

  async remove(): Promise<void> {
    const made = await this.made?.catch(() => undefined);
    this.made = undefined;
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  }
}

async function make(): Promise<string> {
  await removeOld();
  const folder = await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  await writeFile(path.join(folder, 'empty-file'), '', { mode: 0o000, flag: 'wx' });
  await mkdir(path.join(folder, 'caches'), { mode: 0o700 });
  await mkdir(path.join(folder, 'empty-folder'));
  await chmod(path.join(folder, 'empty-folder'), 0o000);
  return folder;
}

/** Removes folders of this user's processes that were killed. */
async function removeOld(): Promise<void> {
  const names = (await readdir(os.tmpdir()).catch(() => [])).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const pid = Number(/^\d+/u.exec(name.slice(PREFIX.length))?.[0] ?? process.pid);
    const folder = path.join(os.tmpdir(), name);
    const stats = await stat(folder).catch(() => undefined);
    if (isRunning(pid) || stats?.uid !== process.getuid?.()) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
