import type { JsonObject } from '../../base/json';
import type { Approval, ApprovalRequest } from '../words/approval';
import type { Attachment } from '../words/attachment';
import type { Carried } from '../words/carried';
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

/** What has happened in a conversation so far: the fold over its events that the chat shows and history comes from. */
export interface Transcript {
  readonly entries: readonly Entry[];
  readonly running: boolean;
  /** The model is asked to put older messages in short. */
  readonly isSummarizing: boolean;
  /** Why that takes longer. */
  readonly summaryNote?: string;
  /** The model's plan, as it has set it last. */
  readonly todos: readonly Todo[];
  /** What was done to files, in order, whichever agent did it. */
  readonly changes: readonly EntryChange[];
  /** How many replies have begun, also those that were left out since. */
  readonly replies: number;
}

/** A change of a file and where in the conversation it happened. */
export interface EntryChange {
  /** The index of the entry. */
  readonly entry: number;
  readonly change: FileChange;
}

export type Entry = UserEntry | ReplyEntry | OutcomeEntry | SummaryEntry | RestoreEntry | RewindEntry;

export interface UserEntry {
  readonly type: 'user';
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface ReplyEntry {
  readonly type: 'reply';
  /** How many replies had begun before it: its name, whatever is left out later. */
  readonly number: number;
  readonly protocol: string;
  readonly round: number;
  /** Rounds after which the run pauses. */
  readonly maxRounds: number;
  /** What its request was expected to take, and of how many tokens. */
  readonly size?: RequestSize;
  readonly window?: number;
  readonly parts: readonly EntryPart[];
  readonly warnings: readonly Diagnostic[];
  readonly raw: string;
  /** The user has mended it. */
  readonly isEdited?: true;
  readonly ended?: EndReason | 'cut' | 'aborted' | 'repetition';
  /** What it repeated until it was stopped, or the beginning of that. */
  readonly repeated?: string;
  readonly usage?: Usage;
  /** The request goes out once more; worth showing until something of the reply is there. */
  readonly retry?: RetryDelta;
  /** What the server does with the request, until something of the reply is there. */
  readonly progress?: ProgressDelta;
  readonly timing?: ReplyTiming;
  /** Why its request could not begin like the one before. */
  readonly cacheBreak?: CacheBreak;
  readonly carried?: Carried;
  /** Another protocol that would suit the model better, and why. */
  readonly advice?: { readonly protocol: string; readonly message: string };
}

/** Stands where a run did not simply end with an answer. */
interface OutcomeEntry {
  readonly type: 'outcome';
  readonly outcome: RunOutcome;
}

/** Stands where the history became shorter for models. */
export interface SummaryEntry extends SummaryEvent {
  /** The user took it back. */
  readonly isUndone: boolean;
}

/** Stands where the user put files back. */
export type RestoreEntry = Restore;

/** Stands where the user went back to, in the place of what was said from there on. */
export interface RewindEntry {
  readonly type: 'rewind';
  /** What models no longer get. */
  readonly left: readonly Entry[];
  /** The files that it has changed and that were not put back, as they are shown to people. */
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
      /** Where nobody was asked: what let it run. */
      readonly allowedBy?: string;
      /** What the agent did that the call started. */
      readonly subAgent?: Transcript;
      readonly answered?: AnsweredQuestion;
      readonly changes?: readonly FileChange[];
    }
  /** Never ran; `result` is what the model was told. */
  | { readonly type: 'malformed'; readonly malformed: MalformedCall; readonly result?: ToolResult };

interface RunningState {
  readonly type: 'running';
  readonly call: ToolCall;
  readonly approval?: Approval;
  /** Where nobody was asked: what let it run. */
  readonly allowedBy?: string;
  readonly title: string;
  readonly output: string;
  /** What the agent does that the call has started. */
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

/** The arguments of a call as they run or ran: as the user changed them, if they did. */
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

/** The result of a call that the end of its run left without one. */
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

/** The list that an ended call has set, if it was one that does. */
export function todosSetBy(part: EntryPart): readonly Todo[] | undefined {
  if (part.type !== 'call' || part.state.type !== 'ended') return undefined;
  const { toolName, status } = part.state.result;
  const isSet = toolName === TODO_TOOL && status === 'success';
  return isSet ? todosOf(argumentsOf(part.state) ?? {}) : undefined;
}
