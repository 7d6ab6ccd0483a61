import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../../base/limits';
import { isBelow, type BytePath } from './byte-paths';
import { isRunning } from './first-process';
import type { Mount } from './mounts';

interface MadeMount {
  readonly at: BytePath;
  /** The device of the mounted file system. */
  readonly device: string;
  /** The folder of that file system that is mounted. */
  readonly root: string;
}

/**
 * Whether each mount in writable folders shows the right folder. `bwrap` works with paths, and another running command
 * may have replaced a folder with a link meanwhile, so that the link's target would be mounted. The program in the
 * sandbox must not have started yet. `pid`: its first process.
 */
export async function areMade(
  pid: number,
  mounts: readonly Mount[],
  writable: readonly BytePath[],
): Promise<'made' | 'otherwise' | 'gone'> {
  const exposed = mounts.filter(({ at }) => writable.some((root) => isBelow(at, root)));
  const outside = await madeMounts('self');
  const end = performance.now() + limits.sandboxMountsMs;
  while (performance.now() < end) {
    const made = await madeMounts(pid);
    // All mounts appear at once, when the last one is made.
    if (made.has('/proc/sys') && exposed.some(({ at }) => made.has(at)))
      return exposed.every((mount) => isMade(mount, made, outside, writable)) ? 'made' : 'otherwise';
    if (made.size === 0 && !(await isRunning(pid))) return 'gone';
    await wait(POLL_MS);
  }
  return 'otherwise';
}

const POLL_MS = 2;

function isMade(
  mount: Mount,
  made: ReadonlyMap<string, MadeMount>,
  outside: ReadonlyMap<string, MadeMount>,
  writable: readonly BytePath[],
): boolean {
  const found = made.get(mount.at);
  if (!found) return false;
  // The source is ours, and no command can reach it.
  if (mount.type !== 'read' && mount.type !== 'write') return true;
  // Commands cannot replace such a folder, nor a mount point.
  if (writable.includes(mount.at) || isSame(found, outside.get(mount.at))) return true;
  const around = enclosing(mount.at, made);
  if (!around) return false;
  const rest = mount.at.slice(around.at === '/' ? 0 : around.at.length);
  return found.device === around.device && found.root === `${around.root === '/' ? '' : around.root}${rest}`;
}

function isSame(one: MadeMount, other: MadeMount | undefined): boolean {
  return one.device === other?.device && one.root === other.root;
}

function enclosing(at: BytePath, made: ReadonlyMap<string, MadeMount>): MadeMount | undefined {
  for (let end = at.lastIndexOf('/'); end >= 0; end = at.lastIndexOf('/', end - 1)) {
    const found = made.get(at.slice(0, end) || '/');
    if (found || end === 0) return found;
  }
  return undefined;
}

/** The mounts of a process by place, the last of each; empty if there is no such process. */
async function madeMounts(pid: number | 'self'): Promise<ReadonlyMap<string, MadeMount>> {
  const text = await readFile(`/proc/${pid}/mountinfo`, 'latin1').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [, , device = '', root = '', at = ''] = line.split(' ');
      const place = unescaped(at) as BytePath;
      return [place, { at: place, device, root: unescaped(root) }];
    }),
  );
}

/** Spaces and the like are written as `\040`. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/gu, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
