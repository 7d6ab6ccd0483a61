import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ToolError } from '../core/tool';
import { limits } from '../policy/limits';
import { commandEnvironment, searchPath } from './environment';
import { startProgram } from './start-program';

export interface RipgrepRun {
  /** Absolute path of the program. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly onChunk: (chunk: Buffer) => void;
}

export interface RipgrepEnd {
  /** 0: something found, 1: nothing, 2: an error, perhaps beside results; absent when it was ended for taking too long. */
  readonly code?: number;
  readonly errors: string;
}

/**
 * The one that was asked for, else the one shipped beside our bundle, else the one on the PATH without the folders of
 * the workspace, if there is one.
 */
export function findRipgrep(given: string | undefined, roots: readonly string[]): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const folders = searchPath(process.env['PATH'] ?? '', roots)
    .split(path.delimiter)
    .filter((folder) => folder !== '');
  const candidates = [path.join(__dirname, 'bin', name), ...folders.map((folder) => path.join(folder, name))];
  return given ?? candidates.find((file) => existsSync(file));
}

/** Starts ripgrep and hands out what it prints; ends it when it takes too long. */
export async function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<RipgrepEnd> {
  signal.throwIfAborted();
  const child = await startProgram(
    () =>
      spawn(run.program, ['--no-config', '--no-messages', ...run.arguments], {
        cwd: run.cwd,
        env: commandEnvironment(process.env, { roots: [] }),
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      }),
    (cause) =>
      new ToolError(`The search could not start: ${cause.message}. Try again, or look with read_folder.`, {
        cause,
      }),
  );
  return new Promise((resolve, reject) => {
    let errors = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, limits.searchTimeoutMs);
    const abort = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    child.stdout.on('data', run.onChunk);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(0, limits.searchErrorCharacters);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(asError(signal.reason));
      else resolve({ errors, ...(!late && { code: code ?? 2 }) });
    });
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('Stopped', { cause: reason });
}
