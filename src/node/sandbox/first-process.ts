import { readFile } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../../base/limits';
import { RELEASED, STARTED } from './wrap-command';
import type { ChildProcess } from '../processes/child-process';

/**
 * Returns the id of the first process in a sandbox, as `bwrap --info-fd` reports it. All others in the sandbox end
 * before it does.
 */
export async function firstProcess(child: ChildProcess): Promise<number | undefined> {
  const pipe = (child.stdio as readonly unknown[])[STARTED];
  if (!(pipe instanceof Readable)) return undefined;
  let text = '';
  try {
    for await (const chunk of pipe) {
      text += String(chunk);
      if (text.includes('}')) break;
    }
  } catch {
    return undefined;
  }
  const [, pid] = /"child-pid":\s*(\d+)/u.exec(text) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

/** Lets the command begin, or ends it if it may not. */
export function release(child: ChildProcess, mayBegin: boolean): void {
  const pipe = (child.stdio as readonly unknown[])[RELEASED];
  if (!(pipe instanceof Writable)) return;
  // It may have ended already.
  pipe.on('error', () => undefined);
  pipe.end(mayBegin ? '\n' : '');
}

/** Ends the first process, and with it all others in the sandbox. */
export function endFirst(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** Resolves when the process is gone, or after a time in which the kernel should have ended it. */
export async function isGone(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  const end = performance.now() + limits.commandKilledMs;
  while (performance.now() < end && (await isRunning(pid))) await wait(POLL_MS);
}

/** Whether a process runs. One that only waits to be reaped does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  return state !== '' && state !== 'Z' && state !== 'X';
}

const POLL_MS = 5;
