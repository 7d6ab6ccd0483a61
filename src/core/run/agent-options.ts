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

/** What the loop may use. `offered` is asked before every request, so a toggle counts from the next one on. */
export interface ToolOffer {
  offered(config: ToolCallConfig): readonly Tool[];
  /** Those that are described, where that is more: a sub-agent shares the beginning of its requests with who called it. */
  described?(config: ToolCallConfig): readonly Tool[];
  /** A sentence for a tool that exists but is not offered. */
  whyUnavailable(name: string, config: ToolCallConfig): string | undefined;
}

/** Another model that writes the summaries of older messages. */
export interface Summarizer {
  /** Where it cannot be used, `problem` says why in a sentence. Rejects only when the signal aborts. */
  readonly open: (signal: AbortSignal) => Promise<SummaryModel | { readonly problem: string }>;
  /** Is told in a sentence why the model of the conversation wrote a summary after all. */
  readonly onUnused: (why: string) => void;
}

export interface SummaryModel {
  readonly model: Model;
  /** A summary needs no tools: any protocol would do. */
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
  /** The user has chosen that form: tools are not described in short by themselves where the full form does not fit. */
  readonly isFormChosen?: boolean;
  readonly tools: ToolOffer;
  /** The server says that the model's chat template drops the tools of the API. */
  readonly dropsTools?: boolean;
  /** The model is of a family that ends its thinking by calling. */
  readonly callsEndThinking?: boolean;
  /** Asked before every request. */
  readonly config: () => ToolCallConfig;
  /** What the run may use before it pauses. Asked after every round. */
  readonly budget: () => Budget;
  /** What was said so far, this run included. */
  readonly transcript: () => Transcript;
  /** As profile or server say it; what is known now is `gauge.window`. */
  readonly window: ContextWindow;
  /** Keeps what is learned about the model at its endpoint. Without it nothing outlasts the session. */
  readonly memory?: ContextMemory;
  /** Measures what goes to this model. */
  readonly gauge: Gauge;
  /** Absent where the model writes its summaries itself. */
  readonly summarizer?: Summarizer;
  /** Older messages are put in short before the first request. */
  readonly compactFirst?: boolean;
  /** Stands for the first reply: nothing is asked for it. */
  readonly given?: GivenReply;
  /** Is told of every request as it goes out, and of the reply that it is for. */
  readonly onRequest?: (request: ModelRequest, reply: ReplyRef) => void;
  readonly ids: CallIds;
  /** Stands for the history, as it is now. */
  readonly caller: () => Caller;
  /** What a model gave a sub-agent to do. */
  readonly task?: string;
  readonly approve: Approve;
  /** Absent where none are set. Before a call they are part of `approve`. */
  readonly hooks?: Hooks;
  /** Absent where the project is not trusted to ask for anything. */
  readonly folderRules?: FolderRules;
  /** Absent where nobody is there to answer. */
  readonly ask?: Ask;
  /**
   * Which protocol to offer a model that does not keep to the one in use; `seen` is the form it wrote in. Without an
   * answer nothing is offered.
   */
  readonly suggestProtocol?: (seen: string | undefined) => string | undefined;
  readonly emit: (event: AgentEvent) => void;
}

/** What a run shares with its sub-agents. */
export interface RunScope {
  readonly meter: Meter;
  /** Calls that write or run take turns, also those of sub-agents side by side. */
  readonly acting: Mutex;
  /** Requests that the user's run and its sub-agents may make together. */
  readonly maxRounds: number;
  /** 0 for the user's own run. */
  readonly depth: number;
}

/** What the user says in the place of a model: one of its replies, mended or read in another form. */
export interface GivenReply {
  readonly protocol: Protocol;
  readonly deltas: readonly ModelDelta[];
}

/**
 * Decides about one call; waits for the user where the policy asks, which is told through `emit`. Rejects only when the
 * signal aborts.
 */
export type Approve = (
  request: ApprovalRequest,
  emit: (event: AgentEvent) => void,
  signal: AbortSignal,
) => Promise<Decision | ArgumentEdit>;

/**
 * Asks on behalf of a call and resolves to the user's answer. Told through `emit`; rejects only
 * when the signal aborts.
 */
export type Ask = (
  callId: string,
  question: Question,
  emit: (event: AgentEvent) => void,
  signal: AbortSignal,
) => Promise<string>;
