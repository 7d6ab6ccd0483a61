import { sentParts } from '../transcript/history';
import type { Transcript } from '../transcript/transcript';
import type { AgentEvent } from '../words/events';
import { wholeReply } from '../words/messages';
import type { RequestSize } from '../words/model';
import type { RunOutcome } from '../words/outcome';
import type { Tool } from '../words/tool';
import type { RequestSource } from './run-model';
import { summarize } from './summarize';
import type { Spend } from './summary';
import { sizeIn, tooMuchFixed, tooMuchNew, WHERE_WINDOWS_ARE_SET } from './too-much';

/** Minimum tokens for a conversation; with fewer it is not worth starting. */
const SMALLEST_HISTORY = 200;

interface FitOptions {
  /** The tools that the request describes. */
  readonly tools: readonly Tool[];
  readonly spend: Spend;
  /** Summarize even if the history fits: the user asked for it, or the server refused the request. */
  readonly force?: 'asked' | 'refused' | undefined;
}

/**
 * Makes the next request fit the model's window: uses short tool descriptions if that is enough, otherwise summarizes
 * older messages. A request that cannot fit is not sent, because servers would cut off its beginning, which describes
 * the tools.
 */
export async function fitRequest(
  source: RequestSource,
  { tools, spend, force }: FitOptions,
  signal: AbortSignal,
): Promise<RequestSize | RunOutcome> {
  const { contextBudget, transcript, emit } = source.conversation;
  const { tokens, reply, room: most } = contextBudget.window;
  let size = sizeOf(source, tools);
  if (!force && size.total <= most) return size;
  const hasOlder = hasOlderMessages(source);
  if (!source.prompt.isFormChosen && (size.fixed + SMALLEST_HISTORY > most || !hasOlder)) {
    const short = sizeIn(source, tools, 'short');
    const isEnough = hasOlder ? short.fixed + SMALLEST_HISTORY <= most : short.total <= most;
    if (isEnough && short.total < size.total) {
      contextBudget.shorten();
      size = sizeOf(source, tools);
      if (size.total <= most && (!force || !hasOlder)) return size;
    }
  }
  const much = (): Parameters<typeof tooMuchNew>[2] => ({ size, tokens, reply });
  if (size.fixed + SMALLEST_HISTORY > most) return tooMuchFixed(source, tools, much());
  if (force !== 'asked' && isUndone(transcript()))
    return { ...NO_LONGER_FITS, canContinue: true, compactFirst: true };
  // A refused request did not fit, whatever the profile says.
  const room = Math.min(most, force ? size.total : Infinity) - size.fixed;
  let hasSummarized = false;
  for (const isTight of [false, true]) {
    const summary = await summarize(source, { tools, spend, tokens: room, isTight }, signal);
    if (!summary) continue;
    hasSummarized = true;
    emit(summary);
    size = sizeOf(source, tools);
    if (size.total <= most) return size;
  }
  if (force === 'refused' && !hasSummarized) return tooMuchNew(source, tools, much());
  if (force && !hasSummarized) return { type: 'failed', message: NOTHING_LEFT };
  truncateNewest(source, size.total - most);
  size = sizeOf(source, tools);
  if (size.total <= most) return size;
  return tooMuchNew(source, tools, much());
}

/** A summary, or more than the newest entry: less can be sent. */
function hasOlderMessages({ conversation }: RequestSource): boolean {
  const { contextBudget, transcript } = conversation;
  const { summary, entries } = sentParts(transcript());
  return summary.length > 0 || entries.filter((entry) => contextBudget.entry(entry) > 0).length > 1;
}

/** The latest results alone exceed the room, so less of them is sent. */
function truncateNewest({ conversation }: RequestSource, excess: number): void {
  const { contextBudget, transcript } = conversation;
  const newest = transcript().entries.findLast((entry) => contextBudget.entry(entry) > 0);
  if (newest) contextBudget.truncateResults(newest, contextBudget.entry(newest) - excess);
}

/** Summarizes the older messages outside a run. */
export async function summarizeNow(
  source: RequestSource,
  { tools, spend }: Omit<FitOptions, 'force'>,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { contextBudget, transcript, emit } = source.conversation;
  const tokens = contextBudget.history(transcript());
  const summary = await summarize(source, { tools, spend, tokens, isTight: false }, signal);
  if (!summary) return { type: 'failed', message: NOTHING_LEFT };
  emit(summary);
  return { type: 'done' };
}

/** Sent once, when the short form begins. */
export const SHORT_PROMPT: AgentEvent = {
  type: 'warning',
  diagnostic: wholeReply({
    code: 'short-prompt',
    level: 'info',
    message:
      'Tools have short descriptions from now on, because the full ones leave no room in the context window of the model.',
    hint: `Set a larger window on the server. ${WHERE_WINDOWS_ARE_SET}`,
  }),
};

const NO_LONGER_FITS = {
  type: 'budget',
  message:
    'Paused: the conversation no longer fits into the context window of the model. Continue with a summary of the older messages, or pick a model with a larger window.',
} as const;

const NOTHING_LEFT =
  'There is nothing to summarize: everything that can be left out already is. Send less at once, or start a new session.';

/** The size in the form that is used now. */
function sizeOf(source: RequestSource, tools: readonly Tool[]): RequestSize {
  const { prompt, conversation } = source;
  return sizeIn(source, tools, conversation.contextBudget.form(prompt.promptForm));
}

/** Whether the user undid the last summary and nothing was summarized since. */
function isUndone({ entries }: Transcript): boolean {
  return entries.findLast((entry) => entry.type === 'compaction')?.isUndone === true;
}
