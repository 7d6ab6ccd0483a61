import type { Mutex } from '../../base/async';
import type { RunModel, SentConversation } from '../context/run-model';
import type { CallIds } from '../reply/call-ids';
import type { ApprovalRequest, ArgumentEdit, Decision } from '../words/approval';
import type { ToolCallConfig } from '../words/config';
import type { AgentEvent } from '../words/events';
import type { ModelDelta } from '../words/model';
import type { RunPrompt } from '../words/prompt';
import type { Protocol } from '../words/protocol';
import type { Caller, Question, Tool } from '../words/tool';
import type { Budget, Meter } from './budget';
import type { FolderRules } from './folder-rules';
import type { Hooks } from './hooks';

/** What a run needs besides the conversation and its user, rebuilt for every message. */
export interface RunSetup {
  readonly model: RunModel;
  readonly prompt: RunPrompt;
  readonly tools: RunTools;
  readonly limits: RunLimits;
  /**
   * Only if the user left the protocol open: what to continue with if the model writes the form `seen`. Remembers it
   * for the model.
   */
  readonly move?: (seen: string) => Promise<{ readonly protocol: Protocol; readonly offer: ToolOffer }>;
  /** What to continue with if the model cannot be reached: the same run with another one. */
  readonly fallback?: () => Promise<RunSetup>;
}

/** Everything of a run, in groups; a function takes those that it uses. */
export interface AgentOptions extends RunSetup {
  readonly user: RunUser;
  readonly conversation: RunConversation;
}

/** What the model may call, and what runs around its calls. */
export interface RunTools {
  readonly offer: ToolOffer;
  /** Called before every request. */
  readonly config: () => ToolCallConfig;
  /** The project's files, for a model that works in steps of one call. */
  readonly files?: readonly string[];
  /** The text of one of them, if the model may read it without asking. */
  readonly fileText?: (path: string) => Promise<string | undefined>;
  /** Absent if no hooks are set. Before a call they are part of `approve`. */
  readonly hooks?: Hooks;
  /** Absent if the project is not trusted. */
  readonly folderRules?: FolderRules;
}

/** What the run may use before it pauses. */
export interface RunLimits {
  /** Requests, read when the run starts. */
  readonly rounds: () => number;
  /** Called after every round. */
  readonly budget: () => Budget;
}

/** The user's answers, or those of the policy for them. */
export interface RunUser {
  readonly approve: Approve;
  /** Absent if no user can answer. */
  readonly ask?: Ask;
}

/** The conversation that the run continues. */
export interface RunConversation extends SentConversation {
  readonly ids: CallIds;
  /** Identity of the history, as it is now. */
  readonly caller: () => Caller;
  /** The task that a model gave a sub-agent. */
  readonly task?: string;
  /** Summarize older messages before the first request. */
  readonly compactFirst?: boolean;
  /** Replaces the first reply: no request is sent for it. */
  readonly editedReply?: EditedReply;
}

/** The tools the loop may use. `offered` is called before every request, so a toggle takes effect with the next one. */
export interface ToolOffer {
  offered(config: ToolCallConfig): readonly Tool[];
  /** The tools to describe, if more than offered: a sub-agent's requests begin like its parent's. */
  described?(config: ToolCallConfig): readonly Tool[];
  /** Explains in a sentence why an existing tool is not offered. */
  whyUnavailable(name: string, config: ToolCallConfig): string | undefined;
}

/** What a run shares with its sub-agents. */
export interface RunScope {
  readonly meter: Meter;
  /** Calls that write or run take turns, also between parallel sub-agents. */
  readonly acting: Mutex;
  /** Requests that the user's run and its sub-agents may make together. */
  readonly maxRounds: number;
  /** 0 for the user's own run. */
  readonly depth: number;
}

/** A reply that the user provides instead of the model: edited, or parsed as another form. */
export interface EditedReply {
  readonly protocol: Protocol;
  readonly deltas: readonly ModelDelta[];
}

/**
 * Decides about one call. If the policy asks, emits the request through `emit` and waits for the user. Rejects only
 * when the signal aborts.
 */
export type Approve = (
  request: ApprovalRequest,
  emit: (event: AgentEvent) => void,
  signal: AbortSignal,
) => Promise<Decision | ArgumentEdit>;

/**
 * Asks the user a question for a call and resolves to the answer. Emits it through `emit`; rejects only when the signal
 * aborts.
 */
export type Ask = (
  callId: string,
  question: Question,
  emit: (event: AgentEvent) => void,
  signal: AbortSignal,
) => Promise<string>;
