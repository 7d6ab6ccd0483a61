import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { limits } from '../../base/limits';
import type { OutlivingProcess } from '../../tools/ports/processes';

const POLL_MS = 50;
/** After this many looks, everything that was started between two of them has been seen. */
const LOOKS = 5;

/** `group` spares what has left the process group on purpose: daemons. */
type TreeScope = 'all' | 'group';

/** A command and all processes it has started. */
export class ProcessTree {
  /** Members with their start times, so that a member is still known after its parent has ended. */
  private readonly known = new Map<number, string>();
  /** Processes without the mark. They cannot get it later. */
  private readonly unmarked = new Set<string>();

  constructor(
    /** The shell's process id; on POSIX systems also its process group. */
    private readonly pid: number,
    /**
     * A text in the environment of every process of the tree that did not drop it, including those that left the group.
     */
    private readonly mark: string,
  ) {}

  /** TERM, a grace period, KILL. Returns the processes that still exist after that. */
  async end(scope: TreeScope): Promise<readonly number[]> {
    if (process.platform === 'win32') return this.endOnWindows();
    for (const [signal, patience] of [
      ['SIGTERM', limits.commandGraceMs],
      ['SIGKILL', limits.commandKilledMs],
    ] as const) {
      if (await this.endMembers(scope, signal, patience)) return [];
    }
    return this.members(scope);
  }

  /** Kills without a grace period and without waiting, for a process that is about to end. */
  killNow(): void {
    if (process.platform === 'win32') return taskkillNow(this.pid);
    const signalled = new Set<number>();
    for (let look = 0; look < LOOKS; look++) {
      const listed = listProcessesNow();
      for (const each of listed) this.learnMark(each, () => environmentOfNow(each.pid));
      const fresh = this.select(listed, 'all').filter((pid) => !signalled.has(pid));
      if (fresh.length === 0) return;
      for (const pid of fresh) {
        signalled.add(pid);
        send(pid, 'SIGKILL');
      }
    }
  }

  /** Whether the group has members besides processes that only wait to be reaped. */
  async hasGroupMembers(): Promise<boolean> {
    if (process.platform === 'win32') return false;
    return send(-this.pid, 0) && (await this.members('group')).length > 0;
  }

  /**
   * What has left the group and still runs, on Linux. Looks only at processes with a higher id than the shell's, which is
   * enough to name them and costs little.
   */
  async outlivers(): Promise<readonly OutlivingProcess[]> {
    if (process.platform !== 'linux') return [];
    const later = numbers(await readdir('/proc')).filter((pid) => pid > this.pid && pid !== process.pid);
    const found = await Promise.all(later.map((pid) => this.outliver(pid)));
    return found.flatMap((each) => each ?? []).slice(0, limits.commandOutlivers);
  }

  private async outliver(pid: number): Promise<OutlivingProcess | undefined> {
    if (!(await environmentOf(pid)).includes(this.mark)) return undefined;
    const [stat, words] = await Promise.all([
      readFile(statFile(pid), 'latin1').catch(gone),
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(gone),
    ]);
    if (readStat(pid, stat).length === 0) return undefined;
    return { pid, command: words.split('\0').join(' ').trim() };
  }

  /** Returns whether all are gone. Signals each process only once: some programs treat a second TERM differently. */
  private async endMembers(scope: TreeScope, signal: NodeJS.Signals, patience: number): Promise<boolean> {
    const signalled = new Set<number>();
    for (const end = performance.now() + patience; performance.now() < end;) {
      const members = await this.members(scope);
      if (members.length === 0) return true;
      // The list may include processes that were started since the last look.
      for (const pid of members.filter((each) => !signalled.has(each))) send(pid, signal);
      for (const pid of members) signalled.add(pid);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return (await this.members(scope)).length === 0;
  }

  private async members(scope: TreeScope): Promise<number[]> {
    const listed = await listProcesses();
    if (scope === 'all') {
      const unknown = listed.filter((each) => !this.unmarked.has(identity(each)));
      await Promise.all(
        unknown.map(async (each) => {
          const environment = await environmentOf(each.pid);
          this.learnMark(each, () => environment);
        }),
      );
    }
    return this.select(listed, scope);
  }

  private learnMark(listed: ListedProcess, environment: () => string): void {
    if (this.unmarked.has(identity(listed)) || listed.pid === process.pid) return;
    const variables = environment();
    if (variables.includes(this.mark)) this.known.set(listed.pid, listed.start);
    // While a process starts another program, its environment may look empty.
    else if (variables !== '') this.unmarked.add(identity(listed));
  }

  private select(listed: readonly ListedProcess[], scope: TreeScope): number[] {
    const inGroup = listed.filter(({ group }) => group === this.pid);
    if (scope === 'group') return inGroup.map(({ pid }) => pid);
    const marked = listed.filter(({ pid, start }) => this.known.get(pid) === start);
    const found = withDescendants([...inGroup, ...marked], listed);
    for (const { pid, start } of found) this.known.set(pid, start);
    return found.map(({ pid }) => pid);
  }

  private async endOnWindows(): Promise<readonly number[]> {
    try {
      await promisify(execFile)('taskkill', taskkillArguments(this.pid));
    } catch {
      // taskkill fails if the process has already ended; the next line checks that.
    }
    return send(this.pid, 0) ? [this.pid] : [];
  }
}

function identity({ pid, start }: ListedProcess): string {
  return `${pid} ${start}`;
}

/** Adds all descendants, even in other groups and without our mark, while their parents exist. */
function withDescendants(
  first: readonly ListedProcess[],
  listed: readonly ListedProcess[],
): readonly ListedProcess[] {
  const children = new Map<number, ListedProcess[]>();
  for (const each of listed) {
    const siblings = children.get(each.parent);
    if (siblings) siblings.push(each);
    else children.set(each.parent, [each]);
  }
  const found = new Set(first);
  // Iterating over a set includes the members that are added meanwhile.
  for (const each of found) for (const child of children.get(each.pid) ?? []) found.add(child);
  return [...found];
}

const taskkillArguments = (pid: number): string[] => ['/pid', String(pid), '/T', '/F'];

function taskkillNow(pid: number): void {
  try {
    execFileSync('taskkill', taskkillArguments(pid), { stdio: 'ignore' });
  } catch {
    // It has already ended.
  }
}

/** Sends a signal. Returns whether the process exists. */
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

/** A process that has not ended. One that only waits to be reaped is not listed. */
interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Distinguishes a process from a later one with the same id; empty if the system does not report it. */
  readonly start: string;
}

/** The processes of a POSIX system that can be read. */
async function listProcesses(): Promise<readonly ListedProcess[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', PS);
    return readPs(stdout);
  }
  const pids = numbers(await readdir('/proc'));
  const stats = await Promise.all(pids.map((pid) => readFile(statFile(pid), 'latin1').catch(gone)));
  return pids.flatMap((pid, index) => readStat(pid, stats[index] ?? ''));
}

/** The same without waiting, for a process that is about to end. */
function listProcessesNow(): readonly ListedProcess[] {
  if (process.platform !== 'linux') return readPs(execFileSync('ps', PS, { encoding: 'utf8' }));
  return numbers(readdirSync('/proc')).flatMap((pid) => readStat(pid, readNow(statFile(pid))));
}

/** The environment with which a process was started; empty if it cannot be read. */
async function environmentOf(pid: number): Promise<string> {
  return process.platform === 'linux' ? readFile(environFile(pid), 'latin1').catch(gone) : '';
}

function environmentOfNow(pid: number): string {
  return process.platform === 'linux' ? readNow(environFile(pid)) : '';
}

const PS = ['-A', '-o', 'pid=,ppid=,pgid=,stat='];

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

function readPs(listed: string): ListedProcess[] {
  return listed.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), start: '' }];
  });
}
