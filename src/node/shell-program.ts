import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Shell } from '../policy/command-text';

export interface ShellProgram {
  readonly program: string;
  /** How it reads what it is given. */
  readonly shell: Shell;
  readonly arguments: (command: string) => readonly string[];
}

interface Machine {
  readonly platform: NodeJS.Platform;
  /** The folder of Windows. */
  readonly systemRoot: string | undefined;
}

/** The shell that runs commands: no login shell, no start files. */
export function findShell(
  searchPath: string,
  { platform, systemRoot = 'C:\\Windows' }: Machine = thisMachine(),
): ShellProgram {
  if (platform === 'win32') {
    return {
      // By its name alone Windows would take one from the folder in which it is started.
      program: path.win32.join(systemRoot, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
      shell: 'powershell',
      arguments: (command) => ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command],
    };
  }
  const folders = ['/bin', '/usr/bin', ...searchPath.split(path.delimiter)].filter((folder) => folder !== '');
  const bash = folders.map((folder) => path.join(folder, 'bash')).find((file) => existsSync(file));
  return bash === undefined
    ? { program: '/bin/sh', shell: 'posix', arguments: (command) => ['-c', command] }
    : { program: bash, shell: 'posix', arguments: (command) => ['--noprofile', '--norc', '-c', command] };
}

function thisMachine(): Machine {
  return { platform: process.platform, systemRoot: process.env['SystemRoot'] };
}
