import { Mutex } from '../../base/async';
import type { Gauge } from '../context/gauge';
import type { ContextMemory, ContextWindow } from '../context/known-window';
import type { ReplyRef } from '../transcript/references';
import type { Transcript } from '../transcript/transcript';
import type { ApprovalRequest, ArgumentEdit, Decision } from '../words/approval';
import type { ToolCallConfig } from '../words/config';
import type { AgentEvent } from '../words/events';
import type { Model, ModelDelta, ModelRequest, PromptForm } from '../words/model';
import type { Protocol } from '../words/protocol';
import type { Caller, Question, Tool } from '../words/tool';
import { Meter, type Budget } from './budget';
import type { CallIds } from './call-ids';
import type { FolderRules } from './folder-rules';
import type { Hooks } from './hooks';

/** The tools the loop may use. `offered` is called before every request, so a toggle takes effect with the next one. */
export interface ToolOffer {
  offered(config: ToolCallConfig): readonly Tool[];
  /** The tools to describe, if more than offered: a sub-agent's requests begin like its parent's. */
  described?(config: ToolCallConfig): readonly Tool[];
  /** Explains in a sentence why an existing tool is not offered. */
  whyUnavailable(name: string, config: ToolCallConfig): string | undefined;
}

/** Another model that writes the summaries of older messages. */
export interface Summarizer {
  /** If it cannot be used, `problem` explains why in a sentence. Rejects only when the signal aborts. */
  readonly open: (signal: AbortSignal) => Promise<SummaryModel | { readonly problem: string }>;
  /** Called with the reason, a sentence, when the conversation's model had to write a summary instead. */
  readonly onUnused: (why: string) => void;
}

export interface SummaryModel {
  readonly model: Model;
  /** A summary needs no tools, so any protocol works. */
  readonly protocol: Protocol;
  readonly window: ContextWindow;
}

export interface AgentOptions {
  readonly model: Model;
  readonly protocol: Protocol;
  readonly instructions: string;
  /** What differs from one conversation to the next. */
  readonly situation?: string;
  readonly promptForm?: PromptForm;
  /** The user chose that form: short tool descriptions are not used automatically when the full form does not fit. */
  readonly isFormChosen?: boolean;
  readonly tools: ToolOffer;
  /** The server reports that the model's chat template drops the API's tools. */
  readonly dropsTools?: boolean;
  /** The model's family ends its reasoning by calling a tool. */
  readonly callsEndThinking?: boolean;
  /** Called before every request. */
  readonly config: () => ToolCallConfig;
  /** What the run may use before it pauses. Called after every round. */
  readonly budget: () => Budget;
  /** The conversation so far, including this run. */
  readonly transcript: () => Transcript;
  /** As the profile or server states it; `gauge.window` has what is known now. */
  readonly window: ContextWindow;
  /** Stores what is learned about the model at its endpoint. Without it, that lasts for the session only. */
  readonly memory?: ContextMemory;
  /** Measures what is sent to this model. */
  readonly gauge: Gauge;
  /** Absent if the model writes its summaries itself. */
  readonly summarizer?: Summarizer;
  /** Summarize older messages before the first request. */
  readonly compactFirst?: boolean;
  /** Replaces the first reply: no request is sent for it. */
  readonly given?: GivenReply;
  /** Called with every request as it is sent, and with its reply's reference. */
  readonly onRequest?: (request: ModelRequest, reply: ReplyRef) => void;
  readonly ids: CallIds;
  /** Identity of the history, as it is now. */
  readonly caller: () => Caller;
  /** The task that a model gave a sub-agent. */
  readonly task?: string;
  readonly approve: Approve;
  /** Absent if no hooks are set. Before a call they are part of `approve`. */
  readonly hooks?: Hooks;
  /** Absent if the project is not trusted. */
  readonly folderRules?: FolderRules;
  /** Absent if no user can answer. */
  readonly ask?: Ask;
  /**
   * Which protocol to suggest to a model that does not follow the current one; `seen` is the form it used. `undefined`
   * suggests nothing.
   */
  readonly suggestProtocol?: (seen: string | undefined) => string | undefined;
  readonly emit: (event: AgentEvent) => void;
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
export interface GivenReply {
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
