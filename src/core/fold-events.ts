import type { AgentEvent } from './events';
import { emptyTranscript, foldTranscript, type Entry, type Transcript } from './transcript';

/**
 * What all of these events come to: the same as to fold them one by one, in linear time. A fold copies the list of
 * entries; here that list is one run long, because once a run has ended only its last entry changes, and whatever the
 * user reaches back for.
 */
export function foldEvents(events: readonly AgentEvent[], before = emptyTranscript): Transcript {
  const settled: Entry[] = [];
  let open: Transcript = before;
  for (const event of events) {
    if (reachesBack(event)) open = { ...open, entries: [...settled.splice(0), ...open.entries] };
    open = withPlaces(foldTranscript(open, event), open, settled.length);
    if (event.type !== 'run-end') continue;
    settled.push(...open.entries.slice(0, -1));
    open = { ...open, entries: open.entries.slice(-1) };
  }
  return { ...open, entries: [...settled, ...open.entries] };
}

function reachesBack({ type }: AgentEvent): boolean {
  return type === 'compaction-undo' || type === 'restore';
}

/** A change that is new names its entry by number, and does not know of those that are settled. */
function withPlaces(next: Transcript, { changes: known }: Transcript, settled: number): Transcript {
  if (settled === 0 || next.changes.length === known.length) return next;
  const changes = next.changes.map((each, index) =>
    index < known.length ? each : { ...each, entry: each.entry + settled },
  );
  return { ...next, changes };
}
