import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Disposable } from '../base/disposable';
import { ToolError } from '../core/tool';
import { offerRules } from '../policy/command-grant';
import { judgeCommand } from '../policy/commands';
import { limits } from '../policy/limits';
import type { ShellGrammar } from '../policy/shell-grammar';
import type { CommandToRun, Place, Processes } from '../tools/workspace';
import { SpooledLog } from './command-log';
import { commandEnvironment } from './environment';
import { guardedGit } from './git-guard';
import { LogFolder } from './log-folder';
import { pathFileSystem } from './path-file-system';
import { placesNow, type PlacesOptions } from './places';
import { ProcessTree } from './process-tree';
import { RunningCommand, type ShellProcess } from './running-command';
import { findShell } from './shell-program';
import { startProgram } from './start-program';

export interface CommandRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface ProcessesOptions extends PlacesOptions {
  /** Asked anew for each command. */
  readonly rules: () => CommandRules;
  /** Resolves to `undefined` when there is none; then every command asks. */
  readonly grammar: () => Promise<ShellGrammar | undefined>;
  /** Environment variables that commands do not get, besides those that look like keys. */
  readonly withheld?: readonly string[];
  /** A folder of our own for what commands print; the system's temporary folder if not given. */
  readonly logFolder?: string;
  /** Is told about processes that could not be ended, whoever wanted them to end. */
  readonly onSurvivors?: (command: string, pids: readonly number[]) => void;
}

/** Commands on this machine. Disposing begins to end those that run; at the latest they end with this process. */
export interface MachineProcesses extends Processes, Disposable {
  /** Ends what an owner has started and forgets what it has printed. Fulfilled when nothing of it is left. */
  endOf(owner: object): Promise<void>;
  /** The same with everything. */
  endAll(): Promise<void>;
}

export function createProcesses(options: ProcessesOptions): MachineProcesses {
  return new ShellCommands(options);
}

class ShellCommands implements MachineProcesses {
  private readonly commands = new Map<string, RunningCommand>();
  private readonly running = new Set<RunningCommand>();
  private readonly folder: LogFolder;
  private isDisposed = false;
  private isGuarded = false;

  constructor(private readonly options: ProcessesOptions) {
    this.folder = new LogFolder(options.logFolder);
  }

  get started(): readonly RunningCommand[] {
    return [...this.commands.values()];
  }

  async judge(command: string, cwd: Place): ReturnType<Processes['judge']> {
    const { rules, grammar } = this.options;
    const { shell } = this.shell();
    const request = { ...placesNow(this.options), ...rules(), command, shell, cwd: cwd.resolved };
    const ports = { grammar, files: pathFileSystem };
    const { commands, ...verdict } = await judgeCommand(request, ports);
    return { verdict: await offerRules(verdict, request, ports), commands };
  }

  async start(command: CommandToRun, signal: AbortSignal): Promise<RunningCommand> {
    const { child, tree } = await this.spawn(command, signal);
    const parts = { logId: newLogId(), child, tree, log: new SpooledLog(this.folder) };
    const started = new RunningCommand(parts, command, signal);
    this.commands.set(started.logId, started);
    this.running.add(started);
    if (!this.isGuarded) process.on('exit', this.killNow);
    this.isGuarded = true;
    void this.follow(started, command);
    return started;
  }

  async endOf(owner: object): Promise<void> {
    await this.forget(this.all.filter((command) => command.owner === owner));
  }

  async endAll(): Promise<void> {
    await this.forget(this.all);
    if (!this.isDisposed) return;
    await this.folder.remove();
    process.off('exit', this.killNow);
  }

  dispose(): void {
    this.isDisposed = true;
    void this.endAll();
  }

  private get all(): readonly RunningCommand[] {
    return [...new Set([...this.running, ...this.commands.values()])];
  }

  private async forget(commands: readonly RunningCommand[]): Promise<void> {
    await Promise.all(
      commands.map(async (command) => {
        this.commands.delete(command.logId);
        await command.stop('aborted');
        await command.log.remove();
      }),
    );
  }

  private async spawn(
    { command, cwd }: CommandToRun,
    signal: AbortSignal,
  ): Promise<{ readonly child: ShellProcess; readonly tree: ProcessTree }> {
    const env = await guardedGit({
      command,
      cwd: cwd.resolved,
      environment: this.environment(),
      roots: this.options.roots,
    });
    signal.throwIfAborted();
    if (this.isDisposed) throw new ToolError('Parley is closing, so no command is started any more.');
    if (this.running.size >= limits.commandsAtOnce) throw this.tooMany();
    const { program, arguments: argumentsFor } = this.shell();
    const mark = randomUUID();
    const child = await startProgram(
      () =>
        spawn(program, argumentsFor(command), {
          cwd: cwd.resolved,
          env: { ...env, PARLEY_COMMAND: mark },
          stdio: ['ignore', 'pipe', 'pipe'],
          detached: process.platform !== 'win32',
          windowsHide: true,
        }),
      (cause) =>
        new ToolError(
          `The shell could not start in ${cwd.display}: ${cause.message}. Check cwd, or make the command shorter.`,
          { cause },
        ),
    );
    return { child, tree: new ProcessTree(child.pid, mark) };
  }

  private async follow(started: RunningCommand, { keepLog }: CommandToRun): Promise<void> {
    const { survivors } = await started.ended;
    this.running.delete(started);
    if (survivors.length > 0) this.options.onSurvivors?.(started.command, survivors);
    if (!keepLog && started.log.excerpt().omitted === 0) this.commands.delete(started.logId);
    const ended = this.started.filter(({ end }) => end !== undefined);
    for (const old of ended.slice(0, -limits.commandLogs)) {
      this.commands.delete(old.logId);
      await old.log.remove();
    }
  }

  private tooMany(): ToolError {
    const list = [...this.running].map(({ logId, command }) => `${logId} (${command.slice(0, 80)})`);
    return new ToolError(
      `${list.length} commands are running already: ${list.join(', ')}. Wait until one has ended, or end one with stop_command.`,
    );
  }

  /** Nothing waits any more when a process exits. */
  private readonly killNow = (): void => {
    for (const command of this.running) command.killNow();
    this.folder.removeNow();
  };

  private environment(): NodeJS.ProcessEnv {
    return commandEnvironment(process.env, this.options);
  }

  private shell(): ReturnType<typeof findShell> {
    return findShell(this.environment()['PATH'] ?? '');
  }
}

/** Random, so that an id of an earlier window names nothing instead of another command. */
function newLogId(): string {
  return `log-${randomBytes(4).toString('hex')}`;
}
