import { never } from '../../base/never';
import type { ReplyPart, ToolResult, Turn } from '../words/messages';
import {
  unfinishedResult,
  type SummaryEntry,
  type Entry,
  type ReplyEntry,
  type RestoreEntry,
  type RewindEntry,
  type Transcript,
  type UserEntry,
} from './transcript';

/** The history a protocol renders: well formed by construction, each call answered exactly once. */
export function turnsOf(transcript: Transcript): Turn[] {
  const { summary, entries } = sentParts(transcript);
  return [...summary, ...entries.flatMap(entryTurns)];
}

/** What models are sent of a conversation: the summary of its beginning, if there is one, and the entries after it. */
export function sentParts(transcript: Transcript): {
  readonly summary: readonly Turn[];
  readonly entries: readonly Entry[];
} {
  const compaction = activeSummary(transcript);
  const entries = transcript.entries.slice(compaction?.entries ?? 0);
  return {
    summary: compaction ? [{ type: 'user', text: compaction.summary }] : [],
    entries: entries.filter((_, at) => !isAskedAgain(entries, at)),
  };
}

/**
 * Whether a reply that broke off or was stopped is followed by another try. That one replaces it: models cannot
 * continue half a reply.
 */
function isAskedAgain(entries: readonly Entry[], at: number): boolean {
  const entry = entries[at];
  if (entry?.type !== 'reply' || (entry.ended !== 'cut' && entry.ended !== 'repetition')) return false;
  const next = entries.slice(at + 1).find(({ type }) => type !== 'outcome' && type !== 'compaction');
  return next === undefined || next.type === 'reply';
}

/** The summary that currently replaces the first entries. */
export function activeSummary({ entries }: Pick<Transcript, 'entries'>): SummaryEntry | undefined {
  return entries.findLast(isActive);
}

function isActive(entry: Entry): entry is SummaryEntry {
  return entry.type === 'compaction' && !entry.isUndone;
}

/** One entry as a model gets it. A reply comes with its results, so a history can begin at any entry. */
export function entryTurns(entry: Entry): Turn[] {
  switch (entry.type) {
    case 'user':
      return [userTurn(entry)];
    case 'reply':
      return replyTurns(entry);
    case 'restore':
      return entry.changes.length === 0 ? [] : [{ type: 'user', text: restoredText(entry) }];
    case 'rewind':
      return entry.changed.length === 0 ? [] : [{ type: 'user', text: changedText(entry) }];
    case 'outcome':
    case 'compaction':
      return [];
    default:
      return never(entry);
  }
}

function userTurn({ text, attachments }: UserEntry): Turn {
  const taken = attachments.filter(({ type }) => type !== 'missing');
  return { type: 'user', text, ...(taken.length > 0 && { attachments: taken }) };
}

function restoredText({ changes }: RestoreEntry): string {
  const names = changes.map(({ display }) => display).join(', ');
  return `[The user restored these files to an earlier state: ${names}. Read them again before you change them.]`;
}

/** Without this the model would expect the files as it last saw them. */
function changedText({ changed }: RewindEntry): string {
  const names = changed.join(', ');
  return `[The user went back to this point. Files changed in the removed part: ${names}. Read them again before you change them.]`;
}

/** A model that took the text for its own would not learn what was wrong with it. */
const EDITED = '[The user edited your reply above before its calls were read.]';

/** The codes of warnings whose hint is sent to the model: its reply stopped before the task was done. */
export const ASKS_AGAIN = {
  asked: 'asked-again',
  nothingChanged: 'nothing-changed',
  notDone: 'not-done',
  notSeen: 'not-seen',
  notTouched: 'not-touched',
} as const;
const ASKING: readonly string[] = Object.values(ASKS_AGAIN);

function replyTurns(entry: ReplyEntry): Turn[] {
  const asked = entry.warnings.find(({ code }) => ASKING.includes(code));
  return [...replyAndResults(entry), ...(asked ? [{ type: 'user', text: asked.hint } as const] : [])];
}

function replyAndResults(entry: ReplyEntry): Turn[] {
  const parts = entry.parts.flatMap((part): ReplyPart[] => {
    if (part.type === 'text') return [{ ...part, text: once(part.text, entry.repeated) }];
    if (part.type === 'reasoning') return [part];
    if (part.state.type === 'streaming') return [];
    if (part.state.type === 'malformed') return [{ type: 'malformed', malformed: part.state.malformed }];
    return [{ type: 'call', call: part.state.call }];
  });
  if (parts.length === 0) return [];
  const results = entry.parts.flatMap((part): ToolResult[] => {
    if (part.type !== 'call' || part.state.type === 'streaming') return [];
    if (part.state.type === 'ended') return [part.state.result];
    return [
      part.state.type === 'malformed' && part.state.result ? part.state.result : unfinishedResult(part),
    ];
  });
  return [
    { type: 'reply', parts, ...(entry.carried && { carried: entry.carried }) },
    ...(results.length === 0 ? [] : [{ type: 'results', results } as const]),
    ...(entry.isEdited ? [{ type: 'user', text: EDITED } as const] : []),
  ];
}

/** A model that reads its repeated text continues repeating it. */
function once(text: string, repeated: string | undefined): string {
  const at = repeated === undefined ? -1 : text.indexOf(repeated);
  return at < 0 ? text : `${text.slice(0, at + (repeated?.length ?? 0))} …`;
}

/** A budget or the endpoint ended the last run at a point where it can continue without a new message. */
export interface Pause {
  /** The index of the outcome that says so. */
  readonly entry: number;
  /** The history has to be summarized first. */
  readonly compactFirst: boolean;
  /** The last request is repeated. */
  readonly isAgain?: true;
}

/** Where the conversation can continue now. `undefined` during a run, and once a new message was sent. */
export function pausedAt({ entries, running }: Transcript): Pause | undefined {
  if (running) return undefined;
  const entry = entries.findLastIndex((each) => !saysNothing(each));
  const paused = entries[entry];
  if (paused?.type !== 'outcome' || !('canContinue' in paused.outcome)) return undefined;
  const { outcome } = paused;
  const compactFirst = outcome.type === 'budget' && outcome.compactFirst === true;
  // After a summary by the user, the history may be short enough to try.
  const isShort = activeSummary({ entries: entries.slice(entry) }) !== undefined;
  return {
    entry,
    compactFirst: compactFirst && !isShort,
    ...(outcome.type === 'failed' && { isAgain: true as const }),
  };
}

/** Whether an entry does not change what the next request answers. */
function saysNothing(entry: Entry): boolean {
  if (entry.type === 'compaction' || entry.type === 'restore') return true;
  // An unsuccessful summary, or a run that ended before its first request.
  if (entry.type !== 'outcome' || 'canContinue' in entry.outcome) return false;
  return entry.outcome.type === 'aborted' || entry.outcome.type === 'failed';
}
