import { never } from '../../base/never';
import { OUTPUT_KEPT, type AgentEvent } from '../words/events';
import type { ToolResult } from '../words/messages';
import { addChange, addRestore, changeIn, keepChanges, logChange } from './file-changes';
import { rewound } from './rewind';
import { isDone, type Todo } from './todos';
import {
  emptyTranscript,
  callIdOf,
  todosSetBy,
  unfinishedResult,
  type CallPart,
  type CallState,
  type Entry,
  type EntryPart,
  type ReplyEntry,
  type Transcript,
} from './transcript';

/** The transcript after one more event. */
export function foldTranscript(transcript: Transcript, event: AgentEvent): Transcript {
  switch (event.type) {
    case 'run-start': {
      const { text, attachments = [] } = event;
      const entries: Entry[] = [...transcript.entries, { type: 'user', text, attachments }];
      // A finished list is not a plan for the new message.
      const todos = transcript.todos.every(isDone) ? [] : transcript.todos;
      return { ...transcript, running: true, entries, todos };
    }
    case 'run-resume':
      return { ...transcript, running: true };
    case 'round-start': {
      const { protocol, round, maxRounds, size, window, cacheBreak, isMended } = event;
      const reply: ReplyEntry = {
        type: 'reply',
        number: transcript.replies,
        protocol,
        round,
        maxRounds,
        parts: [],
        warnings: [],
        raw: '',
        ...(size && { size }),
        ...(window !== undefined && { window }),
        ...(cacheBreak && { cacheBreak }),
        ...(isMended && { isEdited: true }),
      };
      const entries = [...transcript.entries, reply];
      // A summary that was started and not used leaves no entry.
      return { ...transcript, isSummarizing: false, entries, replies: transcript.replies + 1 };
    }
    case 'retry':
      return withReply(transcript, ({ progress: _, ...reply }) => ({ ...reply, retry: event }));
    case 'progress':
      return withReply(transcript, ({ retry: _, ...reply }) => ({ ...reply, progress: event }));
    case 'text':
    case 'reasoning':
      return withReply(transcript, (reply) => ({ ...reply, parts: appendText(reply.parts, event) }));
    case 'reasoning-end':
      return withReply(transcript, (reply) => ({
        ...reply,
        parts: [{ type: 'reasoning', text: event.text }],
      }));
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
        ...(event.repeated !== undefined && { repeated: event.repeated }),
        ...(event.usage && { usage: event.usage }),
        ...(event.timing && { timing: event.timing }),
        ...(event.carried && { carried: event.carried }),
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
        state.type === 'ready' ? { ...state, ...started(event), type: 'running', output: '' } : state,
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
      const ended = { ...transcript, running: false, isSummarizing: false, entries };
      if (event.outcome.type === 'done' && !('message' in event.outcome)) return ended;
      const outcome: Entry = { type: 'outcome', outcome: event.outcome };
      return { ...ended, entries: [...entries, outcome] };
    }
    case 'compaction-start':
      return startSummarizing(transcript, event.note);
    case 'compaction':
      return {
        ...transcript,
        isSummarizing: false,
        entries: [...transcript.entries, { ...event, isUndone: false }],
      };
    case 'compaction-undo':
      return { ...transcript, entries: undoSummary(transcript.entries) };
    case 'restore':
      return addRestore(transcript, event);
    case 'keep':
      return { ...transcript, changes: keepChanges(transcript.changes, event) };
    case 'rewind':
      return rewound(transcript, event.entry);
    default:
      return never(event);
  }
}

function started({ title, allowedBy }: Extract<AgentEvent, { type: 'tool-start' }>) {
  return { title, ...(allowedBy !== undefined && { allowedBy }) };
}

function startSummarizing({ summaryNote: _, ...transcript }: Transcript, note?: string): Transcript {
  return { ...transcript, isSummarizing: true, ...(note !== undefined && { summaryNote: note }) };
}

function undoSummary(entries: readonly Entry[]): readonly Entry[] {
  const at = entries.findLastIndex((entry) => entry.type === 'compaction' && !entry.isUndone);
  return entries.map((entry, index) =>
    index === at && entry.type === 'compaction' ? { ...entry, isUndone: true } : entry,
  );
}

/** The list that a call has just set, if it set one. */
function newTodos({ entries }: Transcript, result: ToolResult): readonly Todo[] | undefined {
  const last = entries.at(-1);
  const parts = last?.type === 'reply' ? last.parts : [];
  const part = parts.find((each) => each.type === 'call' && callIdOf(each.state) === result.requestId);
  return part && todosSetBy(part);
}

/** Changes the last reply; every reply event belongs to it. */
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
    // A parser may report a complete call without announcing it first.
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
      part.type === 'call' && callIdOf(part.state) === id ? { ...part, state: change(part.state) } : part,
    ),
  }));
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

/** No call stays open after a run: one that never started was not run, one that was running may have acted. */
function closeOpenCalls(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) =>
    entry.type !== 'reply' || !entry.parts.some(isOpen)
      ? entry
      : {
          ...entry,
          parts: entry.parts
            .filter((part) => part.type !== 'call' || part.state.type !== 'streaming')
            .map((part) =>
              isOpen(part)
                ? { ...part, state: endCall(withoutOpen(part.state), unfinishedResult(part)) }
                : part,
            ),
        },
  );
}

/** Closes the sub-agent's open calls with the call. */
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
