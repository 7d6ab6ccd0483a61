import type { AgentOptions } from '../run/agent-options';
import type { Meter } from '../run/budget';
import { activeCompaction } from '../transcript/history';
import type { Entry, Transcript } from '../transcript/transcript';
import type { Compaction } from '../words/events';
import type { Usage } from '../words/model';
import { summaryText, writeSummary } from './summary';

/** The part of the room for the history that stays as it is; the rest becomes a summary. */
const KEPT = 0.5;

/** What a summary may take of that room, and tokens that it may take in any case. */
const SUMMARY = 0.2;
const SHORTEST = 200;

/** What the model reads for it of that room, because nobody knows how exact the room is. */
const READING = 0.7;

interface CompactionRoom {
  /** Tokens for the history. */
  readonly tokens: number;
  /** Nothing but the last entry stays as it is. */
  readonly isTight: boolean;
}

/**
 * Puts a summary in the place of the older entries. The boundary lies between entries, and a reply is one with its
 * results, so no call loses its result. Nothing comes of it where there is nothing to put in short, or where the summary
 * would be no shorter.
 */
export async function compact(
  options: AgentOptions,
  { tokens, isTight }: CompactionRoom,
  meter: Meter,
  signal: AbortSignal,
): Promise<Compaction | undefined> {
  const { gauge } = options;
  const transcript = options.transcript();
  const { entries, todos } = transcript;
  const last = activeCompaction(transcript);
  const from = last?.entries ?? 0;
  const until = boundary(entries, from, (entry) => gauge.entry(entry), isTight ? 0 : tokens * KEPT);
  const earlier = last?.summary ?? '';
  const most = Math.max(SHORTEST, Math.floor(tokens * SUMMARY));
  // There is nothing new to put in short; but a summary from a larger window may itself be too long.
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
  const compaction: Compaction = {
    type: 'compaction',
    entries: until,
    summary,
    ...(written === '' ? { isList: true } : writtenBy !== undefined && { writtenBy }),
    ...(usage && { usage }),
    before,
    after: before,
  };
  const after = gauge.history(withCompaction(transcript, compaction));
  return after < before ? { ...compaction, after } : undefined;
}

function withCompaction(transcript: Transcript, compaction: Compaction): Transcript {
  return { ...transcript, entries: [...transcript.entries, { ...compaction, isUndone: false }] };
}

/**
 * Where what is kept begins: as early as the tokens allow, and with the last entry that a model is sent at the latest.
 */
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
