import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { limits } from '../../base/limits';

const POLL_MS = 50;
/** After this many looks, a closing host has seen everything that was started between two of them. */
const LOOKS = 5;

/** `group` leaves alone what has left the process group on purpose: daemons. */
type TreeScope = 'all' | 'group';

/** A command and everything it has started. */
export class ProcessTree {
  /** Members by their start, so that one whose parent has ended since is still known. */
  private readonly known = new Map<number, string>();
  /** Processes without the mark. A mark is not put on later. */
  private readonly unmarked = new Set<string>();

  constructor(
    /** Of the shell; on POSIX systems also of its process group. */
    private readonly pid: number,
    /** Is in the environment of every process of the tree that did not drop it, including those that left the group. */
    private readonly mark: string,
  ) {}

  /** TERM, a grace time, KILL. Returns the processes that are still there after that. */
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

  /** Kills without a grace time and without waiting, for a process that is about to end. */
  killNow(): void {
    if (process.platform === 'win32') return taskkillNow(this.pid);
    const told = new Set<number>();
    for (let look = 0; look < LOOKS; look++) {
      const listed = listProcessesNow();
      for (const each of listed) this.learnMark(each, () => environmentOfNow(each.pid));
      const fresh = this.select(listed, 'all').filter((pid) => !told.has(pid));
      if (fresh.length === 0) return;
      for (const pid of fresh) {
        told.add(pid);
        send(pid, 'SIGKILL');
      }
    }
  }

  /** Whether the group has members besides processes that only wait to be reaped. */
  async hasGroupMembers(): Promise<boolean> {
    if (process.platform === 'win32') return false;
    return send(-this.pid, 0) && (await this.members('group')).length > 0;
  }

  /** Whether all are gone. Signals each only once: some programs treat a second TERM differently. */
  private async endMembers(scope: TreeScope, signal: NodeJS.Signals, patience: number): Promise<boolean> {
    const told = new Set<number>();
    for (const end = performance.now() + patience; performance.now() < end;) {
      const members = await this.members(scope);
      if (members.length === 0) return true;
      // Among them may be some that were started since the last look.
      for (const pid of members.filter((each) => !told.has(each))) send(pid, signal);
      for (const pid of members) told.add(pid);
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
    // While a process starts another program it may seem to have none.
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
      // taskkill fails when the process has ended by itself, which the next line finds out.
    }
    return send(this.pid, 0) ? [this.pid] : [];
  }
}

function identity({ pid, start }: ListedProcess): string {
  return `${pid} ${start}`;
}

/** Everything they have started, also in other groups and without our mark, as long as the parents exist. */
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
  // A set that grows while it is walked is walked to its end.
  for (const each of found) for (const child of children.get(each.pid) ?? []) found.add(child);
  return [...found];
}

const taskkillArguments = (pid: number): string[] => ['/pid', String(pid), '/T', '/F'];

function taskkillNow(pid: number): void {
  try {
    execFileSync('taskkill', taskkillArguments(pid), { stdio: 'ignore' });
  } catch {
    // It has ended by itself.
  }
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

/** A process that has not ended. One that only waits to be reaped is not listed. */
interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Tells a process from a later one of the same number; empty where the system does not say. */
  readonly start: string;
}

/** The processes of a POSIX system, as far as they can be read. */
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

/** The environment that a process was started with; empty where it cannot be read. */
async function environmentOf(pid: number): Promise<string> {
  return process.platform === 'linux' ? readFile(environFile(pid), 'latin1').catch(gone) : '';
}

function environmentOfNow(pid: number): string {
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
