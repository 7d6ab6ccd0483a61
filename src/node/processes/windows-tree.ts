import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../../base/limits';
import type { OutlivingProcess } from '../../tools/ports/processes';
import { windowsProcesses, type WindowsProcess, type WindowsProcesses } from './windows-processes';

/** The clocks of Node and of Windows differ by some milliseconds. */
const CLOCK_DIFFERENCE_MS = 100;
/** How often processes are ended one by one before those that remain are reported. */
const ATTEMPTS = 3;
const POLL_MS = 50;

/**
 * A program on Windows and all processes it has started. Windows has no process groups, and a process keeps the number
 * of its parent after that has ended, when the number may belong to another process. So a process is a child only if it
 * started while its parent had that number.
 */
export class WindowsTree {
  private readonly startedAt = Date.now();
  /** Members that were seen, with their start times: their children are members after they have ended. */
  private readonly known = new Map<number, number>();

  constructor(
    private readonly pid: number,
    private readonly system: WindowsProcesses = windowsProcesses(),
  ) {}

  /** Returns the processes that still exist after that. */
  async end(): Promise<readonly number[]> {
    // Now more parents are still there.
    let members = await this.members();
    if (members?.length === 0) return [];
    // After its end the number may belong to another program.
    if (members?.includes(this.pid) !== false) await this.system.endTree(this.pid);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      members = await this.members();
      if (members === undefined) return this.endKnown();
      if (members.length === 0) return [];
      for (const pid of members) this.system.end(pid);
      await wait(POLL_MS);
    }
    return (await this.members()) ?? this.endKnown();
  }

  /** Without waiting, for a process that is about to end. */
  killNow(): void {
    if (this.system.endTreeNow(this.pid)) return;
    const listed = this.system.listNow();
    for (const pid of listed ? this.select(listed) : [this.pid]) this.system.end(pid);
  }

  /** Programs that hold the outputs of a command belong to it; the others may be windows of the user. */
  async hasGroupMembers(isOutputOpen: boolean): Promise<boolean> {
    return isOutputOpen && (await this.outlivers()).length > 0;
  }

  async outlivers(): Promise<readonly OutlivingProcess[]> {
    const listed = (await this.system.list()) ?? [];
    const members = new Set(this.select(listed));
    const found = listed.filter(({ pid }) => members.has(pid));
    return found.map(({ pid, name }) => ({ pid, command: name })).slice(0, limits.commandOutlivers);
  }

  /** Without a list, only the program itself certainly has its number still. */
  private endKnown(): readonly number[] {
    this.system.end(this.pid);
    return this.system.exists(this.pid) ? [this.pid] : [];
  }

  private async members(): Promise<readonly number[] | undefined> {
    const listed = await this.system.list();
    return listed && this.select(listed);
  }

  private select(listed: readonly WindowsProcess[]): readonly number[] {
    const byPid = new Map(listed.map((each) => [each.pid, each]));
    const root = byPid.get(this.pid);
    if (root && root.startedAt <= this.startedAt + CLOCK_DIFFERENCE_MS)
      this.known.set(root.pid, root.startedAt);
    if (!this.known.has(this.pid)) this.known.set(this.pid, this.startedAt - CLOCK_DIFFERENCE_MS);
    // Iterating over a map includes the members that are added meanwhile.
    for (const [pid, startedAt] of this.known) {
      const now = byPid.get(pid)?.startedAt ?? startedAt;
      const until = now > startedAt && !this.isRoot(pid, now) ? now : Infinity;
      for (const each of listed) {
        const isChild = each.parent === pid && each.startedAt >= startedAt && each.startedAt < until;
        if (isChild && each.pid !== pid && !this.known.has(each.pid))
          this.known.set(each.pid, each.startedAt);
      }
    }
    return listed.filter((each) => this.known.get(each.pid) === each.startedAt).map(({ pid }) => pid);
  }

  private isRoot(pid: number, startedAt: number): boolean {
    return pid === this.pid && startedAt <= this.startedAt + CLOCK_DIFFERENCE_MS;
  }
}
