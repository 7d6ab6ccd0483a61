import type { AgentEvent } from './events';
import { emptyTranscript, foldTranscript, type Entry, type Transcript } from './transcript';

/**
 * What all of these events come to: the same as to fold them one by one, in linear time. A fold copies the list of
 * entries; here that list is one run long, because once a run has ended only its last entry changes, and whatever a
 * `compaction-undo` reaches for.
 */
export function foldEvents(events: readonly AgentEvent[], before = emptyTranscript): Transcript {
  const settled: Entry[] = [];
  let open: Transcript = before;
  for (const event of events) {
    if (event.type === 'compaction-undo')
      open = { ...open, entries: [...settled.splice(0), ...open.entries] };
    open = foldTranscript(open, event);
    if (event.type !== 'run-end') continue;
    settled.push(...open.entries.slice(0, -1));
    open = { ...open, entries: open.entries.slice(-1) };
  }
  return { ...open, entries: [...settled, ...open.entries] };
}
