import { readdirSync, readFileSync } from 'node:fs';

/** The processes with this home folder, which only one run has: those that it started. Needs Linux. */
export function processesOfHome(home: string): readonly number[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.map(Number).filter((pid) => readIfThere(pid, 'environ').includes(`HOME=${home}\0`));
}

export function commandOf(pid: number): string {
  return readIfThere(pid, 'cmdline').replaceAll('\0', ' ');
}

export function endProcessesOfHome(home: string): void {
  for (const pid of processesOfHome(home)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

function readIfThere(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
