import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { limits } from '../policy/limits';

/** A command and everything it has started. */
export interface ProcessTree {
  /** Of the shell; on POSIX systems also of its process group. */
  readonly pid: number;
  /** Stands in the environment of every process of the tree, those that left the group too. */
  readonly mark: string;
}

const POLL_MS = 50;

/** TERM, a grace time, KILL. Returns the processes that are still there after that. */
export async function endTree(tree: ProcessTree): Promise<readonly number[]> {
  if (process.platform === 'win32') return endWindowsTree(tree);
  for (const [signal, patience] of [
    ['SIGTERM', limits.commandGraceMs],
    ['SIGKILL', limits.commandKilledMs],
  ] as const) {
    if (await endMembers(tree, signal, patience)) return [];
  }
  return membersOf(tree);
}

/** Whether all are gone. Each is told once: a second TERM means more than the first to some programs. */
async function endMembers(tree: ProcessTree, signal: NodeJS.Signals, patience: number): Promise<boolean> {
  const told = new Set<number>();
  for (const end = performance.now() + patience; performance.now() < end;) {
    const members = await membersOf(tree);
    if (members.length === 0) return true;
    // Among them may be some that were started since the last look.
    for (const pid of members.filter((each) => !told.has(each))) send(pid, signal);
    for (const pid of members) told.add(pid);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return (await membersOf(tree)).length === 0;
}

/** At once and without a look back, for a host that is closing. */
export function killTree({ pid }: ProcessTree): void {
  send(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}

/** Whether the group has members besides processes that only wait to be reaped. */
export async function hasGroupMembers({ pid }: ProcessTree): Promise<boolean> {
  if (process.platform === 'win32') return false;
  if (!send(-pid, 0)) return false;
  return (await membersOf({ pid, mark: '' })).length > 0;
}

async function membersOf(tree: ProcessTree): Promise<number[]> {
  return process.platform === 'linux' ? linuxMembers(tree) : posixMembers(tree);
}

async function linuxMembers({ pid, mark }: ProcessTree): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (each) => ((await isMember(each)) ? [each] : [])));
  return found.flat();

  async function isMember(each: number): Promise<boolean> {
    const status = await readOrNothing(`/proc/${each}/stat`);
    // The name of the program, in parentheses, may hold anything.
    const [state, , group] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (status === '' || state === 'Z' || state === 'X') return false;
    if (Number(group) === pid) return true;
    return (
      mark !== '' && each !== process.pid && (await readOrNothing(`/proc/${each}/environ`)).includes(mark)
    );
  }
}

async function posixMembers({ pid }: ProcessTree): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,pgid=,stat=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, group, state]) => Number(group) === pid && state?.startsWith('Z') === false)
    .map(([member]) => Number(member));
}

async function endWindowsTree({ pid }: ProcessTree): Promise<readonly number[]> {
  try {
    await promisify(execFile)('taskkill', ['/pid', String(pid), '/T', '/F']);
  } catch {
    // taskkill fails when the process has ended by itself, which the next line finds out.
  }
  return send(pid, 0) ? [pid] : [];
}

/** Whether there was a process to send it to. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') return true;
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** Processes end while one looks at them, and those of others cannot be read. */
async function readOrNothing(file: string): Promise<string> {
  return readFile(file, 'latin1').catch(() => '');
}
