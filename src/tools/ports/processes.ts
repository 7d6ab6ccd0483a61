import type { SandboxBounds } from '../../core/words/tool';
import type { Verdict } from '../../core/words/verdict';
import type { Place } from './files';

export interface Processes {
  /**
   * Judges a command; parses it, so that the simple commands can be shown. `outside`: the model asks that it runs outside
   * the sandbox, where there is one.
   */
  judge(command: string, cwd: Place, outside?: boolean): Promise<JudgedCommand>;
  /** Commands run in a sandbox, as far as that works here. */
  readonly hasSandbox: boolean;
  /** Starts it in a process group of its own; aborting ends it. Throws `ToolError` when it cannot be started. */
  start(command: CommandToRun, signal: AbortSignal): Promise<StartedCommand>;
  /** Those that run, and ended ones whose output is still kept; the oldest first. */
  readonly started: readonly StartedCommand[];
}

export interface JudgedCommand {
  readonly verdict: Verdict;
  /** What the user is asked about the repository it runs in; `start` takes these back. */
  readonly questions: readonly string[];
  readonly commands: readonly (readonly string[])[];
  /** Set where it would run in the sandbox. */
  readonly sandbox?: SandboxBounds;
}

/** What a command did in the sandbox that whoever called it should know. Paths are for people. */
export interface SandboxReport {
  /** What came into being where nothing may without a question, and was taken away. */
  readonly removed: readonly string[];
  /** Where it was moved to, if anything was. */
  readonly keptIn?: string;
  /** What should have been taken away, and is still there. */
  readonly remaining: readonly string[];
  /** Changed or new files that decide what builds, tests or scripts run. */
  readonly runsCode: readonly string[];
  /** Files that are not as they were, where the caller wants them kept; no more than can be put back. */
  readonly changes: readonly CommandChange[];
}

export interface CommandChange {
  /** Absolute, links resolved. */
  readonly path: string;
  /** For people: below the workspace folder, with `/`. */
  readonly display: string;
  /** What it held; not set where it was not there, `unknown` where that was not kept. */
  readonly before?: Uint8Array | 'unknown';
  /** Permission bits before. */
  readonly mode?: number;
}

export interface CommandToRun {
  readonly command: string;
  readonly cwd: Place;
  /** The questions that its verdict asked. It is not started where there are others by now. */
  readonly answered?: readonly string[];
  /** It runs in the sandbox, or not at all. */
  readonly inSandbox?: boolean;
  /** Without one it runs until it ends by itself or is ended. */
  readonly timeoutMs?: number;
  /** Who can end it along with the others of theirs. */
  readonly owner?: object | undefined;
  /** Keeps the output after the end also when an excerpt shows all of it. */
  readonly keepLog: boolean;
  /** Receives what is printed as it comes, in a few pieces a second; in a flood only its newest part. */
  readonly onOutput?: (text: string) => void;
}

export interface StartedCommand {
  /** Names it for the model. Not to be guessed, and never used again. */
  readonly logId: string;
  readonly command: string;
  /** Who has started it; they alone may read what it prints, and end it. */
  readonly owner?: object | undefined;
  readonly log: CommandLog;
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
  /** Set where it ran in the sandbox. */
  readonly sandbox?: SandboxReport;
}

export type CommandFate =
  /** `leftRunning`: it had put processes in the background, and they were ended. */
  | { readonly type: 'exited'; readonly code: number; readonly leftRunning: boolean }
  | { readonly type: 'killed'; readonly why: KillReason };

/** `stopped`: on request; `flood`: it printed more than any reader can want. */
export type KillReason = 'timeout' | 'aborted' | 'stopped' | 'flood';

/** What a command has printed so far, both streams together. */
export interface CommandLog {
  /** Head and tail. */
  excerpt(): CommandOutput;
  /** From the first one, some at a time, as far as they are kept. A very long line comes as several. */
  lines(signal: AbortSignal): AsyncIterable<readonly string[]>;
  /** What came after `lines`, when there was more than is kept: bytes that are lost, and the text after them. */
  readonly beyond: { readonly omitted: number; readonly tail: string } | undefined;
}

export interface CommandOutput {
  /** Everything, when nothing is omitted. */
  readonly head: string;
  readonly tail: string;
  /** Bytes in between. */
  readonly omitted: number;
}
