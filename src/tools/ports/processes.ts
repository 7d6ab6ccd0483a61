import type { Verdict } from '../../core/words/verdict';
import type { Place } from './files';

export interface Processes {
  /** Judges a command; parses it, so that the simple commands can be shown. */
  judge(command: string, cwd: Place): Promise<JudgedCommand>;
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
}

export interface CommandToRun {
  readonly command: string;
  readonly cwd: Place;
  /** The questions that its verdict asked. It is not started where there are others by now. */
  readonly answered?: readonly string[];
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
