import { changedSince } from './file-changes';
import { isDone, type Todo } from './todos';
import { todosSetBy, type Entry, type RewindEntry, type Transcript } from './transcript';

/**
 * The conversation as it was before a user message or a reply. Everything from there on is kept in one entry, which
 * also owns its file changes from now on: they happened, so they can still be undone.
 */
export function rewound(transcript: Transcript, entry: number): Transcript {
  const { entries, changes } = transcript;
  const { type } = entries[entry] ?? {};
  if (type !== 'user' && type !== 'reply') return transcript;
  const kept = entries.slice(0, entry);
  const mark: RewindEntry = {
    type: 'rewind',
    left: entries.slice(entry),
    changed: changedSince(transcript, entry).map(({ display }) => display),
  };
  return {
    ...transcript,
    entries: [...kept, mark],
    changes: changes.map((each) => (each.entry > entry ? { ...each, entry } : each)),
    todos: todosIn(kept),
  };
}

/** Whether the user went back to edit a reply, not to send another message. */
export function isReplyEdit({ left }: RewindEntry): boolean {
  return left[0]?.type === 'reply';
}

/** All entries including those that the user left behind, in their original order. */
export function withLeft(entries: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((entry) => (entry.type === 'rewind' ? withLeft(entry.left) : [entry]));
}

/** The plan after these entries. */
function todosIn(entries: readonly Entry[]): readonly Todo[] {
  return entries.reduce<readonly Todo[]>((todos, entry) => {
    // As with a new message: a finished list is not a plan for what follows.
    if (entry.type === 'user') return todos.every(isDone) ? [] : todos;
    if (entry.type !== 'reply') return todos;
    return entry.parts.map(todosSetBy).findLast((list) => list !== undefined) ?? todos;
  }, []);
}
