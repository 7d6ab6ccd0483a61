import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type { Disposable } from '../base/disposable';
import { ToolError } from '../core/tool';
import { offerRules } from '../policy/command-grant';
import { judgeCommand } from '../policy/commands';
import { limits } from '../policy/limits';
import type { ShellGrammar } from '../policy/shell-grammar';
import type { CommandEnd, CommandFate, CommandToRun, Processes } from '../tools/workspace';
import { commandEnvironment } from './environment';
import { guardedDiff } from './git-guard';
import { OutputRing } from './output-ring';
import { OutputStream, WholeCharacters } from './output-stream';
import { pathFileSystem } from './path-file-system';
import { endTree, hasGroupMembers, killTree, type ProcessTree } from './process-tree';
import { findShell } from './shell-program';

export interface CommandRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface ProcessesOptions {
  readonly roots: readonly string[];
  /** Asked anew for each command. */
  readonly rules: () => CommandRules;
  /** Resolves to `undefined` when there is none; then every command asks. */
  readonly grammar: () => Promise<ShellGrammar | undefined>;
  readonly secretNames?: readonly string[];
  readonly ownFolders?: readonly string[];
  /** Environment variables that commands do not get, besides those that look like keys. */
  readonly withheld?: readonly string[];
}

/** Commands on this machine. Disposing ends those that run. */
export function createProcesses(options: ProcessesOptions): Processes & Disposable {
  const running = new Set<ProcessTree>();
  const environment = (): NodeJS.ProcessEnv => commandEnvironment(process.env, options);
  const shell = findShell(environment()['PATH'] ?? '');
  return {
    judge: async (command, cwd) => {
      const { roots, rules, grammar, ...places } = options;
      const request = { ...places, ...rules(), command, shell: shell.shell, roots, cwd: cwd.resolved };
      const ports = { grammar, files: pathFileSystem };
      const { commands, ...verdict } = await judgeCommand(request, ports);
      return { verdict: await offerRules(verdict, request, ports), commands };
    },
    run: async (command, signal) => {
      const env = await guardedDiff(command.command, command.cwd.resolved, environment());
      signal.throwIfAborted();
      if (running.size >= limits.commandsAtOnce) {
        throw new ToolError(
          `${running.size} commands are running already. Wait until one of them has ended.`,
        );
      }
      const mark = randomUUID();
      const child = spawn(shell.program, shell.arguments(command.command), {
        cwd: command.cwd.resolved,
        env: { ...env, PARLEY_COMMAND: mark },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      const { pid } = child;
      if (pid === undefined) throw await startError(child, command);
      const tree = { pid, mark };
      running.add(tree);
      try {
        return await watch(child, tree, command, signal);
      } finally {
        running.delete(tree);
      }
    },
    dispose: () => {
      for (const tree of running) killTree(tree);
    },
  };
}

/** Output may still be on its way when a shell has ended; a background process may keep the pipe open for ever. */
const DRAIN_MS = 100;

async function watch(
  child: ChildProcess & { stdout: Readable; stderr: Readable },
  tree: ProcessTree,
  { timeoutMs, onOutput }: CommandToRun,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const ring = new OutputRing({ head: limits.commandHeadBytes, tail: limits.commandTailBytes });
  const shown = new OutputStream({
    perSecond: limits.updatesPerSecond,
    most: limits.updateBytes,
    show: onOutput,
  });
  let received = 0;
  const fate = await new Promise<CommandFate>((resolve) => {
    const kill = (why: 'timeout' | 'aborted' | 'flood'): void => resolve({ type: 'killed', why });
    const abort = (): void => kill('aborted');
    const timer = setTimeout(() => kill('timeout'), timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    for (const stream of [child.stdout, child.stderr]) {
      const whole = new WholeCharacters();
      const take = (bytes: Buffer): void => {
        received += bytes.length;
        ring.add(bytes);
        shown.add(bytes);
        if (received > limits.commandKillBytes) kill('flood');
      };
      stream.on('data', (chunk: Buffer) => take(whole.push(chunk)));
      stream.on('end', () => take(whole.end()));
    }
    child.on('exit', (code, signalName) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      const end = (): void =>
        resolve({ type: 'exited', code: exitCode(code, signalName), leftRunning: false });
      const late = setTimeout(end, DRAIN_MS);
      child.on('close', () => {
        clearTimeout(late);
        end();
      });
    });
  });
  const killed = fate.type === 'killed';
  const leftRunning = !killed && (await hasGroupMembers(tree));
  // A daemon that left the group on purpose may outlive a command that has ended by itself.
  const survivors = killed ? await endTree(tree) : leftRunning ? await endTree({ ...tree, mark: '' }) : [];
  child.stdout.destroy();
  child.stderr.destroy();
  shown.end();
  return { how: killed ? fate : { ...fate, leftRunning }, output: ring.end(), survivors };
}

/** A signal as shells report it. */
function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

async function startError(child: ChildProcess, { cwd }: CommandToRun): Promise<ToolError> {
  const cause = await new Promise<Error>((resolve) => child.once('error', resolve));
  return new ToolError(`The shell could not start in ${cwd.display}: ${cause.message}. Check cwd.`, {
    cause,
  });
}
