import type { AgentEvent, Restore } from './events';
import type { FileChange } from './file-change';
import type { EntryChange, Transcript } from './transcript';

/** The second report of a change takes the place of the first; a further change of the same file is one of its own. */
export function addChange(changes: readonly FileChange[] = [], change: FileChange): readonly FileChange[] {
  const first = changes.findLastIndex((each) => isSecondOf(each, change));
  return first < 0 ? [...changes, change] : changes.with(first, change);
}

/** The same for the conversation as a whole. */
export function logChange({ changes, entries }: Transcript, change: FileChange): readonly EntryChange[] {
  const first = changes.findLastIndex((each) => isSecondOf(each.change, change));
  const found = changes[first];
  if (!found) return [...changes, { entry: entries.length - 1, change }];
  return changes.with(first, { ...found, change });
}

export function changeIn(event: AgentEvent): FileChange | undefined {
  if (event.type === 'sub-agent') return changeIn(event.event);
  return event.type === 'file-change' ? event.change : undefined;
}

/** As with changes, the second report takes the place of the first, wherever that stands. */
export function addRestore(transcript: Transcript, restore: Restore): Transcript {
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

/** One that was cut off is followed by a first report again. */
function isSecondOf(first: FileChange, second: FileChange): boolean {
  const { path, before, after } = first;
  return (
    after === undefined && second.after !== undefined && path === second.path && before === second.before
  );
}

function isUnderWay({ changes }: Restore): boolean {
  return changes.some(({ after }) => after === undefined);
}
