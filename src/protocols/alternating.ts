import type { ChatMessage } from '../core/model';

/** Many chat templates refuse two messages of one role in a row, and empty ones. Calls and their results stay as they are. */
export function alternating(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const next of messages) {
    const last = merged.at(-1);
    if (last && isPlain(last) && isPlain(next) && last.role === next.role) {
      merged[merged.length - 1] = {
        ...last,
        content: [last.content, next.content].filter(Boolean).join('\n\n'),
      };
    } else if (next.content !== '' || next.role === 'user' || !isPlain(next)) {
      merged.push(next);
    }
  }
  return merged;
}

function isPlain(message: ChatMessage): boolean {
  return message.role !== 'tool' && !('toolCalls' in message);
}
