import type { JsonObject } from '../base/json';
import { never } from '../base/never';
import type { Approval, ApprovalRequest, Grant } from './approval';
import type { Attachment } from './attachment';
import type { RequestSize } from './context-window';
import type { Diagnostic } from './diagnostic';
import { OUTPUT_KEPT, type AgentEvent, type Compaction, type Restore, type RunOutcome } from './events';
import type { FileChange } from './file-change';
import type { MalformedCall, ToolCall, ToolResult } from './messages';
import type { EndReason, RetryDelta, Usage } from './model';
import type { Question } from './question';
import { isDone, TODO_TOOL, todosOf, type Todo } from './todos';

/** What has happened in a conversation so far: the fold over its events that the chat shows and history comes from. */
export interface Transcript {
  readonly entries: readonly Entry[];
  readonly running: boolean;
  /** The model is asked to put older messages in short. */
  readonly isCompacting: boolean;
  /** Why that takes longer. */
  readonly compactionNote?: string;
  /** The model's plan, as it has set it last. */
  readonly todos: readonly Todo[];
  /** What was done to files, in order, whichever agent did it. */
  readonly changes: readonly EntryChange[];
}

/** A change of a file and where in the conversation it happened. */
export interface EntryChange {
  /** The index of the entry. */
  readonly entry: number;
  readonly change: FileChange;
}

export type Entry = UserEntry | ReplyEntry | OutcomeEntry | CompactionEntry | RestoreEntry;

export interface UserEntry {
  readonly type: 'user';
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface ReplyEntry {
  readonly type: 'reply';
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
  readonly ended?: EndReason | 'cut' | 'aborted';
  readonly usage?: Usage;
  /** The request goes out once more; worth showing until something of the reply is there. */
  readonly retry?: RetryDelta;
  /** Another protocol that would suit the model better, and why. */
  readonly advice?: { readonly protocol: string; readonly message: string };
}

/** Stands where a run did not simply end with an answer. */
export interface OutcomeEntry {
  readonly type: 'outcome';
  readonly outcome: RunOutcome;
}

/** Stands where the history became shorter for models. */
export interface CompactionEntry extends Compaction {
  /** The user took it back. */
  readonly isUndone: boolean;
}

/** Stands where the user put files back. */
export type RestoreEntry = Restore;

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
  isCompacting: false,
  todos: [],
  changes: [],
};

export function foldTranscript(transcript: Transcript, event: AgentEvent): Transcript {
  switch (event.type) {
    case 'run-start': {
      const { text, attachments = [] } = event;
      const entries: Entry[] = [...transcript.entries, { type: 'user', text, attachments }];
      // A list that is done is no plan for what comes now.
      const todos = transcript.todos.every(isDone) ? [] : transcript.todos;
      return { ...transcript, running: true, entries, todos };
    }
    case 'run-resume':
      return { ...transcript, running: true };
    case 'round-start': {
      const { protocol, round, maxRounds, size, window } = event;
      const reply: ReplyEntry = {
        type: 'reply',
        protocol,
        round,
        maxRounds,
        parts: [],
        warnings: [],
        raw: '',
        ...(size && { size }),
        ...(window !== undefined && { window }),
      };
      return { ...transcript, entries: [...transcript.entries, reply] };
    }
    case 'retry':
      return withReply(transcript, (reply) => ({ ...reply, retry: event }));
    case 'text':
    case 'reasoning':
      return withReply(transcript, (reply) => ({ ...reply, parts: appendText(reply.parts, event) }));
    case 'call-start': {
      const part: CallPart = {
        type: 'call',
        index: event.index,
        name: event.name,
        draft: [],
        state: { type: 'streaming' },
      };
      return withReply(transcript, (reply) => ({ ...reply, parts: [...reply.parts, part] }));
    }
    case 'call-delta':
      return withPart(transcript, event.index, '', (part) => ({
        ...part,
        draft: appendDraft(part.draft, event.key, event.text),
      }));
    case 'call-end':
      return withPart(transcript, event.index, event.call.name, (part) => ({
        ...part,
        name: event.call.name,
        draft: [],
        state: { type: 'ready', call: event.call },
      }));
    case 'malformed':
      return withPart(transcript, event.index, event.malformed.name, (part) => ({
        ...part,
        name: event.malformed.name || part.name,
        state: { type: 'malformed', malformed: event.malformed },
      }));
    case 'warning':
      return withReply(transcript, (reply) => ({
        ...reply,
        warnings: [...reply.warnings, event.diagnostic],
      }));
    case 'reply-end':
      return withReply(transcript, (reply) => ({
        ...reply,
        raw: event.raw,
        ended: event.reason,
        ...(event.usage && { usage: event.usage }),
      }));
    case 'advice': {
      const { protocol, message } = event;
      return withReply(transcript, (reply) => ({ ...reply, advice: { protocol, message } }));
    }
    case 'approval-request': {
      const { request, reason, grants } = event;
      return withCall(transcript, request.call.id, (state) =>
        state.type === 'ready' || state.type === 'waiting'
          ? { type: 'waiting', call: request.call, request, reason, grants }
          : state,
      );
    }
    case 'approval-end':
      return withCall(transcript, event.callId, (state) =>
        state.type === 'waiting'
          ? {
              type: 'ready',
              call: state.call,
              approval: { request: state.request, decision: event.decision },
            }
          : state,
      );
    case 'tool-start':
      return withCall(transcript, event.callId, (state) =>
        state.type === 'ready' ? { ...state, type: 'running', title: event.title, output: '' } : state,
      );
    case 'tool-output':
      return withCall(transcript, event.callId, (state) =>
        state.type === 'running'
          ? { ...state, output: (state.output + event.text).slice(-OUTPUT_KEPT) }
          : state,
      );
    case 'sub-agent': {
      const folded = withCall(transcript, event.callId, (state) =>
        state.type === 'running'
          ? { ...state, subAgent: foldTranscript(state.subAgent ?? emptyTranscript, event.event) }
          : state,
      );
      const change = changeIn(event.event);
      return change ? { ...folded, changes: logChange(folded, change) } : folded;
    }
    case 'question': {
      const { question, options } = event;
      return withCall(transcript, event.callId, (state) =>
        state.type === 'running' ? { ...state, type: 'asking', question: { question, options } } : state,
      );
    }
    case 'question-end':
      return withCall(transcript, event.callId, (state) => {
        if (state.type !== 'asking') return state;
        const { question, ...running } = state;
        return { ...running, type: 'running', answered: { ...question, answer: event.answer } };
      });
    case 'file-change': {
      const folded = withCall(transcript, event.callId, (state) =>
        state.type === 'running' ? { ...state, changes: addChange(state.changes, event.change) } : state,
      );
      return { ...folded, changes: logChange(folded, event.change) };
    }
    case 'tool-end': {
      const ended = withCall(transcript, event.callId, (state) => endCall(state, event.result));
      return { ...ended, todos: newTodos(ended, event.result) ?? transcript.todos };
    }
    case 'run-end': {
      const entries = closeOpenCalls(transcript.entries);
      const ended = { ...transcript, running: false, isCompacting: false, entries };
      if (event.outcome.type === 'done') return ended;
      const outcome: Entry = { type: 'outcome', outcome: event.outcome };
      return { ...ended, entries: [...entries, outcome] };
    }
    case 'compaction-start':
      return startCompacting(transcript, event.note);
    case 'compaction':
      return {
        ...transcript,
        isCompacting: false,
        entries: [...transcript.entries, { ...event, isUndone: false }],
      };
    case 'compaction-undo':
      return { ...transcript, entries: undoCompaction(transcript.entries) };
    case 'restore':
      return addRestore(transcript, event);
    default:
      return never(event);
  }
}

function startCompacting({ compactionNote: _, ...transcript }: Transcript, note?: string): Transcript {
  return { ...transcript, isCompacting: true, ...(note !== undefined && { compactionNote: note }) };
}

function undoCompaction(entries: readonly Entry[]): readonly Entry[] {
  const at = entries.findLastIndex((entry) => entry.type === 'compaction' && !entry.isUndone);
  return entries.map((entry, index) =>
    index === at && entry.type === 'compaction' ? { ...entry, isUndone: true } : entry,
  );
}

/** The second report of a change takes the place of the first; a further change of the same file is one of its own. */
function addChange(changes: readonly FileChange[] = [], change: FileChange): readonly FileChange[] {
  const first = changes.findLastIndex((each) => isSecondOf(each, change));
  return first < 0 ? [...changes, change] : changes.with(first, change);
}

/** One that was cut off is followed by a first report again. */
function isSecondOf(first: FileChange, second: FileChange): boolean {
  const { path, before, after } = first;
  return (
    after === undefined && second.after !== undefined && path === second.path && before === second.before
  );
}

/** The same for the conversation as a whole. */
function logChange({ changes, entries }: Transcript, change: FileChange): readonly EntryChange[] {
  const first = changes.findLastIndex((each) => isSecondOf(each.change, change));
  const found = changes[first];
  if (!found) return [...changes, { entry: entries.length - 1, change }];
  return changes.with(first, { ...found, change });
}

function changeIn(event: AgentEvent): FileChange | undefined {
  if (event.type === 'sub-agent') return changeIn(event.event);
  return event.type === 'file-change' ? event.change : undefined;
}

/** As with changes, the second report takes the place of the first, wherever that stands. */
function addRestore(transcript: Transcript, restore: Restore): Transcript {
  const found = transcript.entries.findLastIndex(
    (entry) => entry.type === 'restore' && entry.entry === restore.entry && isUnderWay(entry),
  );
  const isSecond = found >= 0 && !isUnderWay(restore);
  const at = isSecond ? found : transcript.entries.length;
  return {
    ...transcript,
    entries: isSecond ? transcript.entries.with(found, restore) : [...transcript.entries, restore],
    changes: [
      ...transcript.changes.filter(({ entry }) => entry < at),
      ...restore.changes.map((change) => ({ entry: at, change })),
      ...transcript.changes.filter(({ entry }) => entry > at),
    ],
  };
}

function isUnderWay({ changes }: Restore): boolean {
  return changes.some(({ after }) => after === undefined);
}

/** The arguments of a call as they run or ran: as the user changed them, if they did. */
export function argumentsOf(state: CallState): JsonObject | undefined {
  if (!('call' in state)) return undefined;
  const request =
    state.type === 'waiting' ? state.request : 'approval' in state ? state.approval.request : undefined;
  return request?.edited ?? state.call.arguments;
}

/** The list that a call has just set, if it was one that does. */
function newTodos({ entries }: Transcript, result: ToolResult): readonly Todo[] | undefined {
  if (result.toolName !== TODO_TOOL || result.status !== 'success') return undefined;
  const last = entries.at(-1);
  const parts = last?.type === 'reply' ? last.parts : [];
  const part = parts.find((each) => each.type === 'call' && idOf(each.state) === result.requestId);
  return part?.type === 'call' && part.state.type === 'ended'
    ? todosOf(argumentsOf(part.state) ?? {})
    : undefined;
}

/** The last reply; every reply event belongs to it. */
function withReply(transcript: Transcript, change: (reply: ReplyEntry) => ReplyEntry): Transcript {
  const last = transcript.entries.at(-1);
  if (last?.type !== 'reply') return transcript;
  return { ...transcript, entries: [...transcript.entries.slice(0, -1), change(last)] };
}

function withPart(
  transcript: Transcript,
  index: number,
  name: string,
  change: (part: CallPart) => CallPart,
): Transcript {
  return withReply(transcript, (reply) => {
    const known = reply.parts.some((part) => part.type === 'call' && part.index === index);
    // A parser may report a call whole, without having announced it.
    const fresh: CallPart = { type: 'call', index, name, draft: [], state: { type: 'streaming' } };
    const parts = known ? reply.parts : [...reply.parts, fresh];
    return {
      ...reply,
      parts: parts.map((part) => (part.type === 'call' && part.index === index ? change(part) : part)),
    };
  });
}

function withCall(transcript: Transcript, id: string, change: (state: CallState) => CallState): Transcript {
  return withReply(transcript, (reply) => ({
    ...reply,
    parts: reply.parts.map((part) =>
      part.type === 'call' && idOf(part.state) === id ? { ...part, state: change(part.state) } : part,
    ),
  }));
}

function idOf(state: CallState): string | undefined {
  switch (state.type) {
    case 'streaming':
      return undefined;
    case 'malformed':
      return state.malformed.id;
    default:
      return state.call.id;
  }
}

function endCall(state: CallState, result: ToolResult): CallState {
  switch (state.type) {
    case 'streaming':
    case 'ended':
      return state;
    case 'malformed':
      return { ...state, result };
    case 'running': {
      const { output: _, ...ran } = state;
      return { ...ran, type: 'ended', result };
    }
    case 'asking': {
      const { output: _, question: __, ...ran } = state;
      return { ...ran, type: 'ended', result };
    }
    case 'ready':
      return { ...state, type: 'ended', result };
    case 'waiting':
      return { type: 'ended', call: state.call, result };
  }
}

function appendText(
  parts: readonly EntryPart[],
  piece: { readonly type: 'text' | 'reasoning'; readonly text: string },
): readonly EntryPart[] {
  const last = parts.at(-1);
  if (last?.type !== piece.type) return [...parts, { type: piece.type, text: piece.text }];
  return [...parts.slice(0, -1), { type: piece.type, text: last.text + piece.text }];
}

function appendDraft(draft: CallPart['draft'], key: string, text: string): CallPart['draft'] {
  const last = draft.at(-1);
  if (last?.key !== key) return [...draft, { key, text }];
  return [...draft.slice(0, -1), { key, text: last.text + text }];
}

/** A run that ends leaves no call open: one that never started was not run, one that was running may have acted. */
function closeOpenCalls(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) =>
    entry.type !== 'reply' || !entry.parts.some(isOpen)
      ? entry
      : {
          ...entry,
          parts: entry.parts
            .filter((part) => part.type !== 'call' || part.state.type !== 'streaming')
            .map((part) =>
              isOpen(part) ? { ...part, state: endCall(withoutOpen(part.state), unfinished(part)) } : part,
            ),
        },
  );
}

/** What a call has started ends with it. */
function withoutOpen(state: CallState): CallState {
  if (state.type !== 'running' || !state.subAgent) return state;
  const { subAgent } = state;
  return {
    ...state,
    subAgent: subAgent.running
      ? foldTranscript(subAgent, { type: 'run-end', outcome: { type: 'aborted' } })
      : subAgent,
  };
}

function isOpen(part: EntryPart): part is CallPart {
  return (
    part.type === 'call' &&
    part.state.type !== 'ended' &&
    !(part.state.type === 'malformed' && part.state.result)
  );
}

/** The result of a call that the end of its run left without one. */
export function unfinished(part: CallPart): ToolResult {
  return {
    requestId: idOf(part.state) ?? '',
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
