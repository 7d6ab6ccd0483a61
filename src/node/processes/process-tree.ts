import { limits } from '../../base/limits';
import type { OutlivingProcess } from '../../tools/ports/processes';
import {
  environmentOf,
  environmentOfNow,
  listProcesses,
  listProcessesNow,
  processesMarked,
  type ListedProcess,
} from './process-list';
import { WindowsTree } from './windows-tree';

const POLL_MS = 50;
/** After this many looks, everything that was started between two of them has been seen. */
const LOOKS = 5;

/** `group` spares what has left the process group on purpose: daemons. */
type TreeScope = 'all' | 'group';

/** A program and all processes it has started. */
export interface ProcessTree {
  /** Ends them; first gently where the system can. Returns the processes that still exist after that. */
  end(scope: TreeScope): Promise<readonly number[]>;
  /** Kills without waiting, for a process that is about to end. */
  killNow(): void;
  /**
   * Whether processes of its group still run after its end. `isOutputOpen`: some process still holds an output of the
   * program.
   */
  hasGroupMembers(isOutputOpen: boolean): Promise<boolean>;
  /** What has left the group and still runs. Call it after the end of the program and its group. */
  outlivers(): Promise<readonly OutlivingProcess[]>;
}

/**
 * The tree of a program that has just been started.
 *
 * @param pid On POSIX systems also its process group.
 * @param mark A text in the environment of every process of the tree that did not drop it, including those that left
 *   the group.
 */
export function processTree(pid: number, mark: string): ProcessTree {
  return process.platform === 'win32' ? new WindowsTree(pid) : new PosixTree(pid, mark);
}

class PosixTree implements ProcessTree {
  /** Members with their start times, so that a member is still known after its parent has ended. */
  private readonly known = new Map<number, string>();
  /** Processes without the mark. They cannot get it later. */
  private readonly unmarked = new Set<string>();

  constructor(
    private readonly pid: number,
    private readonly mark: string,
  ) {}

  /** TERM, a grace period, KILL. Returns the processes that still exist after that. */
  async end(scope: TreeScope): Promise<readonly number[]> {
    for (const [signal, patience] of [
      ['SIGTERM', limits.commandGraceMs],
      ['SIGKILL', limits.commandKilledMs],
    ] as const) {
      if (await this.endMembers(scope, signal, patience)) return [];
    }
    return this.members(scope);
  }

  killNow(): void {
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

  /** Processes that only wait to be reaped do not count. */
  async hasGroupMembers(): Promise<boolean> {
    return send(-this.pid, 0) && (await this.members('group')).length > 0;
  }

  /** Only on Linux. */
  async outlivers(): Promise<readonly OutlivingProcess[]> {
    const found = await processesMarked(this.mark, this.pid);
    return found.slice(0, limits.commandOutlivers);
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
