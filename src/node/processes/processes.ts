import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Disposable } from '../../base/disposable';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { readCommandText, type Shell } from '../../policy/commands/command-text';
import { judgeCommand, type CommandVerdict } from '../../policy/commands/commands';
import { offerRules } from '../../policy/commands/offers';
import type { GitNames } from '../../policy/commands/printed-names';
import { ChangedInSandbox, placeCommand } from '../../policy/commands/sandboxed';
import { RememberedFiles } from '../../policy/paths/remembered-files';
import type { ShellGrammar } from '../../policy/commands/simple-commands';
import type { Verdict } from '../../core/words/verdict';
import { ask } from '../../policy/verdicts';
import type { Place } from '../../tools/ports/files';
import type { CommandToRun, Processes, SandboxReport } from '../../tools/ports/processes';
import { pathFileSystem, placesNow, type PlacesOptions } from '../files/path-file-system';
import { gitQuestions, guardedGit, type GitCommand } from '../git/git-guard';
import { createGitNames } from '../git/git-names';
import type { EnteredCommand, Sandbox } from '../sandbox/sandbox';
import { LogFolder, SpooledLog } from './command-log';
import { commandEnvironment } from './environment';
import { ProcessTree } from './process-tree';
import { RunningCommand, type RunningParts, type ShellProcess } from './running-command';
import { afterSetup } from './setup-line';
import { findShellFunction } from './shell-functions';
import { startProgram } from './start-program';

export interface CommandRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

interface ProcessesOptions extends PlacesOptions {
  /** Whether the workspace is trusted. In an untrusted one no command runs, so git is not asked. */
  readonly isTrusted: () => boolean;
  /** Called for each command. */
  readonly rules: () => CommandRules;
  /** Resolves to `undefined` when there is none; then every command asks. */
  readonly grammar: () => Promise<ShellGrammar | undefined>;
  /** Environment variables that commands do not get, besides those that look like keys. */
  readonly withheld?: readonly string[];
  /** The user's line that runs before each command; none if empty. Called for each command. */
  readonly setup?: () => string;
  /** The user's own variables for terminals; `null` removes one. Called for each command. */
  readonly variables?: () => Readonly<Record<string, string | null>>;
  /** A folder of our own for the output of commands; the system's temporary folder if not given. */
  readonly logFolder?: string;
  /** The sandbox for commands, if the settings enable it. */
  readonly sandbox?: Sandbox;
  /** Whether the user is now to be told that this rule covers less than in earlier versions; true once for each rule. */
  readonly tellsOfRule?: (rule: string) => boolean;
  /** Receives the processes that could not be ended. */
  readonly onSurvivors?: (command: string, pids: readonly number[]) => void;
}

/** Commands on this machine. Disposing starts to end running commands; they end with this process at the latest. */
interface MachineProcesses extends Processes, Disposable {
  /** Ends the commands of an owner and deletes their output. Resolves when all have ended. */
  endOf(owner: object): Promise<void>;
  /** Ends all commands and deletes their output. */
  endAll(): Promise<void>;
}

export function createProcesses(options: ProcessesOptions): MachineProcesses {
  return new ShellCommands(options);
}

class ShellCommands implements MachineProcesses {
  private readonly commands = new Map<string, RunningCommand>();
  private readonly running = new Set<RunningCommand>();
  private readonly folder: LogFolder;
  private readonly changed = new ChangedInSandbox();
  private readonly gitNames: GitNames;
  private isDisposed = false;
  private isGuarded = false;

  constructor(private readonly options: ProcessesOptions) {
    this.folder = new LogFolder(options.logFolder);
    this.gitNames = createGitNames({ environment: () => this.environment(), roots: options.roots });
  }

  get started(): readonly RunningCommand[] {
    return [...this.commands.values()];
  }

  get hasSandbox(): boolean {
    return this.options.sandbox?.settings.isEnabled === true;
  }

  shellFunction(name: string): ReturnType<Processes['shellFunction']> {
    return findShellFunction(name, homedir());
  }

  async judge(command: string, cwd: Place, outside = false): ReturnType<Processes['judge']> {
    const setup = this.options.setup?.().trim();
    const judged = await this.judged(command, cwd, outside);
    return setup ? { ...judged, setup } : judged;
  }

  private async judged(command: string, cwd: Place, outside: boolean): ReturnType<Processes['judge']> {
    const { rules, grammar, sandbox } = this.options;
    const { shell } = this.shell();
    const request = { ...placesNow(this.options), ...rules(), command, shell, cwd: cwd.resolved };
    const ports = {
      grammar,
      files: RememberedFiles.of(pathFileSystem),
      // Git reads settings of the repository.
      ...(this.options.isTrusted() && { gitNames: this.gitNames }),
    };
    const judged = this.told(await judgeCommand(request, ports));
    const { commands } = judged;
    const mayRun = judged.decision !== 'deny' && this.options.isTrusted();
    if (!mayRun) return { verdict: await offerRules(judged, request, ports), commands, questions: [] };
    const changed = this.changed.question(commands);
    const questions = await gitQuestions(await this.gitCommand(command, cwd));
    const outsideQuestions = changed === undefined ? questions : [...questions, changed];
    const isPlaced = sandbox?.settings.isEnabled && (await sandbox.status()).works;
    if (!isPlaced) {
      const offered = await offerRules(judged, request, ports);
      return { verdict: withQuestions(offered, outsideQuestions), commands, questions: outsideQuestions };
    }
    const { runUnasked, allowedDomains: sites, git, outsideCommands } = sandbox.settings;
    const { verdict, isInside } = placeCommand(judged, commands, {
      runUnasked,
      isGitWritable: git === 'write',
      hasNetwork: sites.length > 0,
      wantsOutside: outside,
      isElsewhere: cwd.verdict.isOutside === true,
      outside: await judgeCommand({ ...request, allow: outsideCommands }, ports),
    });
    if (!isInside)
      return { verdict: withQuestions(verdict, outsideQuestions), commands, questions: outsideQuestions };
    // The repository's settings may start programs here: these stay in the sandbox.
    const offered = verdict === judged ? await offerRules(judged, request, ports) : verdict;
    return { verdict: offered, commands, questions, sandbox: { sites } };
  }

  async start(command: CommandToRun, signal: AbortSignal): Promise<RunningCommand> {
    const { child, tree, left, begun } = await this.spawn(command, signal);
    const parts = { logId: newLogId(), child, tree, log: new SpooledLog(this.folder), ...(left && { left }) };
    const started = new RunningCommand(parts, command, signal);
    this.commands.set(started.logId, started);
    this.running.add(started);
    if (!this.isGuarded) process.on('exit', this.killNow);
    this.isGuarded = true;
    void this.follow(started, command);
    try {
      // Wait only now; otherwise output or the end of the process could be missed.
      await begun;
    } catch (error) {
      await started.ended;
      await this.forget([started]);
      throw error;
    }
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
    { command, cwd, owner, answered = [], setup = '', inSandbox = false }: CommandToRun,
    signal: AbortSignal,
  ): Promise<Pick<RunningParts, 'child' | 'tree' | 'left'> & { readonly begun?: Promise<void> }> {
    const gitCommand = await this.gitCommand(command, cwd);
    const git = await guardedGit(gitCommand, answered);
    if (!inSandbox) this.checkChanged(gitCommand.commands, answered);
    signal.throwIfAborted();
    if (this.isDisposed) throw new ToolError('Parley is closing, so no command is started any more.');
    if (this.running.size >= limits.commandsAtOnce) throw this.tooMany(owner);
    const shell = this.shell();
    const mark = randomUUID();
    const { script, more } = afterSetup(setup, command, shell.shell);
    const outside: ProgramToStart = {
      program: shell.program,
      arguments: [...shell.arguments(script), ...more],
      environment: { ...git, PARLEY_COMMAND: mark },
      descriptors: [],
    };
    const entered = inSandbox ? await this.enter(outside, cwd) : undefined;
    const { program, arguments: words, environment: env, descriptors } = entered ?? outside;
    const child = await startProgram(
      () =>
        spawn(program, words, {
          cwd: cwd.resolved,
          env,
          stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
          detached: process.platform !== 'win32',
          windowsHide: true,
        }) as ShellProcess,
      (cause) =>
        new ToolError(
          `The shell could not start in ${cwd.display}: ${cause.message}. Check cwd, or make the command shorter.`,
          { cause },
        ),
    );
    const tree = new ProcessTree(child.pid, mark);
    if (!entered) return { child, tree };
    return { child, tree, left: () => this.leave(entered), begun: entered.started(child) };
  }

  /** Says once for each rule that it does not cover what it did. */
  private told(judged: CommandVerdict): CommandVerdict {
    const { beyond } = judged;
    if (beyond === undefined || this.options.tellsOfRule?.(beyond) !== true) return judged;
    const reason = `Rules cover less than before: ${judged.reason}`;
    return { ...judged, reason };
  }

  private checkChanged(commands: GitCommand['commands'], answered: readonly string[]): void {
    const question = this.changed.question(commands);
    if (question === undefined) return;
    if (!answered.includes(question))
      throw new ToolError(
        `Meanwhile ${question}. The command was not started. Call it again, and the user will be asked.`,
      );
    this.changed.forget();
  }

  private enter(program: ProgramToStart, cwd: Place): Promise<EnteredCommand> {
    const { sandbox } = this.options;
    if (!sandbox) throw new ToolError('The sandbox is not available, so the command was not started.');
    return sandbox.enter({ ...program, cwd: cwd.resolved });
  }

  private async leave(entered: EnteredCommand): Promise<SandboxReport> {
    const report = await entered.left();
    this.changed.add(report.runsCode);
    return report;
  }

  private async gitCommand(command: string, cwd: Place): Promise<GitCommand> {
    const { grammar, roots } = this.options;
    const isShort = command.length <= limits.commandScanCharacters;
    const { reading, found } = isShort
      ? await readCommandText(command, this.shell().shell, grammar)
      : { reading: undefined, found: [] };
    return {
      command,
      commands: found,
      isPlain: reading?.type === 'plain',
      cwd: cwd.resolved,
      environment: this.environment(),
      roots,
    };
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

  private tooMany(owner: object | undefined): ToolError {
    const own = [...this.running].filter((command) => command.owner === owner);
    const list = own.map(({ logId, command }) => `${logId} (${command.slice(0, 80)})`);
    const running = `${this.running.size} commands are running already`;
    return new ToolError(
      list.length === 0
        ? `${running}, all of other owners. Wait until one has ended.`
        : `${running}: ${list.join(', ')}. Wait until one has ended, or end one with stop_command.`,
    );
  }

  /** Asynchronous work is impossible when the process exits. */
  private readonly killNow = (): void => {
    for (const command of this.running) command.killNow();
    this.folder.removeNow();
  };

  private environment(): NodeJS.ProcessEnv {
    return commandEnvironment({ ...process.env, ...this.options.variables?.() }, this.options);
  }

  private shell(): ReturnType<typeof findShell> {
    return findShell(this.environment()['PATH'] ?? '');
  }
}

/** How many names a question lists; the user can see the others afterwards. */
const MOST_REASONS = 4;

/** With questions, no rule lets the command run without approval, so offer none. */
function withQuestions(verdict: Verdict, questions: readonly string[]): Verdict {
  if (questions.length === 0) return verdict;
  const reasons = verdict.decision === 'ask' ? [verdict.reason, ...questions] : questions;
  return ask(reasons.slice(0, MOST_REASONS).reduce(together));
}

function together(first: string, second: string): string {
  const reason = `${first}, and ${second}`;
  return reason;
}

/** Random, so that an id from an earlier window never names another command. */
function newLogId(): string {
  return `log-${randomBytes(4).toString('hex')}`;
}

type ProgramToStart = Pick<EnteredCommand, 'program' | 'arguments' | 'environment' | 'descriptors'>;

interface ShellProgram {
  readonly program: string;
  /** The shell's syntax. */
  readonly shell: Shell;
  readonly arguments: (command: string) => readonly string[];
}

interface Machine {
  readonly platform: NodeJS.Platform;
  /** The Windows folder. */
  readonly systemRoot: string | undefined;
}

/** Returns the shell that runs commands: not a login shell, no startup files. */
export function findShell(
  searchPath: string,
  { platform, systemRoot = 'C:\\Windows' }: Machine = thisMachine(),
): ShellProgram {
  if (platform === 'win32') {
    return {
      // For a bare name, Windows would use a program from the current folder.
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
