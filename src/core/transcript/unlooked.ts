import { pathLinks } from '../../base/path-links';
import type { Entry, ReplyEntry } from './transcript';

/** A mention, a name between back ticks. */
const NAMED = /(?:^|\s)@(?:file|folder|selection|problems|terminal)\b|`[^`\n]+`/;

/** Whether a message is about something that could be looked at. */
function namesSomething(message: string): boolean {
  return NAMED.test(message) || pathLinks(message).length > 0;
}

/** Whether a reply ends a run as its answer, though tools were offered, none was called, and there was something to see. */
export function isUnlooked(entries: readonly Entry[], index: number): boolean {
  const reply = entries[index];
  if (reply?.type !== 'reply' || !isAnswerWithTools(reply)) return false;
  const start = entries.findLastIndex((entry, at) => at < index && entry.type === 'user');
  const message = entries[start];
  const others = entries.slice(start + 1, index);
  return (
    message?.type === 'user' &&
    namesSomething(message.text) &&
    others.every((entry) => entry.type !== 'reply' || entry.parts.every(({ type }) => type !== 'call')) &&
    entries[index + 1]?.type !== 'outcome'
  );
}

function isAnswerWithTools({ parts, ended, size, warnings }: ReplyEntry): boolean {
  return (
    ended === 'stop' &&
    (size?.tools ?? 0) > 0 &&
    warnings.every(({ level }) => level === 'info') &&
    parts.every(({ type }) => type !== 'call') &&
    parts.some((part) => part.type === 'text' && part.text.trim() !== '')
  );
}
