import { limits } from '../../base/limits';
import { runProgram, runProgramNow, windowsProgram } from './child-process';

export interface WindowsProcess {
  readonly pid: number;
  /** The number that its parent had. */
  readonly parent: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Of its program: `node.exe`. */
  readonly name: string;
}

/** What Windows can do with processes. Nothing here throws. */
export interface WindowsProcesses {
  /** `undefined` if they could not be listed. */
  list(): Promise<readonly WindowsProcess[] | undefined>;
  listNow(): readonly WindowsProcess[] | undefined;
  /** Ends a process with its descendants, as far as Windows finds them. */
  endTree(pid: number): Promise<void>;
  /** Returns whether Windows reports success. */
  endTreeNow(pid: number): boolean;
  end(pid: number): void;
  exists(pid: number): boolean;
}

interface Runners {
  readonly run: typeof runProgram;
  readonly runNow: typeof runProgramNow;
  readonly systemRoot?: string | undefined;
}

/** The processes of this machine. */
export function windowsProcesses({
  run = runProgram,
  runNow = runProgramNow,
  systemRoot = process.env['SystemRoot'],
}: Partial<Runners> = {}): WindowsProcesses {
  const powershell = windowsProgram('WindowsPowerShell\\v1.0\\powershell.exe', systemRoot);
  const taskkill = windowsProgram('taskkill.exe', systemRoot);
  const options = {
    timeout: limits.windowsProcessesMs,
    killSignal: 'SIGKILL',
    maxBuffer: 4 * 1024 ** 2,
  } as const;
  return {
    list: async () => {
      try {
        return readProcesses((await run(powershell, LIST, options)).stdout);
      } catch {
        return undefined;
      }
    },
    listNow: () => {
      try {
        return readProcesses(runNow(powershell, LIST, limits.windowsProcessesMs));
      } catch {
        return undefined;
      }
    },
    endTree: async (pid) => {
      // It also fails if the process has already ended; the next list shows what remains.
      await run(taskkill, taskkillArguments(pid), options).catch(() => undefined);
    },
    endTreeNow: (pid) => {
      try {
        runNow(taskkill, taskkillArguments(pid), limits.windowsProcessesMs);
        return true;
      } catch {
        return false;
      }
    },
    end: (pid) => void signal(pid, 'SIGKILL'),
    exists: (pid) => signal(pid, 0),
  };
}

function taskkillArguments(pid: number): readonly string[] {
  return ['/pid', String(pid), '/T', '/F'];
}

/** Windows 11 has no `wmic`. Processes of the system itself have no date. */
const LIST = [
  ...['-NoLogo', '-NoProfile', '-NonInteractive', '-Command'],
  "Get-CimInstance Win32_Process -Property ProcessId,ParentProcessId,CreationDate,Name | Where-Object CreationDate | ForEach-Object { '{0} {1} {2} {3}' -f $_.ProcessId, $_.ParentProcessId, ([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds(), $_.Name }",
];

/** A process for each line: number, parent, start, name. `undefined` if there is none, because this one is always there. */
function readProcesses(listed: string): readonly WindowsProcess[] | undefined {
  const found = listed.split(/\r?\n/u).flatMap((line) => {
    const [, pid, parent, startedAt, name = ''] = /^(\d+) (\d+) (\d+) ?(.*)$/u.exec(line.trim()) ?? [];
    return startedAt === undefined
      ? []
      : [{ pid: Number(pid), parent: Number(parent), startedAt: Number(startedAt), name }];
  });
  return found.length === 0 ? undefined : found;
}

/** Whether the process exists. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    // Of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
