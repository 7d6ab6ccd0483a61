import { wholeCharacters } from '../base/whole-characters';
import type { Image } from '../core/attachment';
import type { ChatMessage } from '../core/model';

/**
 * Many chat templates refuse two messages of one role in a row, and empty ones; servers refuse halves of characters.
 * Calls and their results stay where they are.
 */
export function alternating(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const each of messages) {
    const next = { ...each, content: wholeCharacters(each.content) };
    const last = merged.at(-1);
    if (last && isPlain(last) && isPlain(next) && last.role === next.role) {
      merged[merged.length - 1] = joined(last, next);
    } else if (next.content.trim() !== '' || next.role === 'user' || !isPlain(next)) {
      merged.push(next);
    }
  }
  return merged;
}

function joined(first: ChatMessage, second: ChatMessage): ChatMessage {
  const images = [...imagesOf(first), ...imagesOf(second)];
  const content = [first.content, second.content].filter(Boolean).join('\n\n');
  return { ...first, content, ...(images.length > 0 && { images }) };
}

function imagesOf(message: ChatMessage): readonly Image[] {
  return ('images' in message && message.images) || [];
}

function isPlain(message: ChatMessage): boolean {
  return message.role !== 'tool' && !('toolCalls' in message);
}
