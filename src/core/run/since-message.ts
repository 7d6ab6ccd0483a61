import type { RunConversation } from './agent-options';

/** The text of the message that the run answers, or the task of a sub-agent. */
export function messageOf({ task, transcript }: Pick<RunConversation, 'task' | 'transcript'>): string {
  const message = transcript().entries.findLast(({ type }) => type === 'user');
  return task ?? (message?.type === 'user' ? message.text : '');
}

/** Whether anything since the user's message may have changed a file. */
export function hasActed({ transcript }: Pick<RunConversation, 'transcript'>): boolean {
  const { entries, changes } = transcript();
  const last = entries.findLastIndex(({ type }) => type === 'user');
  if (changes.some(({ entry }) => entry > last)) return true;
  return entries
    .slice(last + 1)
    .some(
      (entry) =>
        entry.type === 'reply' &&
        entry.parts.some(
          (part) =>
            part.type === 'call' &&
            part.state.type === 'ended' &&
            part.state.result.status === 'success' &&
            !READS.includes(part.state.result.toolName),
        ),
    );
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
