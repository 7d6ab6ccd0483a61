import type { ApprovalRequest, Decision } from './approval';
import type { Attachment } from './attachment';
import type { ProviderMetadata } from './provider-metadata';
import type { FileChange } from './file-change';
import type { ToolResult } from './messages';
import type {
  CacheBreak,
  EndReason,
  ProgressDelta,
  ReplyTiming,
  RequestSize,
  RetryDelta,
  Usage,
} from './model';
import type { RunOutcome } from './outcome';
import type { ReplyEvent } from './protocol';
import type { Question } from './tool';
import type { Grant } from './verdict';

/** Everything that happens in a conversation. The chat, the log, the command line and the history are folds over it. */
export type AgentEvent =
  | {
      readonly type: 'run-start';
      readonly text: string;
      readonly attachments?: readonly Attachment[];
      /** Milliseconds since 1970. */
      readonly time: number;
    }
  /** The user continues a run that paused at a budget. */
  | { readonly type: 'run-resume'; readonly time: number }
  /** A request is sent; its reply follows as `ReplyEvent`s. */
  | {
      readonly type: 'round-start';
      readonly round: number;
      /** Rounds after which the run pauses. */
      readonly maxRounds: number;
      readonly protocol: string;
      readonly model: string;
      /** The estimated size of the request. */
      readonly size?: RequestSize;
      /** Size of the model's window, if known. */
      readonly window?: number;
      /** Why the server cannot reuse its cache of the previous request. */
      readonly cacheBreak?: CacheBreak;
      /** No request is sent: the user edited the reply. */
      readonly isMended?: true;
    }
  | ReplyEvent
  /** Comes before anything of the reply. */
  | RetryDelta
  | ProgressDelta
  /** `raw` is the reply as it streamed: text and native argument pieces in the order of arrival. */
  | {
      readonly type: 'reply-end';
      /** `repetition`: it was stopped because it repeated itself endlessly. */
      readonly reason: EndReason | 'cut' | 'aborted' | 'repetition';
      readonly raw: string;
      /** What it repeated, or the beginning of that. */
      readonly repeated?: string;
      readonly usage?: Usage;
      /** Absent if nothing arrived, and for an edited reply. */
      readonly timing?: ReplyTiming;
      readonly carried?: ProviderMetadata;
    }
  | {
      readonly type: 'approval-request';
      readonly request: ApprovalRequest;
      readonly reason: string;
      readonly grants: readonly Grant[];
    }
  | { readonly type: 'approval-end'; readonly callId: string; readonly decision: Decision }
  | {
      readonly type: 'tool-start';
      readonly callId: string;
      readonly title: string;
      /** Why it ran without asking, if it does more than read the workspace. */
      readonly allowedBy?: string;
    }
  | { readonly type: 'tool-output'; readonly callId: string; readonly text: string }
  /** A running call waits for the user's answer. */
  | ({ readonly type: 'question'; readonly callId: string } & Question)
  | { readonly type: 'question-end'; readonly callId: string; readonly answer: string }
  /** A running call is about to change a file, or has changed it. */
  | { readonly type: 'file-change'; readonly callId: string; readonly change: FileChange }
  | { readonly type: 'tool-end'; readonly callId: string; readonly result: ToolResult }
  /** An event of the sub-agent that a running call started. */
  | { readonly type: 'sub-agent'; readonly callId: string; readonly event: AgentEvent }
  /** Another protocol would suit the model better; at most once per run. `message` is one sentence for people. */
  | { readonly type: 'advice'; readonly protocol: string; readonly message: string }
  | { readonly type: 'run-end'; readonly outcome: RunOutcome }
  /** The model is asked for a summary; `note` explains why it takes longer. */
  | { readonly type: 'compaction-start'; readonly note?: string }
  | SummaryEvent
  /** The user undoes the last summary: everything before it is sent again. */
  | { readonly type: 'compaction-undo' }
  | Restore
  | Keep
  | Rewind;

/** From here on, models get a summary instead of the first entries of the transcript. Nothing is deleted. */
export interface SummaryEvent {
  readonly type: 'compaction';
  /** How many entries of the transcript the summary replaces. */
  readonly entries: number;
  readonly summary: string;
  /** The model gave no summary: this is a list of the calls. */
  readonly isList?: true;
  /** The name of the model that wrote it, if it is not the conversation's own. */
  readonly writtenBy?: string;
  /** What writing it used. */
  readonly usage?: Usage;
  /** Estimated tokens of the history. */
  readonly before: number;
  readonly after: number;
}

/** The user restores files as they were before an entry. Emitted twice, like each of its changes. */
export interface Restore {
  readonly type: 'restore';
  /** A message, an edited reply, or an earlier restore, which is then undone. */
  readonly entry: number;
  readonly changes: readonly FileChange[];
  /** Files that could not be restored. */
  readonly left?: readonly LeftFile[];
}

/** The user keeps what was done to these files from an entry on: undoing it is no longer offered. Nothing is changed. */
interface Keep {
  readonly type: 'keep';
  readonly entry: number;
  /** Absolute. */
  readonly paths: readonly string[];
}

/** The user goes back to before one of their messages, or to before a reply that they edit. Nothing is deleted. */
interface Rewind {
  readonly type: 'rewind';
  /** A user message or a reply. This entry and all later ones are no longer part of the conversation. */
  readonly entry: number;
}

export interface LeftFile {
  readonly display: string;
  /** A sentence for people. */
  readonly reason: string;
}

/** Adds an event to a list, joining it with the last one if both are pieces of the same text. */
export function appendEvent(events: AgentEvent[], event: AgentEvent): void {
  const at = event.type === 'sub-agent' ? lastOf(event.callId, events) : events.length - 1;
  const last = events[at];
  const joined = last && join(last, event);
  if (joined) events[at] = joined;
  else events.push(event);
}

/** Events of parallel sub-agents interleave. Only the order within each of them matters. */
function lastOf(callId: string, events: readonly AgentEvent[]): number {
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at];
    if (event?.type !== 'sub-agent') break;
    if (event.callId === callId) return at;
  }
  return -1;
}

function join(first: AgentEvent, second: AgentEvent): AgentEvent | undefined {
  if (first.type === 'progress' && second.type === 'progress') return second;
  if (first.type === 'text' && second.type === 'text') return { ...first, text: first.text + second.text };
  if (first.type === 'reasoning' && second.type === 'reasoning') {
    return { ...first, text: first.text + second.text };
  }
  if (first.type === 'call-delta' && second.type === 'call-delta') {
    const same = first.index === second.index && first.key === second.key;
    return same ? { ...first, text: first.text + second.text } : undefined;
  }
  if (first.type === 'tool-output' && second.type === 'tool-output') {
    return first.callId === second.callId ? { ...first, text: newest(first.text + second.text) } : undefined;
  }
  if (first.type === 'sub-agent' && second.type === 'sub-agent' && first.callId === second.callId) {
    const event = join(first.event, second.event);
    return event && { ...first, event };
  }
  return undefined;
}

/** Characters of live output kept per call; the result has the final output. */
export const OUTPUT_KEPT = 64 * 1024;

/** A command may print for hours. Cut only now and then, because cutting copies the text and joining does not. */
function newest(output: string): string {
  return output.length > 2 * OUTPUT_KEPT ? output.slice(-OUTPUT_KEPT) : output;
}
