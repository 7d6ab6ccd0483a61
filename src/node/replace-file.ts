import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { access, constants, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '../core/tool';

export interface Replacement {
  readonly path: string;
  readonly bytes: Buffer;
  /** The file as it was when its text was compared. */
  readonly stats: Stats;
  /** Throws when the path leads elsewhere by now. */
  readonly check: () => Promise<void>;
}

/** Puts a new content in place of a file in one step; mode and owner stay. */
export async function replaceFile({ path: file, bytes, stats, check }: Replacement): Promise<void> {
  await access(file, constants.W_OK);
  // In the same folder: were the folder exchanged for a link, the rename would not find it.
  const temporary = path.join(path.dirname(file), `.parley-${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      const own = await handle.stat();
      if (own.uid !== stats.uid || own.gid !== stats.gid) await handle.chown(stats.uid, stats.gid);
      await handle.chmod(stats.mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await check();
    if (!isSame(await lstat(file), stats))
      throw new ToolError('The file changed while it was written. Read it again.');
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
  await check();
}

/** Writes a file where nothing is yet, with its folders. */
export async function createFile({ path: file, bytes, check }: Omit<Replacement, 'stats'>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await check();
  // `wx` follows no link and takes no file that has come to be there.
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
    await check();
  } catch (error) {
    // The path may lead elsewhere by now; only what was made here may go.
    const [own, there] = [await handle.stat(), await lstat(file).catch(() => undefined)];
    if (there?.ino === own.ino && there.dev === own.dev) await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await syncFolder(path.dirname(file));
}

function isSame(now: Stats, then: Stats): boolean {
  return (
    now.ino === then.ino && now.dev === then.dev && now.size === then.size && now.mtimeMs === then.mtimeMs
  );
}

/** A rename is on the disk only when its folder is. Windows cannot open folders and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
