import type { ReplyRef } from '../transcript/references';
import type { Transcript } from '../transcript/transcript';
import type { AgentEvent } from '../words/events';
import type { Model, ModelRequest } from '../words/model';
import type { RunPrompt } from '../words/prompt';
import type { Protocol } from '../words/protocol';
import type { ContextBudget } from './context-budget';
import type { ContextMemory, ContextWindow } from './known-window';

/** The model of a run, and what is known of it. */
export interface RunModel {
  readonly client: Model;
  /** As the profile or server states it; `contextBudget.window` has what is known now. */
  readonly window: ContextWindow;
  /** Stores what is learned about the model at its endpoint. Without it, that lasts for the session only. */
  readonly memory?: ContextMemory;
  /** The server reports that the model's chat template drops the API's tools. */
  readonly dropsTools?: boolean;
  /** The server drops control tokens that calls in this protocol begin with. */
  readonly losesMarkers?: boolean;
  /** The model's family ends its reasoning by calling a tool. */
  readonly callsEndThinking?: boolean;
  /** Absent if the model writes its summaries itself. */
  readonly summarizer?: Summarizer;
  /** Called with every request as it is sent, and with its reply's reference. */
  readonly onRequest?: (request: ModelRequest, reply: ReplyRef) => void;
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

/** A conversation that is sent to a model. */
export interface SentConversation {
  /** The conversation so far, including this run. */
  readonly transcript: () => Transcript;
  /** Measures what is sent to this model, and shortens it to fit. */
  readonly contextBudget: ContextBudget;
  readonly emit: (event: AgentEvent) => void;
}

/** What a request is rendered from and made to fit with. */
export interface RequestSource {
  readonly model: RunModel;
  readonly prompt: RunPrompt;
  readonly conversation: SentConversation;
}
