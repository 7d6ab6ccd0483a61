import type { SandboxBounds } from '../../core/words/tool';
import type { Verdict } from '../../core/words/verdict';
import type { Place } from './files';

export interface Processes {
  /**
   * Judges a command, and parses it so that its simple commands can be shown. `outside`: the model asks to run it
   * outside the sandbox, if there is one.
   */
  judge(command: string, cwd: Place, outside?: boolean): Promise<JudgedCommand>;
  /** What a model must know of the shell; not set where it is the usual one. */
  readonly shellNote?: string | undefined;
  /** Commands run in a sandbox, if one works here. */
  readonly hasSandbox: boolean;
  /** Starts a command in a new process group; aborting ends it. Throws `ToolError` if it cannot be started. */
  start(command: CommandToRun, signal: AbortSignal): Promise<StartedCommand>;
  /** What the user's terminals know by this name and commands do not; looked up in startup files. */
  shellFunction(name: string): Promise<ShellFunction | undefined>;
  /** Running commands, and ended ones whose output is still kept, oldest first. */
  readonly started: readonly StartedCommand[];
}

/** A name that comes from a startup file of the user's shell, which commands do not read. */
export interface ShellFunction {
  /** For people: `~/.bashrc`. */
  readonly file: string;
  /** An example of a setup line that brings it. */
  readonly line: string;
}

export interface JudgedCommand {
  readonly verdict: Verdict;
  /** What to ask the user about the repository it runs in; passed to `start` again. */
  readonly questions: readonly string[];
  readonly commands: readonly (readonly string[])[];
  /** The user's line that runs before it; passed to `start` again. */
  readonly setup?: string;
  /** Set if it would run in the sandbox. */
  readonly sandbox?: SandboxBounds;
}

/** What a command did in the sandbox that its caller should know. Paths are for people. */
export interface SandboxReport {
  /** What the command created where creating needs approval, and was removed. */
  readonly removed: readonly string[];
  /** Where the removed entries were moved, if there are any. */
  readonly keptIn?: string;
  /** What only the user may create and perhaps has: it appeared while a background command ran, and was not removed. */
  readonly unclaimed: readonly string[];
  /** What should have been removed but still exists. */
  readonly remaining: readonly string[];
  /** Changed or new files that decide what builds, tests or scripts run. */
  readonly runsCode: readonly string[];
  /** Changed files, if the caller wants them recorded; no more than can be restored. */
  readonly changes: readonly CommandChange[];
}

export interface CommandChange {
  /** Absolute, links resolved. */
  readonly path: string;
  /** For people: below the workspace folder, with `/`. */
  readonly display: string;
  /** Its content before; not set if it did not exist, `unknown` if the content was not stored. */
  readonly before?: Uint8Array | 'unknown';
  /** Permission bits before. */
  readonly mode?: number;
}

export interface CommandToRun {
  readonly command: string;
  readonly cwd: Place;
  /** The questions that its verdict asked. It is not started if there are new ones. */
  readonly answered?: readonly string[];
  /** A line that runs before it; if that fails, the command does not run. */
  readonly setup?: string | undefined;
  /** The command runs in the sandbox, or not at all. */
  readonly inSandbox?: boolean;
  /** Nobody waits for its end. */
  readonly isBackground?: boolean;
  /** Without a limit it runs until it ends or is stopped. */
  readonly timeoutMs?: number;
  /** The owner, who can end all of their commands together. */
  readonly owner?: object | undefined;
  /** Keeps the output after the end even if an excerpt shows all of it. */
  readonly keepLog: boolean;
  /** Receives output as it arrives, a few times a second; in a flood only the newest part. */
  readonly onOutput?: (text: string) => void;
}

export interface StartedCommand {
  /** Identifies it for the model. Cannot be guessed and is never reused. */
  readonly logId: string;
  readonly command: string;
  /** The owner, who started it. Only they may read its output and end it. */
  readonly owner?: object | undefined;
  readonly log: CommandLog;
  /** It may continue after the call that has started it. */
  readonly isBackground: boolean;
  /** How long it has run so far, or ran. */
  readonly durationMs: number;
  /** `undefined` while it runs. */
  readonly end: CommandEnd | undefined;
  /** Fulfilled when the process group is gone or the survivors are named. Never rejects. */
  readonly ended: Promise<CommandEnd>;
  /** Ends it with everything it has started, if it has not ended yet. */
  stop(): Promise<CommandEnd>;
}

export interface CommandEnd {
  readonly how: CommandFate;
  /** Processes that could not be ended. */
  readonly survivors: readonly number[];
  /** What it started in a group of its own, such as daemons. They still run. */
  readonly outlivers?: readonly OutlivingProcess[];
  /** Set if it ran in the sandbox. */
  readonly sandbox?: SandboxReport;
}

export interface OutlivingProcess {
  readonly pid: number;
  /** Its program with its arguments. */
  readonly command: string;
}

export type CommandFate =
  /** `leftRunning`: it left processes in the background, and they were ended. */
  | { readonly type: 'exited'; readonly code: number; readonly leftRunning: boolean }
  | { readonly type: 'killed'; readonly why: KillReason };

/**
 * `stopped`: on request; `flood`: it printed too much; `forbidden`: while it ran in the sandbox, something appeared that
 * commands in the sandbox may not create.
 */
export type KillReason = 'timeout' | 'aborted' | 'stopped' | 'flood' | 'forbidden';

/** What a command has printed so far, both streams together. */
export interface CommandLog {
  /** Head and tail. */
  excerpt(): CommandOutput;
  /** Lines from the first one, in batches, as far as they are kept. A very long line comes as several. */
  lines(signal: AbortSignal): AsyncIterable<readonly string[]>;
  /** What came after `lines`, if there was more than is kept: bytes that are lost, and the text after them. */
  readonly beyond: { readonly omitted: number; readonly tail: string } | undefined;
}

export interface CommandOutput {
  /** Everything, if nothing is omitted. */
  readonly head: string;
  readonly tail: string;
  /** Bytes in between. */
  readonly omitted: number;
}
