import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../../base/limits';
import { isBelow, type BytePath } from './byte-paths';
import { isRunning } from './first-process';
import type { Mount } from './mounts';

interface MadeMount {
  readonly at: BytePath;
  /** Of the file system that it shows. */
  readonly device: string;
  /** Which part of that it shows. */
  readonly root: string;
}

/**
 * Whether each mount in folders that commands may write to shows what it is to show. `bwrap` goes by paths, and another
 * command that still runs may meanwhile have put a link in the place of a folder, so that the link's target would be
 * shown. The program in the sandbox must not have started yet. `pid`: its first process.
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
    // They come to their places all at once, when the last is made.
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
  // A source of ours, which no command reaches.
  if (mount.type !== 'read' && mount.type !== 'write') return true;
  // Commands cannot put anything in the place of such a folder itself, nor of a mount.
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

/** By their places, the last of each. Empty where there is no such process. */
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

/** Spaces and their like are written as `\040`. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/gu, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
