import { existsSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import type { Shell } from '../../policy/commands/command-text';
import { runProgramNow, windowsProgram } from './child-process';

/** The user's choice in `parley.commands.shell`; only for Windows. */
export type ShellChoice = 'auto' | 'powershell' | 'pwsh' | 'bash';

interface ShellProgram {
  readonly program: string;
  /** The shell's syntax. */
  readonly shell: Shell;
  /** What a model must know of it that is not usual elsewhere. */
  readonly hint?: string;
  readonly arguments: (command: string) => readonly string[];
}

/** Where the programs of a system are. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The Windows folder. */
  readonly systemRoot?: string | undefined;
  readonly programFolders?: readonly string[];
  readonly exists?: (file: string) => boolean;
  /** The folder that the installer of Git for Windows has registered. */
  readonly gitFolder?: () => string | undefined;
}

/**
 * Returns the shell that runs commands: not a login shell, no startup files. Throws `ToolError` if the user's choice is
 * not installed.
 */
export function findShell(
  searchPath: string,
  machine: Machine = thisMachine(),
  choice: ShellChoice = 'auto',
): ShellProgram {
  if (machine.platform === 'win32') return windowsShell(machine, choice);
  const folders = ['/bin', '/usr/bin', ...searchPath.split(path.delimiter)].filter((folder) => folder !== '');
  const bash = folders.map((folder) => path.join(folder, 'bash')).find((file) => existsSync(file));
  return bash === undefined
    ? { program: '/bin/sh', shell: 'posix', arguments: (command) => ['-c', command] }
    : { program: bash, shell: 'posix', arguments: bashArguments };
}

/** All by their full paths: for a bare name, Windows would use a program from the current folder. */
function windowsShell(
  { systemRoot, programFolders = [], exists = existsSync, gitFolder }: Machine,
  choice: ShellChoice,
): ShellProgram {
  switch (choice) {
    case 'pwsh': {
      const places = programFolders.map((folder) => path.win32.join(folder, 'PowerShell', '7', 'pwsh.exe'));
      const program = places.find(exists);
      if (program === undefined) throw missing('PowerShell 7');
      const hint = `The shell is PowerShell 7 (pwsh) on Windows: && and || work; ${QUOTING}`;
      return { program, shell: 'powershell', hint, arguments: powershellArguments };
    }
    case 'bash': {
      const folder = gitFolder?.();
      const program = folder === undefined ? undefined : path.win32.join(folder, 'bin', 'bash.exe');
      if (program === undefined || !exists(program)) throw missing('Git for Windows');
      const hint =
        'The shell is Git Bash on Windows: && and quotes are those of bash; write paths with /, or in single quotes.';
      return { program, shell: 'posix', hint, arguments: bashArguments };
    }
    default: {
      const program = windowsProgram('WindowsPowerShell\\v1.0\\powershell.exe', systemRoot);
      const hint = `The shell is Windows PowerShell 5.1: it has no && and ||, so write a; if ($?) { b }; ${QUOTING}`;
      return { program, shell: 'powershell', hint, arguments: powershellArguments };
    }
  }
}

const QUOTING = "text is quoted with '…', in which '' is one quote; a back slash escapes nothing.";

function missing(name: string): ToolError {
  return new ToolError(
    `${name} was not found, so no command can run. Ask the user to install it, or to change parley.commands.shell.`,
  );
}

function bashArguments(command: string): readonly string[] {
  return ['--noprofile', '--norc', '-c', command];
}

/**
 * Whatever the code page is, output is UTF-8. Without the last line PowerShell would turn every exit code into 1. The
 * empty line ends a command that ends in a back tick.
 */
function powershellArguments(command: string): readonly string[] {
  const script = [
    'try { [Console]::OutputEncoding = $OutputEncoding = New-Object System.Text.UTF8Encoding $false } catch { }',
    command,
    '',
    'if ($?) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }',
  ];
  return ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', script.join('\n')];
}

/** The machine that Parley runs on. What the registry says is looked up once. */
export function thisMachine(): Machine {
  let found: { readonly folder: string | undefined } | undefined;
  return {
    platform: process.platform,
    systemRoot: process.env['SystemRoot'],
    programFolders: [process.env['ProgramW6432'], process.env['ProgramFiles']].flatMap(
      (folder) => folder ?? [],
    ),
    gitFolder: () => (found ??= { folder: registeredGit() }).folder,
  };
}

function registeredGit(): string | undefined {
  for (const hive of ['HKLM', 'HKCU']) {
    try {
      const words = ['query', `${hive}\\SOFTWARE\\GitForWindows`, '/v', 'InstallPath'];
      const printed = runProgramNow(windowsProgram('reg.exe'), words, limits.windowsProcessesMs);
      const folder = /REG_SZ\s+(\S.*?)\s*$/mu.exec(printed)?.[1];
      if (folder !== undefined) return folder;
    } catch {
      // Not installed for everyone, or not for this user.
    }
  }
  return undefined;
}
