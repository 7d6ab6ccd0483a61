import type { ApprovalRequest, Decision } from './approval';
import type { Attachment } from './attachment';
import type { Carried } from './carried';
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
  /** The user lets a run go on that had paused at a budget. */
  | { readonly type: 'run-resume'; readonly time: number }
  /** A request goes out; its reply follows as `ReplyEvent`s. */
  | {
      readonly type: 'round-start';
      readonly round: number;
      /** Rounds after which the run pauses. */
      readonly maxRounds: number;
      readonly protocol: string;
      readonly model: string;
      /** What it is expected to take of the model's window. */
      readonly size?: RequestSize;
      /** Tokens of that window, where they are known. */
      readonly window?: number;
      /** Why the server cannot use what it has read of the request before. */
      readonly cacheBreak?: CacheBreak;
      /** Nothing goes out: the reply is one that the user has mended. */
      readonly isMended?: true;
    }
  | ReplyEvent
  /** Comes before anything of the reply. */
  | RetryDelta
  | ProgressDelta
  /** `raw` is the reply as it streamed: text and native argument pieces in the order of arrival. */
  | {
      readonly type: 'reply-end';
      /** `repetition`: it repeated itself without an end and was stopped. */
      readonly reason: EndReason | 'cut' | 'aborted' | 'repetition';
      readonly raw: string;
      /** What it repeated, or the beginning of that. */
      readonly repeated?: string;
      readonly usage?: Usage;
      /** Absent where nothing arrived, and for a reply that the user has mended. */
      readonly timing?: ReplyTiming;
      readonly carried?: Carried;
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
      /** What let it run without a question, where it does more than read the workspace. */
      readonly allowedBy?: string;
    }
  | { readonly type: 'tool-output'; readonly callId: string; readonly text: string }
  /** A running call waits for the user's answer. */
  | ({ readonly type: 'question'; readonly callId: string } & Question)
  | { readonly type: 'question-end'; readonly callId: string; readonly answer: string }
  /** A running call is about to change a file, or has changed it. */
  | { readonly type: 'file-change'; readonly callId: string; readonly change: FileChange }
  | { readonly type: 'tool-end'; readonly callId: string; readonly result: ToolResult }
  /** What happens in the agent that a running call has started. */
  | { readonly type: 'sub-agent'; readonly callId: string; readonly event: AgentEvent }
  /** Another protocol would suit the model better; said once in a run. `message` is one sentence for people. */
  | { readonly type: 'advice'; readonly protocol: string; readonly message: string }
  | { readonly type: 'run-end'; readonly outcome: RunOutcome }
  /** The model is asked for a summary; `note` says why it takes longer. */
  | { readonly type: 'compaction-start'; readonly note?: string }
  | SummaryEvent
  /** The user takes the last compaction back: everything before it is sent again. */
  | { readonly type: 'compaction-undo' }
  | Restore
  | Rewind;

/** From here on models get a summary in the place of the first entries of the transcript. Nothing is deleted. */
export interface SummaryEvent {
  readonly type: 'compaction';
  /** How many entries of the transcript the summary stands for. */
  readonly entries: number;
  readonly summary: string;
  /** The model gave no summary: it lists the calls. */
  readonly isList?: true;
  /** The name of the model that wrote it, where it is another than that of the conversation. */
  readonly writtenBy?: string;
  /** What writing it has used. */
  readonly usage?: Usage;
  /** Estimated tokens of the history. */
  readonly before: number;
  readonly after: number;
}

/** The user puts files back as they were before one of the entries. It is told twice, as each of its changes. */
export interface Restore {
  readonly type: 'restore';
  /** A message, a reply that is mended, or an earlier restore, which is undone by that. */
  readonly entry: number;
  readonly changes: readonly FileChange[];
  /** Files that were to be put back and were not. */
  readonly left?: readonly LeftFile[];
}

/** The user goes back: to before one of their messages, or to before a reply, which they mend. Nothing is deleted. */
interface Rewind {
  readonly type: 'rewind';
  /** A message of the user or a reply. It and all behind it are no longer part of the conversation. */
  readonly entry: number;
}

export interface LeftFile {
  readonly display: string;
  /** A sentence for people. */
  readonly reason: string;
}

/** Adds an event to a list, joining it with the last one where both are pieces of the same text. */
export function appendEvent(events: AgentEvent[], event: AgentEvent): void {
  const at = event.type === 'sub-agent' ? lastOf(event.callId, events) : events.length - 1;
  const last = events[at];
  const joined = last && join(last, event);
  if (joined) events[at] = joined;
  else events.push(event);
}

/** Agents side by side stream in turns. What each of them does has its own order, and no other. */
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

/** Live output kept per call, in characters; the result holds what counts. */
export const OUTPUT_KEPT = 64 * 1024;

/** A command may print for hours. Cut now and then, because a cut copies the text and joining does not. */
function newest(output: string): string {
  return output.length > 2 * OUTPUT_KEPT ? output.slice(-OUTPUT_KEPT) : output;
}
