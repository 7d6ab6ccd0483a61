import type { JsonObject } from '../../base/json';
import type { Attachment, Image } from './attachment';
import type { ProviderMetadata } from './provider-metadata';
import type { SandboxBounds } from './tool';

/** One step of a conversation as Parley stores it: plain data that a protocol renders for every request. */
export type Turn = UserTurn | ReplyTurn | ResultsTurn;

export interface UserTurn {
  readonly type: 'user';
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

interface ReplyTurn {
  readonly type: 'reply';
  readonly parts: readonly ReplyPart[];
  readonly carried?: ProviderMetadata;
}

/** Answers every call and every malformed call of the previous reply, in the order they were written. */
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
  /** Its position in the raw reply, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly notes: readonly Diagnostic[];
  /**
   * `repaired`: the parser fixed its text; `recovered`: it was in another protocol's form; both ask before they write,
   * run or fetch. `echoed`: it occurs word for word in an earlier result, which may have planted it; it always asks.
   */
  readonly mark: 'clean' | 'repaired' | 'recovered' | 'echoed';
  /** What the endpoint sent with the call and expects back with it: Gemini's `extra_content` with a signature. */
  readonly extra?: JsonObject;
}

/** A malformed call, which cannot run. Nothing was executed. */
export interface MalformedCall {
  readonly id: string;
  /** As the model wrote it; empty if the name could not be read. */
  readonly name: string;
  readonly diagnostic: Diagnostic;
  /** As in `ToolCall`. */
  readonly extra?: JsonObject;
}

export interface ToolResult {
  /** Id of the call it answers. */
  readonly requestId: string;
  readonly toolName: string;
  readonly status: 'success' | 'error' | 'denied';
  readonly result: string;
  readonly images?: readonly Image[];
  /** The names of tools whose definitions it contains. */
  readonly defines?: readonly string[];
  /** The folder rules added to it. */
  readonly rules?: readonly GivenRules[];
  /** Set if a command ran in the sandbox. */
  readonly sandbox?: SandboxBounds;
  readonly durationMs: number;
}

/** A folder's rules file that a model was given with a result. */
export interface GivenRules {
  /** Relative path that begins with the name of the workspace folder. */
  readonly file: string;
  readonly characters: number;
}

/** The images of all results, in order. */
export function resultImages(results: readonly ToolResult[]): readonly Image[] {
  return results.flatMap(({ images = [] }) => images);
}

/** The result that tells the model about a malformed call. */
export function malformedResult({ id, name, diagnostic }: MalformedCall): ToolResult {
  const called = name === '' ? 'The call' : `The call of ${name}`;
  return notRun(id, name, `${called} was not executed: ${diagnostic.message} ${diagnostic.hint}`);
}

/** The result of a call that did not run, and why. */
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
  /** The other protocol in whose form the model wrote. */
  readonly seen?: string;
  /** The text before it says that it is only an example. */
  readonly isExample?: true;
  readonly start: number;
  readonly end: number;
}

/** About a request or reply as a whole. */
export function wholeReply(diagnostic: Omit<Diagnostic, 'seen' | 'start' | 'end'>): Diagnostic {
  return { ...diagnostic, start: 0, end: 0 };
}
