import type { AgentEvent } from '../words/events';
import type { FileChange } from '../words/file-change';
import { foldTranscript } from './fold-transcript';
import { emptyTranscript, type Entry, type EntryChange, type Transcript } from './transcript';

/**
 * Folds all of these events: the same result as folding them one by one, in linear time. Each fold copies the lists of
 * entries and changes. Here the first list holds only one run, because later events change its last entry at most,
 * unless they reach back; the second holds only the change of one event.
 */
export function foldEvents(events: readonly AgentEvent[], before = emptyTranscript): Transcript {
  const settled: Entry[] = [];
  const whole = (): Transcript => ({
    ...open,
    entries: [...settled, ...open.entries],
    changes: log.changes,
  });
  let log = new ChangeLog(before.changes);
  let open: Transcript = { ...before, changes: [] };
  for (const event of events) {
    if (reachesBack(event)) {
      open = foldTranscript(whole(), event);
      settled.length = 0;
      log = new ChangeLog(open.changes);
    } else {
      open = foldTranscript(open, event);
      for (const { entry, change } of open.changes) log.add({ entry: entry + settled.length, change });
    }
    open = { ...open, changes: [] };
    if (event.type !== 'run-end') continue;
    settled.push(...open.entries.slice(0, -1));
    open = { ...open, entries: open.entries.slice(-1) };
  }
  return whole();
}

function reachesBack({ type }: AgentEvent): boolean {
  return type === 'compaction-undo' || type === 'restore' || type === 'keep' || type === 'rewind';
}

/** The changes of a transcript, with the positions of those that have no second report yet. */
class ChangeLog {
  private own: EntryChange[] | undefined;
  private readonly open = new Map<string, number[]>();

  constructor(private readonly before: readonly EntryChange[]) {
    for (const [index, { change }] of before.entries()) this.note(change, index);
  }

  /** The same list as before if nothing was added, so that its views stay unchanged. */
  get changes(): readonly EntryChange[] {
    return this.own ?? this.before;
  }

  /** The second report of a change replaces the latest first one. */
  add(added: EntryChange): void {
    const { change } = added;
    const changes = (this.own ??= [...this.before]);
    const first = change.after === undefined ? undefined : this.open.get(keyOf(change))?.pop();
    const found = first === undefined ? undefined : changes[first];
    if (first !== undefined && found) changes[first] = { ...found, change };
    else this.note(change, changes.push(added) - 1);
  }

  private note(change: FileChange, index: number): void {
    if (change.after !== undefined) return;
    const key = keyOf(change);
    const places = this.open.get(key);
    if (places) places.push(index);
    else this.open.set(key, [index]);
  }
}

function keyOf({ path, before }: FileChange): string {
  return `${before}\n${path}`;
}
