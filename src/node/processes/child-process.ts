import {
  execFile,
  execFileSync,
  spawn,
  type ChildProcess,
  type ExecFileOptionsWithStringEncoding,
  type SpawnOptions,
} from 'node:child_process';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';

export type { ChildProcess };

/** A process whose outputs are read. */
export type PrintingProcess = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable };

/**
 * Starts a program. The only place that does, besides the two functions below. Throws if Windows would look for the
 * program, because it looks in the current folder first, which may be the workspace.
 */
export function spawnProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions & { readonly stdio: ['pipe', 'pipe', 'pipe'] },
): PrintingProcess & { readonly stdin: Writable };
export function spawnProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions & { readonly stdio: ['ignore', 'pipe', 'pipe', ...(number | 'pipe' | 'ignore')[]] },
): PrintingProcess;
export function spawnProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions & { readonly stdio: ['ignore', 'pipe', 'ignore'] },
): ChildProcess & { readonly stdout: Readable };
export function spawnProgram(program: string, args: readonly string[], options: SpawnOptions): ChildProcess;
export function spawnProgram(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  mustBeFound(program);
  return spawn(program, args, options);
}

/** Runs a program to its end. Rejects, with its output, if it fails. Throws like `spawnProgram`. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: Omit<ExecFileOptionsWithStringEncoding, 'encoding'> = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  mustBeFound(program);
  return promisify(execFile)(program, args, { windowsHide: true, ...options, encoding: 'utf8' });
}

/** Runs a program for a process that is about to end, and returns what it prints. Throws if it fails. */
export function runProgramNow(
  program: string,
  args: readonly string[],
  timeoutMs: number,
  env?: NodeJS.ProcessEnv,
): string {
  mustBeFound(program);
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeoutMs,
    ...(env && { env }),
    windowsHide: true,
  });
}

/** Throws if the system would look for the program in the current folder. */
export function mustBeFound(program: string, platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'win32' || /^(?:[a-z]:[\\/]|\\\\)/iu.test(program)) return;
  throw new Error(`${program} is not started, because only its full path says which program it is.`);
}

/** The full path of a program that belongs to Windows: `taskkill.exe`. */
export function windowsProgram(name: string, systemRoot = process.env['SystemRoot']): string {
  return path.win32.join(systemRoot ?? 'C:\\Windows', 'System32', name);
}
