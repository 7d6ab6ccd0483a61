import type { AgentEvent, Restore } from '../words/events';
import { FOLDER, UNKNOWN, type FileChange, type LineCounts } from '../words/file-change';
import type { EntryChange, Transcript } from './transcript';

/** The net effect of several changes on a file: its first state, and the state in which Parley left it. */
export interface NetChange extends FileChange {
  /** The file was also changed outside Parley between two of the changes. */
  readonly isShared: boolean;
}

/**
 * The files that were touched from an entry on, in order of first touch. Includes files that are unchanged in the end;
 * a change that was interrupted when its process ended has no `after`.
 */
export function changesSince({ changes }: Pick<Transcript, 'changes'>, entry: number): readonly NetChange[] {
  const files = new Map<string, NetChange>();
  for (const { change } of changes.filter((each) => each.entry >= entry)) {
    const earlier = files.get(change.path);
    files.set(change.path, earlier ? joined(earlier, net(change)) : net(change));
  }
  return [...files.values()];
}

/** The files that differ from when the conversation first touched them, as far as Parley knows. */
export function changedFiles(transcript: Pick<Transcript, 'changes'>): readonly NetChange[] {
  return changedSince(transcript, 0);
}

/** The files that differ from before an entry. */
export function changedSince(transcript: Pick<Transcript, 'changes'>, entry: number): readonly NetChange[] {
  return changesSince(transcript, entry).filter(isChange);
}

/** The files that differ from before an entry by what the user does not keep: undoing this is offered. */
export function offeredChanges({ changes }: Pick<Transcript, 'changes'>, entry = 0): readonly NetChange[] {
  return changedSince({ changes: changes.filter(({ isKept }) => isKept !== true) }, entry);
}

/** Marks what was done to these files from an entry on. A change in progress is offered when it is done. */
export function keepChanges(
  changes: readonly EntryChange[],
  { entry, paths }: Extract<AgentEvent, { type: 'keep' }>,
): readonly EntryChange[] {
  const wanted = new Set(paths);
  return changes.map((each) => {
    const isMeant = each.entry >= entry && wanted.has(each.change.path) && each.change.after !== undefined;
    return isMeant ? { ...each, isKept: true } : each;
  });
}

/** The entries before which files were different: messages, rewinds, and restores with no changes after them. */
export function restorableEntries({ entries, changes }: Transcript): ReadonlySet<number> {
  const found = new Set<number>();
  const since = new Map<string, NetChange>();
  const changed = new Set<string>();
  let next = changes.length - 1;
  for (let entry = entries.length - 1; entry >= 0; entry--) {
    const isLatest = next === changes.length - 1;
    for (let at = changes[next]; at && at.entry >= entry; at = changes[--next]) {
      const { path } = at.change;
      const later = since.get(path);
      const now = later ? joined(net(at.change), later) : net(at.change);
      since.set(path, now);
      if (isChange(now)) changed.add(path);
      else changed.delete(path);
    }
    const type = entries[entry]?.type;
    const isPoint = type === 'user' || type === 'rewind' || (type === 'restore' && isLatest);
    if (changed.size > 0 && isPoint) found.add(entry);
  }
  return found;
}

/** Whether files can be restored to before an entry: one of those, or an edited reply. */
export function isRestorable(transcript: Transcript, entry: number): boolean {
  if (transcript.entries[entry]?.type === 'reply') return changedSince(transcript, entry).length > 0;
  return restorableEntries(transcript).has(entry);
}

function net(change: FileChange): NetChange {
  return { ...change, isShared: false };
}

function joined(first: NetChange, last: NetChange): NetChange {
  const { path, display, before, mode } = first;
  const isGap = first.after !== undefined && first.after !== last.before;
  return {
    ...{ path, display, before },
    ...(mode !== undefined && { mode }),
    ...(last.after !== undefined && { after: last.after }),
    ...(first.lines && last.lines && { lines: sumOf(first.lines, last.lines) }),
    isShared: first.isShared || last.isShared || isGap,
  };
}

function sumOf(one: LineCounts, other: LineCounts): LineCounts {
  return { added: one.added + other.added, removed: one.removed + other.removed };
}

/** An unknown content may be different. */
function isChange({ before, after }: FileChange): boolean {
  return before !== after || before === UNKNOWN || before === FOLDER;
}

/** The second report of a change replaces the first; a further change of the same file is added. */
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

/** As with changes, the second report replaces the first, wherever it is. */
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

/** After an interrupted change, the next report is a first one again. */
function isSecondOf(first: FileChange, second: FileChange): boolean {
  const { path, before, after } = first;
  return (
    after === undefined && second.after !== undefined && path === second.path && before === second.before
  );
}

function isUnderWay({ changes }: Restore): boolean {
  return changes.some(({ after }) => after === undefined);
}
