import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The tests read processes from here; on other systems they are skipped. */
export const hasProcessList = existsSync('/proc/self/stat');

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
}

/** Returns the process and its descendants that still run. */
export function processTree(root: number): readonly RunningProcess[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readIfThere(`/proc/${name}/stat`) : '';
    // The name of the program is in brackets and may contain anything.
    const parent = /^.*\) \S (\d+) /s.exec(stat)?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parents.get(pid)));
  return [...parents.keys()].filter(isBelow).map((pid) => ({
    pid,
    command: readIfThere(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
    cwd: linkIfThere(`/proc/${pid}/cwd`),
  }));
}

/** Returns the ids of processes whose command line contains this text. Zombies have no command line. */
export function processesWith(text: string): readonly number[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.filter((name) => readIfThere(`/proc/${name}/cmdline`).includes(text)).map(Number);
}

/** Returns the children of this process that have ended and were never reaped. */
export function zombies(): readonly number[] {
  return processTree(process.pid)
    .map(({ pid }) => pid)
    .filter((pid) => /^\d+ \(.*\) Z /s.test(readIfThere(`/proc/${pid}/stat`)));
}

/** Returns the number of open files, pipes and sockets of this process. */
export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

/** Returns the TCP ports on which these processes listen. */
export function listeningPorts(processes: readonly RunningProcess[]): readonly number[] {
  const sockets = new Set(processes.flatMap(({ pid }) => socketsOf(pid)));
  const LISTEN = '0A';
  const rows = ['tcp', 'tcp6'].flatMap((table) => readIfThere(`/proc/net/${table}`).split('\n').slice(1));
  const ports = rows.flatMap((row) => {
    const fields = row.trim().split(/\s+/);
    const isOurs = fields[3] === LISTEN && sockets.has(fields[9] ?? '');
    return isOurs ? [parseInt(fields[1]?.split(':')[1] ?? '', 16)] : [];
  });
  return [...new Set(ports)];
}

function socketsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const socket = /^socket:\[(\d+)\]$/.exec(linkIfThere(`${folder}/${name}`))?.[1];
    return socket === undefined ? [] : [socket];
  });
}

/** A process may end at any moment. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function linkIfThere(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
