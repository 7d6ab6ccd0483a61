import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What the tests need to know about processes is read from here: elsewhere they are skipped. */
export const hasProcessList = existsSync('/proc/self/stat');

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
}

/** The process and all that it has started, as far as they still run. */
export function processTree(root: number): readonly RunningProcess[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readIfThere(`/proc/${name}/stat`) : '';
    // The name of the program stands in brackets and may hold anything.
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

/** Ids of the processes whose command line holds this text. Zombies have none. */
export function processesWith(text: string): readonly number[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.filter((name) => readIfThere(`/proc/${name}/cmdline`).includes(text)).map(Number);
}

/** Children of this process that have ended and were never asked for. */
export function zombies(): readonly number[] {
  return processTree(process.pid)
    .map(({ pid }) => pid)
    .filter((pid) => /^\d+ \(.*\) Z /s.test(readIfThere(`/proc/${pid}/stat`)));
}

/** How many files, pipes and sockets this process has open. */
export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

/** TCP ports on which these processes listen. */
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
