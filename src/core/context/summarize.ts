import { activeSummary } from '../transcript/history';
import type { Entry, Transcript } from '../transcript/transcript';
import type { SummaryEvent } from '../words/events';
import type { Tool } from '../words/tool';
import type { RequestSource } from './run-model';
import { summaryText, writeSummary, type Spend } from './summary';

/** Share of the room that is kept for recent entries; older ones are summarized. */
const RECENT_SHARE = 0.5;

/** Share of the room that a summary may take, and tokens it may take in any case. */
const SUMMARY_SHARE = 0.2;
const SUMMARY_LEAST = 200;

/** Share of the room that the summarizing request may fill. Less than all, because the room is an estimate. */
const READING_SHARE = 0.7;

interface SummarizeOptions {
  /** The tools that the requests describe. */
  readonly tools: readonly Tool[];
  readonly spend: Spend;
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
  source: RequestSource,
  { tools, spend, tokens, isTight }: SummarizeOptions,
  signal: AbortSignal,
): Promise<SummaryEvent | undefined> {
  const { contextBudget, emit } = source.conversation;
  const transcript = source.conversation.transcript();
  const { entries, todos } = transcript;
  const last = activeSummary(transcript);
  const from = last?.entries ?? 0;
  const until = boundary(
    entries,
    from,
    (entry) => contextBudget.entry(entry),
    isTight ? 0 : tokens * RECENT_SHARE,
  );
  const earlier = last?.summary ?? '';
  const most = Math.max(SUMMARY_LEAST, Math.floor(tokens * SUMMARY_SHARE));
  // Nothing new to summarize. A summary made for a larger window may itself be too long.
  if (until === from && !(isTight && contextBudget.text(earlier) > most)) return undefined;
  emit({ type: 'compaction-start' });
  const replaced = entries.slice(from, until);
  const task = { entries: replaced, earlier, reading: tokens * READING_SHARE, most };
  const { text, usage, writtenBy } = await writeSummary(source, { task, tools, spend }, signal);
  const sizeBefore = replaced.reduce(
    (sum, entry) => sum + contextBudget.entry(entry),
    contextBudget.text(earlier),
  );
  // Small models sometimes write more than there was.
  const written = contextBudget.text(text) < sizeBefore ? text : '';
  signal.throwIfAborted();
  const summary = summaryText({
    entries: entries.slice(0, until),
    isTask: !entries.slice(until).some(({ type }) => type === 'user'),
    earlier,
    written,
    todos,
    most,
    count: (text) => contextBudget.text(text),
  });
  const before = contextBudget.history(transcript);
  const event: SummaryEvent = {
    type: 'compaction',
    entries: until,
    summary,
    ...(written === '' ? { isList: true } : writtenBy !== undefined && { writtenBy }),
    ...(usage && { usage }),
    before,
    after: before,
  };
  const after = contextBudget.history(withSummary(transcript, event));
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
