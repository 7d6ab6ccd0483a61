import { changedSince } from './file-changes';
import { isDone, type Todo } from './todos';
import { todosSetBy, type Entry, type RewindEntry, type Transcript } from './transcript';

/**
 * The conversation as it was before one of the user's messages, or before a reply. What came from there on is left out of
 * it and kept in one entry, to which its changes of files belong from now on: they happened, so they can still be put back.
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

/** Whether the user went back to mend a reply, and not to say something else. */
export function isReplyEdit({ left }: RewindEntry): boolean {
  return left[0]?.type === 'reply';
}

/** The entries with those that the user left behind, in the order in which they came. */
export function withLeft(entries: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((entry) => (entry.type === 'rewind' ? withLeft(entry.left) : [entry]));
}

/** The plan as these entries leave it. */
function todosIn(entries: readonly Entry[]): readonly Todo[] {
  return entries.reduce<readonly Todo[]>((todos, entry) => {
    // As a new message does: a list that is done is no plan for what comes then.
    if (entry.type === 'user') return todos.every(isDone) ? [] : todos;
    if (entry.type !== 'reply') return todos;
    return entry.parts.map(todosSetBy).findLast((list) => list !== undefined) ?? todos;
  }, []);
}
