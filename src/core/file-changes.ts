import { FOLDER, UNKNOWN, type FileChange } from './file-change';
import type { Transcript } from './transcript';

/** What became of a file over several changes: what it was at first, and how Parley left it in the end. */
export interface NetChange extends FileChange {
  /** Somebody else has changed it between two of the changes. */
  readonly isShared: boolean;
}

/**
 * The files that were touched from an entry on, in the order in which they first were. One that is again as it was is
 * among them, and one that was under way when its process ended has no `after`.
 */
export function changesSince({ changes }: Pick<Transcript, 'changes'>, entry: number): readonly NetChange[] {
  const files = new Map<string, NetChange>();
  for (const { change } of changes.filter((each) => each.entry >= entry)) {
    const earlier = files.get(change.path);
    files.set(change.path, earlier ? joined(earlier, net(change)) : net(change));
  }
  return [...files.values()];
}

/** The files that are not as they were when the conversation first touched them, as far as Parley knows. */
export function changedFiles(transcript: Pick<Transcript, 'changes'>): readonly NetChange[] {
  return changedSince(transcript, 0);
}

/** Those that are not as they were before an entry. */
export function changedSince(transcript: Pick<Transcript, 'changes'>, entry: number): readonly NetChange[] {
  return changesSince(transcript, entry).filter(isChange);
}

/** The entries before which files were different: messages, places gone back to, and restores after which nothing was changed. */
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

/** Whether files can be put back to before an entry: one of those, or a reply that is mended. */
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
    isShared: first.isShared || last.isShared || isGap,
  };
}

/** A content that is not known may be another one. */
function isChange({ before, after }: FileChange): boolean {
  return before !== after || before === UNKNOWN || before === FOLDER;
}
