import type { JsonObject } from '../../base/json';
import type { Approval, ApprovalRequest } from '../words/approval';
import type { Attachment } from '../words/attachment';
import type { ProviderMetadata } from '../words/provider-metadata';
import type { SummaryEvent, Restore } from '../words/events';
import type { FileChange } from '../words/file-change';
import type { Diagnostic, MalformedCall, ToolCall, ToolResult } from '../words/messages';
import type {
  CacheBreak,
  EndReason,
  ProgressDelta,
  ReplyTiming,
  RequestSize,
  RetryDelta,
  Usage,
} from '../words/model';
import type { RunOutcome } from '../words/outcome';
import type { Question } from '../words/tool';
import type { Grant } from '../words/verdict';
import { TODO_TOOL, todosOf, type Todo } from './todos';

/**
 * What has happened in a conversation so far: the fold over its events, from which the chat and the history are
 * derived.
 */
export interface Transcript {
  readonly entries: readonly Entry[];
  readonly running: boolean;
  /** The model is summarizing older messages. */
  readonly isSummarizing: boolean;
  /** Why that takes longer. */
  readonly summaryNote?: string;
  /** The model's plan, as it was last set. */
  readonly todos: readonly Todo[];
  /** The changes of files by all agents, in order. */
  readonly changes: readonly EntryChange[];
  /** How many replies have begun, including those that were left out since. */
  readonly replies: number;
}

/** A change of a file and where in the conversation it happened. */
export interface EntryChange {
  /** The index of the entry. */
  readonly entry: number;
  readonly change: FileChange;
  /** The user keeps it. */
  readonly isKept?: true;
}

export type Entry = UserEntry | ReplyEntry | OutcomeEntry | SummaryEntry | RestoreEntry | RewindEntry;

export interface UserEntry {
  readonly type: 'user';
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface ReplyEntry {
  readonly type: 'reply';
  /** How many replies had begun before it: its permanent name. */
  readonly number: number;
  readonly protocol: string;
  readonly round: number;
  /** Rounds after which the run pauses. */
  readonly maxRounds: number;
  /** The estimated tokens of its request, and the window. */
  readonly size?: RequestSize;
  readonly window?: number;
  readonly parts: readonly EntryPart[];
  readonly warnings: readonly Diagnostic[];
  readonly raw: string;
  /** The user edited it. */
  readonly isEdited?: true;
  readonly ended?: EndReason | 'cut' | 'aborted' | 'repetition';
  /** What it repeated until it was stopped, or the beginning of that. */
  readonly repeated?: string;
  readonly usage?: Usage;
  /** The request is being retried; shown until the reply begins. */
  readonly retry?: RetryDelta;
  /** What the server does with the request, until the reply begins. */
  readonly progress?: ProgressDelta;
  readonly timing?: ReplyTiming;
  /** Why its request could not begin like the previous one. */
  readonly cacheBreak?: CacheBreak;
  readonly carried?: ProviderMetadata;
  /** Another protocol that would suit the model better, and why. */
  readonly advice?: { readonly protocol: string; readonly message: string };
}

/** Marks a run that did not simply end with an answer. */
interface OutcomeEntry {
  readonly type: 'outcome';
  readonly outcome: RunOutcome;
}

/** Marks the place where a summary shortened the history for models. */
export interface SummaryEntry extends SummaryEvent {
  /** The user undid it. */
  readonly isUndone: boolean;
}

/** Marks the place where the user restored files. */
export type RestoreEntry = Restore;

/** Marks the place to which the user went back, and replaces what followed. */
export interface RewindEntry {
  readonly type: 'rewind';
  /** What models no longer get. */
  readonly left: readonly Entry[];
  /** The files that it changed and that were not restored, as shown to people. */
  readonly changed: readonly string[];
}

export type EntryPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | CallPart;

export interface CallPart {
  readonly type: 'call';
  readonly index: number;
  readonly name: string;
  /** Arguments as they stream in, for display only. */
  readonly draft: readonly { readonly key: string; readonly text: string }[];
  readonly state: CallState;
}

export type CallState =
  | { readonly type: 'streaming' }
  | { readonly type: 'ready'; readonly call: ToolCall; readonly approval?: Approval }
  | {
      readonly type: 'waiting';
      readonly call: ToolCall;
      readonly request: ApprovalRequest;
      readonly reason: string;
      readonly grants: readonly Grant[];
    }
  | RunningState
  /** It runs, and waits for the user's answer. */
  | (Omit<RunningState, 'type'> & { readonly type: 'asking'; readonly question: Question })
  | {
      readonly type: 'ended';
      readonly call: ToolCall;
      readonly result: ToolResult;
      readonly title?: string;
      readonly approval?: Approval;
      /** What let it run, if the user was not asked. */
      readonly allowedBy?: string;
      /** The sub-agent that the call started. */
      readonly subAgent?: Transcript;
      readonly answered?: AnsweredQuestion;
      readonly changes?: readonly FileChange[];
    }
  /** Never ran; `result` is what the model was sent. */
  | { readonly type: 'malformed'; readonly malformed: MalformedCall; readonly result?: ToolResult };

interface RunningState {
  readonly type: 'running';
  readonly call: ToolCall;
  readonly approval?: Approval;
  /** What let it run, if the user was not asked. */
  readonly allowedBy?: string;
  readonly title: string;
  readonly output: string;
  /** The sub-agent that the call has started. */
  readonly subAgent?: Transcript;
  /** What it asked last. */
  readonly answered?: AnsweredQuestion;
  /** What it has changed or is changing, in order. */
  readonly changes?: readonly FileChange[];
}

export interface AnsweredQuestion extends Question {
  readonly answer: string;
}

export const emptyTranscript: Transcript = {
  entries: [],
  running: false,
  isSummarizing: false,
  todos: [],
  changes: [],
  replies: 0,
};

/** The arguments with which a call runs or ran, with the user's changes. */
export function argumentsOf(state: CallState): JsonObject | undefined {
  if (!('call' in state)) return undefined;
  const request =
    state.type === 'waiting' ? state.request : 'approval' in state ? state.approval.request : undefined;
  return request?.edited ?? state.call.arguments;
}

export function callIdOf(state: CallState): string | undefined {
  switch (state.type) {
    case 'streaming':
      return undefined;
    case 'malformed':
      return state.malformed.id;
    default:
      return state.call.id;
  }
}

/** The result of a call that had none when its run ended. */
export function unfinishedResult(part: CallPart): ToolResult {
  return {
    requestId: callIdOf(part.state) ?? '',
    toolName: part.name,
    status: 'error',
    result: unfinishedText(part.state),
    durationMs: 0,
  };
}

function unfinishedText(state: CallState): string {
  if (state.type === 'running') return 'Interrupted, effect unknown.';
  if (state.type === 'asking') return 'Interrupted: the run ended before the user answered.';
  return 'Not executed: the run ended before this call.';
}

/** The list that an ended call has set, if it set one. */
export function todosSetBy(part: EntryPart): readonly Todo[] | undefined {
  if (part.type !== 'call' || part.state.type !== 'ended') return undefined;
  const { toolName, status } = part.state.result;
  const isSet = toolName === TODO_TOOL && status === 'success';
  return isSet ? todosOf(argumentsOf(part.state) ?? {}) : undefined;
}
