import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { spawnProgram, windowsProgram, type ChildProcess } from '../processes/child-process';
import { withoutVariables } from '../processes/environment';
import { processTree, type ProcessTree } from '../processes/process-tree';
import { startProgram } from '../processes/start-program';

type Ended =
  { readonly type: 'printed'; readonly text: string } | { readonly type: 'failed'; readonly problem: string };

/** A program with its arguments that runs a command line, as the shell of the system does. */
export function keyShell(
  command: string,
  platform: NodeJS.Platform = process.platform,
  systemRoot = process.env['SystemRoot'],
): { readonly program: string; readonly args: readonly string[] } {
  if (platform !== 'win32') return { program: '/bin/sh', args: ['-c', command] };
  return { program: windowsProgram('cmd.exe', systemRoot), args: ['/d', '/s', '/c', `"${command}"`] };
}

/** What a command printed, or why it printed nothing. `limit`: milliseconds until it is ended with its tree. */
export async function outputOf(command: string, withheld: readonly string[], limit: number): Promise<Ended> {
  const mark = randomUUID();
  const { program, args } = keyShell(command);
  let child: KeyProcess & { readonly pid: number };
  try {
    child = await startProgram(
      () =>
        spawnProgram(program, args, {
          // A workspace must not decide what runs.
          cwd: homedir(),
          env: { ...withoutVariables(process.env, withheld), PARLEY_COMMAND: mark },
          stdio: ['ignore', 'pipe', 'ignore'],
          // In a new process group, which can be ended as a whole.
          detached: process.platform !== 'win32',
          windowsHide: true,
          windowsVerbatimArguments: true,
        }),
      (cause) => new ToolError(cause.message, { cause }),
    );
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const reason = 'The command of "apiKeyCommand" could not be started. Run it in a terminal to see why.';
    return { type: 'failed', problem: reason };
  }
  return follow(child, processTree(child.pid, mark), limit);
}

type KeyProcess = ChildProcess & { readonly stdout: Readable };

async function follow(child: KeyProcess, tree: ProcessTree, limit: number): Promise<Ended> {
  let timer: NodeJS.Timeout | undefined;
  const ended = await new Promise<Ended & { readonly isRunning?: true }>((resolve) => {
    const fail = (problem: string, isRunning?: true): void =>
      resolve({ type: 'failed', problem, ...(isRunning && { isRunning }) });
    timer = setTimeout(() => {
      const reason = `The command of "apiKeyCommand" did not end in ${limit / 1000} s. Run it in a terminal to see what it waits for.`;
      fail(reason, true);
    }, limit);
    let text = '';
    child.stdout.on('data', (piece: Buffer) => {
      text += piece.toString();
      const reason =
        'The command of "apiKeyCommand" printed much more than a key. Run it in a terminal to see what.';
      if (text.length > limits.keyCommandBytes) fail(reason, true);
    });
    child.once('close', (code) => {
      const reason = `The command of "apiKeyCommand" failed (${code ?? 'ended by a signal'}). Run it in a terminal to see why.`;
      if (code === 0) resolve({ type: 'printed', text });
      else fail(reason);
    });
  });
  clearTimeout(timer);
  if (ended.isRunning) {
    child.stdout.destroy();
    const survivors = await tree.end('all');
    if (survivors.length > 0) child.unref();
  }
  return ended;
}
