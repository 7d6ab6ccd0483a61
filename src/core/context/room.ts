import type { AgentOptions } from '../run/agent-options';
import type { Meter } from '../run/budget';
import { sentParts } from '../transcript/history';
import type { Transcript } from '../transcript/transcript';
import type { AgentEvent } from '../words/events';
import type { ModelFailure, PromptForm, RequestSize } from '../words/model';
import type { RunOutcome } from '../words/outcome';
import type { Tool } from '../words/tool';
import { summarize } from './summarize';
import { tooMuchFixed, tooMuchNew, WHERE_WINDOWS_ARE_SET } from './too-much';

/** Minimum tokens for a conversation; with fewer it is not worth starting. */
const SMALLEST_HISTORY = 200;

interface RoomRequest {
  readonly tools: readonly Tool[];
  readonly meter: Meter;
  /** Summarize even if the history fits: the user asked for it, or the server refused the request. */
  readonly isForced?: 'asked' | 'refused' | undefined;
}

/**
 * Makes the next request fit the model's window: uses short tool descriptions if that is enough, otherwise summarizes
 * older messages. A request that cannot fit is not sent, because servers would cut off its beginning, which describes
 * the tools.
 */
export async function makeRoom(
  options: AgentOptions,
  { tools, meter, isForced }: RoomRequest,
  signal: AbortSignal,
): Promise<RequestSize | RunOutcome> {
  const { gauge } = options;
  const { tokens, reply, room: most } = gauge.window;
  let size = sizeOf(options, tools);
  if (!isForced && size.total <= most) return size;
  const hasOlder = hasOlderMessages(options);
  if (!options.isFormChosen && (size.fixed + SMALLEST_HISTORY > most || !hasOlder)) {
    const short = shortSize(options, tools);
    const isEnough = hasOlder ? short.fixed + SMALLEST_HISTORY <= most : short.total <= most;
    if (isEnough && short.total < size.total) {
      gauge.shorten();
      size = sizeOf(options, tools);
      if (size.total <= most && (!isForced || !hasOlder)) return size;
    }
  }
  const much = (): Parameters<typeof tooMuchNew>[2] => ({ size, tokens, reply });
  if (size.fixed + SMALLEST_HISTORY > most) return tooMuchFixed(options, tools, much());
  if (isForced !== 'asked' && isRefused(options.transcript()))
    return { ...NO_LONGER_FITS, canContinue: true, compactFirst: true };
  // A refused request did not fit, whatever the profile says.
  const room = Math.min(most, isForced ? size.total : Infinity) - size.fixed;
  let hasSummarized = false;
  for (const isTight of [false, true]) {
    const summary = await summarize(options, { tokens: room, isTight }, meter, signal);
    if (!summary) continue;
    hasSummarized = true;
    options.emit(summary);
    size = sizeOf(options, tools);
    if (size.total <= most) return size;
  }
  if (isForced === 'refused' && !hasSummarized) return tooMuchNew(options, tools, much());
  if (isForced && !hasSummarized) return { type: 'failed', message: NOTHING_LEFT };
  size = squeezed(options, tools, size, most);
  if (size.total <= most) return size;
  return tooMuchNew(options, tools, much());
}

/** A summary, or more than the newest entry: less can be sent. */
function hasOlderMessages({ gauge, transcript }: AgentOptions): boolean {
  const { summary, entries } = sentParts(transcript());
  return summary.length > 0 || entries.filter((entry) => gauge.entry(entry) > 0).length > 1;
}

/** The outcome of a run whose request was refused again after it was made shorter. */
export function tooLong(
  options: AgentOptions,
  tools: readonly Tool[],
  size: RequestSize | undefined,
  failure: ModelFailure | undefined,
): RunOutcome {
  const { gauge, transcript } = options;
  const { entries } = sentParts(transcript());
  if (size && entries.filter((entry) => gauge.entry(entry) > 0).length <= 1)
    return tooMuchNew(options, tools, { size, tokens: undefined, reply: 0 });
  const message = failure?.message ?? EMPTY_AT_END;
  return { type: 'budget', message, canContinue: true, compactFirst: true };
}

const EMPTY_AT_END =
  'The model gave an empty reply although the conversation was shortened: it may still be too long. Continue with a summary, or pick a model with a larger window.';

/** The latest results alone exceed the room, so less of them is sent. */
function squeezed(
  options: AgentOptions,
  tools: readonly Tool[],
  { total }: RequestSize,
  most: number,
): RequestSize {
  const { gauge } = options;
  const newest = options.transcript().entries.findLast((entry) => gauge.entry(entry) > 0);
  if (newest) gauge.squeeze(newest, gauge.entry(newest) - (total - most));
  return sizeOf(options, tools);
}

/** Summarizes the older messages outside a run. */
export async function summarizeNow(
  options: AgentOptions,
  meter: Meter,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const room = { tokens: options.gauge.history(options.transcript()), isTight: false };
  const summary = await summarize(options, room, meter, signal);
  if (!summary) return { type: 'failed', message: NOTHING_LEFT };
  options.emit(summary);
  return { type: 'done' };
}

/** Sent once, when the short form begins. */
export const SHORT_PROMPT: AgentEvent = {
  type: 'warning',
  diagnostic: {
    code: 'short-prompt',
    level: 'info',
    message:
      'Tools have short descriptions from now on, because the full ones leave no room in the context window of the model.',
    hint: `Set a larger window on the server. ${WHERE_WINDOWS_ARE_SET}`,
    start: 0,
    end: 0,
  },
};

const NO_LONGER_FITS = {
  type: 'budget',
  message:
    'Paused: the conversation no longer fits into the context window of the model. Continue with a summary of the older messages, or pick a model with a larger window.',
} as const;

const NOTHING_LEFT =
  'There is nothing to summarize: everything that can be left out already is. Send less at once, or start a new session.';

function sizeOf(options: AgentOptions, tools: readonly Tool[]): RequestSize {
  return sizeIn(options, tools, options.gauge.form(options.promptForm));
}

/** The size with short tool descriptions. */
function shortSize(options: AgentOptions, tools: readonly Tool[]): RequestSize {
  return sizeIn(options, tools, 'short');
}

function sizeIn(
  { gauge, protocol, instructions, situation = '', transcript }: AgentOptions,
  tools: readonly Tool[],
  promptForm: PromptForm,
): RequestSize {
  const specs = tools.map(({ spec }) => spec);
  return gauge.request(protocol, { instructions, situation, tools: specs, promptForm }, transcript());
}

/** Whether the user undid the last summary and nothing was summarized since. */
function isRefused({ entries }: Transcript): boolean {
  return entries.findLast((entry) => entry.type === 'compaction')?.isUndone === true;
}
