import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A process that has not ended. One that only waits to be reaped is not listed. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Tells a process from a later one of the same number; empty where the system does not say. */
  readonly start: string;
}

/** The processes of a POSIX system, as far as they can be read. */
export async function listProcesses(): Promise<readonly ListedProcess[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', PS);
    return readPs(stdout);
  }
  const pids = numbers(await readdir('/proc'));
  const stats = await Promise.all(pids.map((pid) => readFile(statFile(pid), 'latin1').catch(gone)));
  return pids.flatMap((pid, index) => readStat(pid, stats[index] ?? ''));
}

/** The same without waiting, for a process that is about to end. */
export function listProcessesNow(): readonly ListedProcess[] {
  if (process.platform !== 'linux') return readPs(execFileSync('ps', PS, { encoding: 'utf8' }));
  return numbers(readdirSync('/proc')).flatMap((pid) => readStat(pid, readNow(statFile(pid))));
}

/** The environment that a process was started with; empty where it cannot be read. */
export async function environmentOf(pid: number): Promise<string> {
  return process.platform === 'linux' ? readFile(environFile(pid), 'latin1').catch(gone) : '';
}

export function environmentOfNow(pid: number): string {
  return process.platform === 'linux' ? readNow(environFile(pid)) : '';
}

const PS = ['-A', '-o', 'pid=,ppid=,pgid=,stat='];

const statFile = (pid: number): string => `/proc/${pid}/stat`;
const environFile = (pid: number): string => `/proc/${pid}/environ`;

/** Processes end while one looks at them, and those of others cannot be read. */
const gone = (): string => '';

function readNow(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return gone();
  }
}

function numbers(names: readonly string[]): number[] {
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

function readStat(pid: number, stat: string): ListedProcess[] {
  // The name of the program, in parentheses, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  if (stat === '' || state === 'Z' || state === 'X') return [];
  return [{ pid, parent: Number(parent), group: Number(group), start: fields[19] ?? '' }];
}

function readPs(listed: string): ListedProcess[] {
  return listed.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), start: '' }];
  });
}
