import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Shell } from '../policy/command-text';

export interface ShellProgram {
  readonly program: string;
  /** How it reads what it is given. */
  readonly shell: Shell;
  readonly arguments: (command: string) => readonly string[];
}

/** The shell that runs commands: no login shell, no start files. */
export function findShell(searchPath: string): ShellProgram {
  if (process.platform === 'win32') {
    return {
      program: 'powershell.exe',
      shell: 'powershell',
      arguments: (command) => ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command],
    };
  }
  const folders = ['/bin', '/usr/bin', ...searchPath.split(path.delimiter)];
  const bash = folders.map((folder) => path.join(folder, 'bash')).find((file) => existsSync(file));
  return bash === undefined
    ? { program: '/bin/sh', shell: 'posix', arguments: (command) => ['-c', command] }
    : { program: bash, shell: 'posix', arguments: (command) => ['--noprofile', '--norc', '-c', command] };
}
