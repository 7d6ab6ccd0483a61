import type { JsonObject } from '../../base/json';
import type { Attachment, Image } from './attachment';
import type { Carried } from './carried';
import type { SandboxBounds } from './tool';

/** One step of a conversation as Parley keeps it: plain data that a protocol renders anew for every request. */
export type Turn = UserTurn | ReplyTurn | ResultsTurn;

export interface UserTurn {
  readonly type: 'user';
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

interface ReplyTurn {
  readonly type: 'reply';
  readonly parts: readonly ReplyPart[];
  readonly carried?: Carried;
}

/** Answers every call and every malformed call of the reply before it, in the order they were written. */
export interface ResultsTurn {
  readonly type: 'results';
  readonly results: readonly ToolResult[];
}

export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'malformed'; readonly malformed: MalformedCall };

/** A complete call: its name is an offered tool and its arguments were read to the end. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** Where it stands in the raw reply, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly notes: readonly Diagnostic[];
  /**
   * `repaired`: its text had to be mended; `recovered`: it was written in another form; both ask before they write, run
   * or fetch. `echoed`: it stands word for word in an earlier result, which may have put it there; it always asks.
   */
  readonly mark: 'clean' | 'repaired' | 'recovered' | 'echoed';
  /** What the endpoint has sent along with the call and wants back with it: Gemini's `extra_content` with a signature. */
  readonly extra?: JsonObject;
}

/** What was meant as a call and cannot run. Nothing of it was executed. */
export interface MalformedCall {
  readonly id: string;
  /** As the model wrote it; empty when the name could not be read. */
  readonly name: string;
  readonly diagnostic: Diagnostic;
  /** As `ToolCall` has it. */
  readonly extra?: JsonObject;
}

export interface ToolResult {
  /** Id of the call it answers. */
  readonly requestId: string;
  readonly toolName: string;
  readonly status: 'success' | 'error' | 'denied';
  readonly result: string;
  readonly images?: readonly Image[];
  /** The names of tools whose definitions it brings. */
  readonly defines?: readonly string[];
  /** Those of folders that came with it. */
  readonly rules?: readonly GivenRules[];
  /** Set where a command ran in the sandbox. */
  readonly sandbox?: SandboxBounds;
  readonly durationMs: number;
}

/** A rules file of a folder that a model has been given, with a result. */
export interface GivenRules {
  /** Below the folder of the workspace, whose name it begins with. */
  readonly file: string;
  readonly characters: number;
}

/** Those of all results, in their order. */
export function resultImages(results: readonly ToolResult[]): readonly Image[] {
  return results.flatMap(({ images = [] }) => images);
}

/** What the model is told of a call that could not be read. */
export function malformedResult({ id, name, diagnostic }: MalformedCall): ToolResult {
  const called = name === '' ? 'The call' : `The call of ${name}`;
  return notRun(id, name, `${called} was not executed: ${diagnostic.message} ${diagnostic.hint}`);
}

/** The answer to a call that did not run, and why. */
export function notRun(id: string, toolName: string, why: string): ToolResult {
  return { requestId: id, toolName, status: 'error', result: why, durationMs: 0 };
}

/** Something noticed while a reply was read. Positions are UTF-16 offsets in the raw text of the reply. */
export interface Diagnostic {
  /** Stable kebab-case word for tests, tables and translations: `unfinished`, `unknown-tool`. */
  readonly code: string;
  readonly level: 'info' | 'warning' | 'error';
  /** One sentence for people. */
  readonly message: string;
  /** What the model should do instead, in one sentence. */
  readonly hint: string;
  /** Another protocol than the one in use, in whose form the model wrote. */
  readonly seen?: string;
  readonly start: number;
  readonly end: number;
}
