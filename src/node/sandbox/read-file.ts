import { constants, open } from 'node:fs/promises';
import { limits } from '../../base/limits';
import { toBuffer, type BytePath } from './byte-paths';

/** Reads an ordinary file of the workspace. A command may have replaced it with a link, a pipe or something endless. */
export async function readOrdinary(
  file: BytePath,
  most = limits.sandboxKeptFileBytes,
): Promise<Buffer | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(toBuffer(file), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (!handle) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > most) return undefined;
    return await handle.readFile();
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
