import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  access,
  constants,
  link,
  lstat,
  mkdir,
  open,
  rename,
  rm,
  rmdir,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import { whileBusy } from '../../base/busy';
import { ToolError } from '../../core/words/tool';

interface NewFile {
  readonly path: string;
  readonly bytes: Buffer;
  /** Permission bits; those of any new file if not given. */
  readonly mode?: number;
  /** Throws if the path now leads elsewhere. */
  readonly check: () => Promise<void>;
}

interface Replacement extends NewFile {
  /** The content that is replaced. */
  readonly before: Buffer;
  /** The file as it was when that content was read. */
  readonly stats: Stats;
  readonly platform?: NodeJS.Platform;
}

/**
 * Replaces the content of a file; mode and owner stay. Undoes the change if a later step fails. Atomic, except on
 * Windows, where a new file would lose access rights and streams: there a copy is beside the file until it is whole.
 */
export async function replaceFile(given: Replacement): Promise<void> {
  const { path: file, bytes, before, stats, check, platform = process.platform } = given;
  await access(file, constants.W_OK);
  if (platform === 'win32') return writeInPlace(given);
  const isDone = await withTemporary({ path: file, bytes, check }, 0o600, async (temporary, handle) => {
    if (!(await takesOwner(handle, stats))) {
      await rm(temporary, { force: true });
      return false;
    }
    await handle.chmod(stats.mode & 0o7777);
    await handle.sync();
    await check();
    if (!isUnchanged(await lstat(file), stats))
      throw new ToolError('The file changed while it was written. Read it again.');
    await whileBusy(() => rename(temporary, file));
    try {
      await syncFolder(path.dirname(file));
      await check();
    } catch (error) {
      // The path may now lead elsewhere; the open file is the one that was written.
      await overwrite(handle, before);
      throw error;
    }
    return true;
  });
  if (!isDone) await writeInPlace(given);
}

/** Returns whether a new file could get the owner and the group, which its folder may have set otherwise. */
async function takesOwner(handle: FileHandle, { uid, gid }: Stats): Promise<boolean> {
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return true;
  try {
    await handle.chown(uid, gid);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') return false;
    throw error;
  }
}

async function writeInPlace({ path: file, bytes, before, stats, check }: Replacement): Promise<void> {
  await withTemporary({ path: file, bytes: before, check }, 0o600, async (copy, copied) => {
    await copied.sync();
    const handle = await whileBusy(() => open(file, 'r+'));
    try {
      await check();
      if (!isUnchanged(await handle.stat(), stats))
        throw new ToolError('The file changed while it was written. Read it again.');
      try {
        await overwrite(handle, bytes);
        await check();
      } catch (error) {
        await overwrite(handle, before);
        throw error;
      }
    } finally {
      await handle.close();
    }
    await rm(copy, { force: true });
  });
}

/** Writes a new file and its folders. It appears whole or not at all. */
export async function createFile({ path: file, bytes, mode, check }: NewFile): Promise<void> {
  const made = await mkdir(path.dirname(file), { recursive: true });
  try {
    await withTemporary({ path: file, bytes, check }, 0o666, async (temporary, handle) => {
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
      await check();
      const placed = await place(temporary, file, { handle, bytes });
      try {
        if (mode !== undefined && placed !== handle) await placed.chmod(mode);
        await rm(temporary, { force: true });
        await syncFolder(path.dirname(file));
        await check();
      } catch (error) {
        await takeAway(placed, file);
        throw error;
      } finally {
        if (placed !== handle) await placed.close();
      }
    });
  } catch (error) {
    if (made !== undefined) await removeFolders(path.dirname(file), made);
    throw error;
  }
}

/** Removes a file if it has not changed since it was read. */
export async function removeFile({
  path: file,
  stats,
  check,
}: Pick<Replacement, 'path' | 'stats' | 'check'>): Promise<void> {
  await check();
  if (!isUnchanged(await lstat(file), stats))
    throw new ToolError('The file changed before it was removed. Read it again.');
  await unlink(file);
  await syncFolder(path.dirname(file));
}

/**
 * Writes the content to a temporary file and passes it on, then removes what is left. Uses the same folder: if the
 * folder is exchanged for a link, the rename fails.
 */
async function withTemporary<Result>(
  { path: file, bytes, check }: NewFile,
  mode: number,
  use: (temporary: string, handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const temporary = path.join(path.dirname(file), `.parley-${randomUUID()}.tmp`);
  const handle = await open(temporary, 'wx', mode);
  try {
    // Write only after checking that it is in the right folder.
    await check();
    if (!isSame(await lstat(temporary), await handle.stat()))
      throw new ToolError('The folder was exchanged. List it again.');
    await handle.writeFile(bytes);
    return await use(temporary, handle);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Gives the file its name; neither way follows a link or replaces a file that has appeared there. */
async function place(
  temporary: string,
  file: string,
  { handle, bytes }: { readonly handle: FileHandle; readonly bytes: Buffer },
): Promise<FileHandle> {
  try {
    await link(temporary, file);
    return handle;
  } catch (error) {
    // Systems name a file system without hard links in many ways: FAT, exFAT, shares. If it is something else, the
    // second way fails too and says what.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
  }
  const written = await open(file, 'wx');
  try {
    await written.writeFile(bytes);
    await written.sync();
    return written;
  } catch (error) {
    await takeAway(written, file);
    await written.close();
    throw error;
  }
}

/** Removes a file that was created here, or empties it if the path now leads elsewhere. */
async function takeAway(handle: FileHandle, file: string): Promise<void> {
  const there = await lstat(file).catch(() => undefined);
  if (there && isSame(there, await handle.stat())) await rm(file, { force: true });
  else await overwrite(handle, Buffer.alloc(0));
}

async function overwrite(handle: FileHandle, bytes: Buffer): Promise<void> {
  await handle.truncate(bytes.length);
  for (let at = 0; at < bytes.length;) {
    at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
  }
  await handle.sync();
}

/** From the deepest to the first created folder, as far as they are empty. */
export async function removeFolders(deepest: string, first: string): Promise<void> {
  for (let folder = deepest; folder.length >= first.length; folder = path.dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      // It has other contents or is gone: not ours to remove.
      return;
    }
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

function isUnchanged(now: Stats, then: Stats): boolean {
  return isSame(now, then) && now.size === then.size && now.mtimeMs === then.mtimeMs;
}

/** A rename is on disk only when its folder is flushed. Windows cannot open folders and does not need this. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
