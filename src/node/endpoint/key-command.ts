import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { unlessAborted } from '../../base/async';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { spawnProgram, windowsProgram, type ChildProcess } from '../processes/child-process';
import { withoutVariables } from '../processes/environment';
import { processTree, type ProcessTree } from '../processes/process-tree';
import { startProgram } from '../processes/start-program';

/** A profile's command whose output is a key. */
export interface KeyCommandOptions {
  /** A command line for the shell of the system. */
  readonly command: string;
  /** Seconds to keep a key; if not given, it is kept until it is refused. */
  readonly expiresIn?: number | undefined;
}

interface KeySurroundings {
  /** Environment variables that the command does not get. */
  readonly withheld?: readonly string[];
  /** Receives every key, so that none is written to a file or log. */
  readonly learn?: (key: string) => void;
  /** Returns milliseconds since some fixed moment. */
  readonly now?: () => number;
  /** How many milliseconds the command may take. */
  readonly limit?: number;
}

/** Gets a key from a command and keeps it until it is refused or too old. The output of the command is never shown. */
export class KeyCommand {
  private kept: { readonly key: string; readonly until: number } | undefined;
  private running: Promise<string | { readonly problem: string }> | undefined;

  constructor(
    private readonly options: KeyCommandOptions,
    private readonly surroundings: KeySurroundings = {},
  ) {}

  /** Returns the key, or why there is no key. Rejects with the signal's reason. Concurrent calls get the same key. */
  async key(signal: AbortSignal): Promise<string | { readonly problem: string } | undefined> {
    const { now = () => performance.now() } = this.surroundings;
    if (this.kept && now() < this.kept.until) return this.kept.key;
    this.running ??= this.run(now).finally(() => (this.running = undefined));
    return unlessAborted(this.running, signal);
  }

  /** Discards the kept key after it was refused. */
  forget(): void {
    this.kept = undefined;
  }

  private async run(now: () => number): Promise<string | { readonly problem: string }> {
    const { withheld = [], learn, limit = limits.keyCommandMs } = this.surroundings;
    const ended = await output(this.options.command, withheld, limit);
    if (ended.type === 'failed') return { problem: ended.problem };
    const key = ended.text.trim();
    if (key !== '') learn?.(key);
    if (key === '' || !/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(key)) {
      const reason =
        'The command of "apiKeyCommand" printed no key: one line without unusual characters is expected. Run it in a terminal to see what it prints.';
      return { problem: reason };
    }
    const { expiresIn } = this.options;
    this.kept = { key, until: expiresIn === undefined ? Infinity : now() + expiresIn * 1000 };
    return key;
  }
}

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

async function output(command: string, withheld: readonly string[], limit: number): Promise<Ended> {
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
