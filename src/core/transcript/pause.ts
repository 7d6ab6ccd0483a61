import { activeCompaction } from './history';
import type { Entry, Transcript } from './transcript';

/** A budget has ended the last run where it can go on without a word of the user. */
export interface Pause {
  /** The index of the outcome that says so. */
  readonly entry: number;
  /** The history has to be put in short before that. */
  readonly compactFirst: boolean;
}

/** Where the conversation can go on now. Nothing while a run goes on, and once something was said since. */
export function pausedAt({ entries, running }: Transcript): Pause | undefined {
  if (running) return undefined;
  const entry = entries.findLastIndex((each) => !saysNothing(each));
  const paused = entries[entry];
  if (paused?.type !== 'outcome' || paused.outcome.type !== 'budget') return undefined;
  const { canContinue, compactFirst = false } = paused.outcome;
  if (!canContinue) return undefined;
  // What the user has put in short since is short enough to be tried.
  const isShort = activeCompaction({ entries: entries.slice(entry) }) !== undefined;
  return { entry, compactFirst: compactFirst && !isShort };
}

/** It does not change what the next request answers. */
function saysNothing(entry: Entry): boolean {
  if (entry.type === 'compaction' || entry.type === 'restore') return true;
  // A summary that came to nothing, or a run that ended before its first request.
  return entry.type === 'outcome' && (entry.outcome.type === 'aborted' || entry.outcome.type === 'failed');
}
