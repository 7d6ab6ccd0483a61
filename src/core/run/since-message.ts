import type { Entry } from '../transcript/transcript';
import type { ToolCall, ToolResult } from '../words/messages';
import type { RunConversation } from './agent-options';
import { isRunOf, quotedCommands, RUN } from './quoted-commands';

/** A call since the user's message that has ended. */
export interface CallAndResult {
  readonly call: ToolCall;
  readonly result: ToolResult;
}

type Transcribed = Pick<RunConversation, 'transcript'>;

/** The text of the message that the run answers, or the task of a sub-agent. */
export function messageOf({ task, transcript }: Pick<RunConversation, 'task' | 'transcript'>): string {
  const message = transcript().entries.findLast(({ type }) => type === 'user');
  return task ?? (message?.type === 'user' ? message.text : '');
}

/** The calls since the user's message that have ended, in order. */
export function callsSince({ transcript }: Transcribed): readonly CallAndResult[] {
  const { entries } = transcript();
  return entries.slice(lastMessage({ transcript }) + 1).flatMap(endedCalls);
}

/** Whether anything since the user's message may have changed a file. */
export function hasActed(conversation: Pick<RunConversation, 'task' | 'transcript'>): boolean {
  if (changedFiles(conversation).length > 0) return true;
  const tests = quotedCommands(messageOf(conversation));
  return callsSince(conversation).some(
    (ended) => mayChange(ended) && !tests.some((test) => isRunOf(ended, test)),
  );
}

/** Whether a call may have changed a file. */
function mayChange({ result }: CallAndResult): boolean {
  return result.status === 'success' && !READS.includes(result.toolName);
}

/** The files that calls have changed since the user's message, as shown to people. */
export function changedFiles({ transcript }: Transcribed): readonly string[] {
  const last = lastMessage({ transcript });
  return transcript().changes.flatMap(({ entry, change }) => (entry > last ? [change.display] : []));
}

/** What a model has been told, has read and has written into calls; not what it has said. */
export function textsSeen({ transcript }: Transcribed): readonly string[] {
  return transcript().entries.flatMap((entry) => {
    if (entry.type === 'user') return [entry.text, JSON.stringify(entry.attachments)];
    if (entry.type === 'compaction') return [entry.summary];
    return endedCalls(entry).flatMap(({ call, result }) => [
      ...Object.values(call.arguments).map((value) =>
        typeof value === 'string' ? value : JSON.stringify(value),
      ),
      result.result,
    ]);
  });
}

/** Texts whose paths exist or are to exist: what the user said, and results that list files or come from commands. */
export function pathTexts({ transcript }: Transcribed): readonly string[] {
  return transcript().entries.flatMap((entry) => {
    if (entry.type === 'user') return [entry.text];
    return endedCalls(entry).flatMap(({ call, result }) =>
      NAMING.includes(call.name) && result.status === 'success' ? [result.result] : [],
    );
  });
}

/** Other results are contents of files, in which `a.b` is code. */
const NAMING: readonly string[] = ['read_folder', 'find_files', RUN];

function endedCalls(entry: Entry): readonly CallAndResult[] {
  if (entry.type !== 'reply') return [];
  return entry.parts.flatMap((part): CallAndResult[] => {
    if (part.type !== 'call' || part.state.type !== 'ended') return [];
    const { call, result } = part.state;
    return [{ call, result }];
  });
}

function lastMessage({ transcript }: Transcribed): number {
  return transcript().entries.findLastIndex(({ type }) => type === 'user');
}

/** Tools that certainly change nothing. */
const READS: readonly string[] = [
  'read_file',
  'read_folder',
  'find_files',
  'search_text',
  'get_symbols',
  'get_problems',
];
