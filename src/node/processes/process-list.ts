import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { limits } from '../../base/limits';
import type { OutlivingProcess } from '../../tools/ports/processes';
import { runProgram, runProgramNow } from './child-process';

/** A process that has not ended. One that only waits to be reaped is not listed. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Distinguishes a process from a later one with the same id; empty if the system does not report it. */
  readonly start: string;
}

/** The processes of a POSIX system that can be read. */
export async function listProcesses(): Promise<readonly ListedProcess[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await runProgram(PS, PS_ARGUMENTS, { env: PS_ENVIRONMENT });
    return readPs(stdout);
  }
  const pids = numbers(await readdir('/proc'));
  const stats = await Promise.all(pids.map((pid) => readFile(statFile(pid), 'latin1').catch(gone)));
  return pids.flatMap((pid, index) => readStat(pid, stats[index] ?? ''));
}

/** The same without waiting, for a process that is about to end. */
export function listProcessesNow(): readonly ListedProcess[] {
  if (process.platform !== 'linux')
    return readPs(runProgramNow(PS, PS_ARGUMENTS, limits.commandKilledMs, PS_ENVIRONMENT));
  return numbers(readdirSync('/proc')).flatMap((pid) => readStat(pid, readNow(statFile(pid))));
}

/**
 * Processes with a text in their environment, on Linux. Looks only at those with a higher id than `after`, which is enough
 * to name them and costs little.
 */
export async function processesMarked(mark: string, after: number): Promise<readonly OutlivingProcess[]> {
  if (process.platform !== 'linux') return [];
  const later = numbers(await readdir('/proc')).filter((pid) => pid > after && pid !== process.pid);
  const found = await Promise.all(
    later.map(async (pid) => {
      if (!(await environmentOf(pid)).includes(mark)) return [];
      const [stat, words] = await Promise.all([
        readFile(statFile(pid), 'latin1').catch(gone),
        readFile(`/proc/${pid}/cmdline`, 'utf8').catch(gone),
      ]);
      if (readStat(pid, stat).length === 0) return [];
      return [{ pid, command: words.split('\0').join(' ').trim() }];
    }),
  );
  return found.flat();
}

/** The environment with which a process was started; empty if it cannot be read. */
export async function environmentOf(pid: number): Promise<string> {
  return process.platform === 'linux' ? readFile(environFile(pid), 'latin1').catch(gone) : '';
}

export function environmentOfNow(pid: number): string {
  return process.platform === 'linux' ? readNow(environFile(pid)) : '';
}

const PS = '/bin/ps';
/** `lstart`: when it started, to the second. Its words depend on the language. */
const PS_ARGUMENTS = ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='];
const PS_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

const statFile = (pid: number): string => `/proc/${pid}/stat`;
const environFile = (pid: number): string => `/proc/${pid}/environ`;

/** A process may end before it is read, and other users' processes cannot be read. */
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
  // The program name, in parentheses, may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  if (stat === '' || state === 'Z' || state === 'X') return [];
  return [{ pid, parent: Number(parent), group: Number(group), start: fields[19] ?? '' }];
}

/** What `ps` prints, for systems without `/proc`. */
export function readPs(listed: string): readonly ListedProcess[] {
  return listed.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...start] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), start: start.join(' ') }];
  });
}
