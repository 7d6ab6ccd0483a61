import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, rename, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { spawnProgram } from '../processes/child-process';
import { bytePath, joinBytes, nameOf, parentOf, toBuffer, type BytePath } from './byte-paths';
import { OpenFolder } from './open-folder';

/** An entry of a workspace folder that was moved away. */
export interface MovedEntry {
  /** Where it was. */
  readonly at: BytePath;
  /** Where it is now. */
  readonly now: BytePath;
}

/** A folder outside the workspace for what commands may not create. */
export class AsideFolder {
  readonly moved: MovedEntry[] = [];
  private used = 0;
  private turn: Promise<unknown> = Promise.resolve();

  /** The folder is created when it is needed. */
  constructor(readonly path: string) {}

  /**
   * Moves an entry here, a link itself and not its target. If there is no room for it, it stays in its folder under
   * another name. Returns whether its place is free now. Never rejects.
   */
  take(at: BytePath): Promise<boolean> {
    const taken = this.turn.then(() => this.takeNext(at));
    this.turn = taken;
    return taken;
  }

  /** Resolves when nothing is being moved. */
  async settled(): Promise<void> {
    await this.turn;
  }

  private async takeNext(at: BytePath): Promise<boolean> {
    const folder = path.join(this.path, String(this.used));
    this.used += 1;
    const now = await inFolder(at, (parent, name) => moveOut(parent, name, folder));
    if (now !== undefined) this.moved.push({ at, now });
    return now !== undefined;
  }
}

/** Moves an entry back to its place if nothing is there. Returns whether it was moved. Never rejects. */
export async function putBack({ at, now }: MovedEntry): Promise<boolean> {
  return (await inFolder(at, (parent, name) => moveIn(parent, name, now))) === true;
}

/** Creates a link with this target if nothing is there. Returns whether it was created. Never rejects. */
export async function restoreLink(at: BytePath, target: BytePath): Promise<boolean> {
  const isBack = await inFolder(at, async (parent, name) => {
    await symlink(toBuffer(target), parent.entry(name));
    return true;
  });
  return isBack === true;
}

async function inFolder<T>(
  at: BytePath,
  act: (parent: OpenFolder, name: BytePath) => Promise<T>,
): Promise<T | undefined> {
  // A command that still runs may have replaced a folder above with a link.
  const parent = OpenFolder.at(parentOf(at));
  if (!parent) return undefined;
  try {
    return await act(parent, nameOf(at));
  } catch {
    return undefined;
  } finally {
    parent.dispose();
  }
}

async function moveOut(parent: OpenFolder, name: BytePath, folder: string): Promise<BytePath> {
  const stats = await lstat(parent.entry(name));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const now = joinBytes(bytePath(folder), name);
  try {
    await rename(parent.entry(name), toBuffer(now));
    return now;
  } catch {
    // It is on another file system or contains something locked.
    if (stats.isDirectory()) await run(['chmod', '-R', 'u+rwX', '--'], parent, name);
    if (await run(['mv', '-t', folder, '--'], parent, name)) return now;
    const free = `${name}.removed-${randomUUID()}` as BytePath;
    const where = parent.path;
    await rename(parent.entry(name), parent.entry(free));
    return joinBytes(where, free);
  }
}

async function moveIn(parent: OpenFolder, name: BytePath, now: BytePath): Promise<boolean> {
  if (await exists(parent.entry(name))) return false;
  // It stayed in its folder under another name.
  const isHere = parentOf(now) === parent.path;
  const from = isHere ? parent.entry(nameOf(now)) : toBuffer(now);
  const stats = await lstat(from);
  try {
    // A link is created only where nothing is; a folder replaces only an empty folder.
    if (stats.isDirectory()) await rename(from, parent.entry(name));
    else {
      await link(from, parent.entry(name));
      await unlink(from);
    }
  } catch (error) {
    if (isHere) throw error;
    const other = OpenFolder.at(parentOf(now));
    if (!other) return false;
    await run(['mv', '-n', '-t', parent.fromOthers, '--'], other, name);
    other.dispose();
  }
  return !(await exists(from));
}

function exists(entry: Buffer): Promise<boolean> {
  return lstat(entry).then(
    () => true,
    () => false,
  );
}

/** Runs a program in a folder. Its last argument, the name, goes over standard input, byte for byte. */
function run(words: readonly string[], folder: OpenFolder, name: BytePath): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawnProgram('xargs', ['-0', ...words], {
      cwd: folder.fromOthers,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(toBuffer(`./${name}\0` as BytePath));
  });
}
