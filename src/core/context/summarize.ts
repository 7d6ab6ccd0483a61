import type { AgentOptions } from '../run/agent-options';
import type { Meter } from '../run/budget';
import { activeSummary } from '../transcript/history';
import type { Entry, Transcript } from '../transcript/transcript';
import type { SummaryEvent } from '../words/events';
import type { Usage } from '../words/model';
import { summaryText, writeSummary } from './summary';

/** Share of the room that is kept for recent entries; older ones are summarized. */
const KEPT = 0.5;

/** Share of the room that a summary may take, and tokens it may take in any case. */
const SUMMARY = 0.2;
const SHORTEST = 200;

/** Share of the room that the summarizing request may fill. Less than all, because the room is an estimate. */
const READING = 0.7;

interface SummaryRoom {
  /** Tokens for the history. */
  readonly tokens: number;
  /** Everything but the last entry is summarized. */
  readonly isTight: boolean;
}

/**
 * Replaces the older entries by a summary. Calls keep their results, because the boundary is between entries and a reply
 * and its results are one entry. Returns `undefined` if there is nothing to summarize or the summary is not shorter.
 */
export async function summarize(
  options: AgentOptions,
  { tokens, isTight }: SummaryRoom,
  meter: Meter,
  signal: AbortSignal,
): Promise<SummaryEvent | undefined> {
  const { gauge } = options;
  const transcript = options.transcript();
  const { entries, todos } = transcript;
  const last = activeSummary(transcript);
  const from = last?.entries ?? 0;
  const until = boundary(entries, from, (entry) => gauge.entry(entry), isTight ? 0 : tokens * KEPT);
  const earlier = last?.summary ?? '';
  const most = Math.max(SHORTEST, Math.floor(tokens * SUMMARY));
  // Nothing new to summarize. A summary made for a larger window may itself be too long.
  if (until === from && !(isTight && gauge.text(earlier) > most)) return undefined;
  options.emit({ type: 'compaction-start' });
  const replaced = entries.slice(from, until);
  const task = { entries: replaced, earlier, reading: tokens * READING, most };
  const spent = (used: Usage | undefined, characters: number): void => meter.add(used, characters);
  const { text, usage, writtenBy } = await writeSummary(options, task, spent, signal);
  const sizeBefore = replaced.reduce((sum, entry) => sum + gauge.entry(entry), gauge.text(earlier));
  // Small models sometimes write more than there was.
  const written = gauge.text(text) < sizeBefore ? text : '';
  signal.throwIfAborted();
  const summary = summaryText({
    entries: entries.slice(0, until),
    isTask: !entries.slice(until).some(({ type }) => type === 'user'),
    earlier,
    written,
    todos,
    most,
    count: (text) => gauge.text(text),
  });
  const before = gauge.history(transcript);
  const event: SummaryEvent = {
    type: 'compaction',
    entries: until,
    summary,
    ...(written === '' ? { isList: true } : writtenBy !== undefined && { writtenBy }),
    ...(usage && { usage }),
    before,
    after: before,
  };
  const after = gauge.history(withSummary(transcript, event));
  return after < before ? { ...event, after } : undefined;
}

function withSummary(transcript: Transcript, event: SummaryEvent): Transcript {
  return { ...transcript, entries: [...transcript.entries, { ...event, isUndone: false }] };
}

/** Index of the first entry to keep: as early as the tokens allow; at the latest the last entry that is sent. */
function boundary(
  entries: readonly Entry[],
  from: number,
  sizeOf: (entry: Entry) => number,
  tokens: number,
): number {
  const last = entries.findLastIndex((entry) => sizeOf(entry) > 0);
  let at = last;
  let used = 0;
  for (const [index, entry] of [...entries.entries()].slice(from, last + 1).reverse()) {
    used += sizeOf(entry);
    if (index < last && used > tokens) break;
    at = index;
  }
  return Math.max(at, from);
}
