import { randomUUID } from 'node:crypto';
import { access, constants, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { batchCommand, isBatchFile, type VerbatimCommand } from './batch-file';
import { spawnProgram, type ChildProcess } from './child-process';
import { onlySearchPath, searchPath } from './environment';
import { processTree, type ProcessTree } from './process-tree';

type Started<Child extends ChildProcess> = Child & { readonly pid: number };

/**
 * Starts a program. Some failures are thrown, others are emitted as events; both become the error that `explain`
 * creates.
 */
export async function startProgram<Child extends ChildProcess>(
  start: () => Child,
  explain: (cause: Error) => ToolError,
): Promise<Started<Child>> {
  const child = attempt(start);
  if (child instanceof Error) throw explain(child);
  if (hasStarted(child)) return child;
  throw explain(await new Promise<Error>((resolve) => child.once('error', resolve)));
}

function hasStarted<Child extends ChildProcess>(child: Child): child is Started<Child> {
  return child.pid !== undefined;
}

function attempt<T>(start: () => T): T | Error {
  try {
    return start();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

interface ServerProgram {
  /** Absolute, links resolved. */
  readonly executable: string;
  /** The command as configured: some programs behave differently depending on the name. */
  readonly command: string;
  readonly args: readonly string[];
  /** The user's variables, in addition to the few that every program needs. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
}

/** A program that serves over standard input and output. */
interface RunningProgram {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** How the program ended, for people: `exit code 1`, `signal SIGKILL`. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends it and everything it has started. Returns the processes that still exist after that. */
  end(): Promise<readonly number[]>;
}

/** How the program is started. `verbatim`: the arguments are already written as Windows passes them. */
export function serverStart(
  { executable, args }: ServerProgram,
  platform: NodeJS.Platform = process.platform,
): VerbatimCommand & { readonly verbatim: boolean } {
  return platform === 'win32' && isBatchFile(executable)
    ? { ...batchCommand(executable, args), verbatim: true }
    : { program: executable, args, verbatim: false };
}

/** Starts the program in a new process group. Rejects with a `ToolError` if it does not start. */
export async function startServerProgram(
  server: ServerProgram,
  roots: readonly string[],
): Promise<RunningProgram> {
  const { executable, command, env, cwd } = server;
  const mark = randomUUID();
  const child: ServerChild = await startProgram(
    () => {
      const { program, args, verbatim } = serverStart(server);
      return spawnProgram(program, args, {
        ...(verbatim ? { windowsVerbatimArguments: true } : { argv0: command }),
        cwd,
        env: { ...minimalEnvironment(process.env, roots), ...onlySearchPath(), ...env, PARLEY_COMMAND: mark },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
    },
    (cause) => new ToolError(`${executable} could not be started in ${cwd}: ${cause.message}.`, { cause }),
  );
  const tree = processTree(child.pid, mark);
  const killNow = (): void => tree.killNow();
  process.on('exit', killNow);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(code === null ? `signal ${signal ?? '?'}` : `exit code ${code}`),
    );
  });
  let ending: Promise<readonly number[]> | undefined;
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    end: () =>
      (ending ??= endTree(child, tree, ended).finally(() => {
        process.off('exit', killNow);
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      })),
  };
}

type ServerChild = ChildProcess & {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

async function endTree(
  child: ServerChild,
  tree: ProcessTree,
  ended: Promise<string>,
): Promise<readonly number[]> {
  // In the protocol, closing the input asks the server to exit.
  child.stdin.end();
  const timer = new AbortController();
  await Promise.race([
    ended,
    new Promise((resolve) => {
      const id = setTimeout(resolve, limits.mcpGoodbyeMs);
      timer.signal.addEventListener('abort', () => clearTimeout(id));
    }),
  ]);
  timer.abort();
  return tree.end('all');
}

const NEEDED =
  process.platform === 'win32'
    ? /^(?:APPDATA|COMSPEC|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PATHEXT|PROCESSOR_ARCHITECTURE|PROGRAM(?:DATA|FILES.*)|SYSTEMDRIVE|SYSTEMROOT|TEMP|TMP|USERNAME|USERPROFILE|WINDIR)$/i
    : /^(?:HOME|LANG|LC_\w+|LOGNAME|SHELL|TERM|TMPDIR|TZ|USER|XDG_\w+_HOME|XDG_RUNTIME_DIR)$/;

/** Whether a variable only says where things are and contains no secret. */
export function isForEveryProgram(name: string): boolean {
  return NEEDED.test(name) || name.toUpperCase() === 'PATH';
}

/** The variables that every program needs, without other programs' secrets. */
function minimalEnvironment(given: NodeJS.ProcessEnv, roots: readonly string[]): NodeJS.ProcessEnv {
  const kept = Object.entries(given).filter(([name, value]) => NEEDED.test(name) && !value?.startsWith('()'));
  return { ...Object.fromEntries(kept), PATH: searchPath(pathOf(given), roots) };
}

function pathOf(given: NodeJS.ProcessEnv): string {
  return Object.entries(given).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
}

/**
 * Finds the program for a command, links resolved: a path directly, a name in the PATH without the workspace folders.
 * Returns `undefined` if it does not exist.
 */
export async function findProgram(
  command: string,
  { cwd, roots }: { readonly cwd: string; readonly roots: readonly string[] },
): Promise<string | undefined> {
  const isPath = command.includes('/') || (process.platform === 'win32' && command.includes('\\'));
  const folders = isPath ? [cwd] : searchPath(pathOf(process.env), roots).split(path.delimiter);
  for (const folder of folders) {
    for (const ending of endings()) {
      const file = path.resolve(folder, command + ending);
      if (await isExecutable(file)) return realpath(file);
    }
  }
  return undefined;
}

/** On Windows the extension can be omitted. A file without one is then a script for another system. */
export function endings(
  platform: NodeJS.Platform = process.platform,
  known = process.env['PATHEXT'] ?? '.EXE',
): readonly string[] {
  return platform === 'win32' ? [...known.split(';').filter(Boolean), ''] : [''];
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
