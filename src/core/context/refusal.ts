import type { Reply } from '../run/reply';
import type { AgentEvent } from '../words/events';
import type { RequestSize, Usage } from '../words/model';
import type { RunOutcome } from '../words/outcome';
import type { Gauge } from './gauge';
import { number, WHERE_WINDOWS_ARE_SET } from './too-much';

/** Servers size windows in these steps: a reply that ends at a multiple probably ended at the end of the window. */
const WINDOW_STEP = 256;

/** Servers stop at most this many tokens before the end. */
const STOPS_BEFORE = 2;

/** Smaller totals match a multiple by chance too often. */
const SMALLEST_LEARNED = 1_024;

/** From this share of the window on, a request counts as near its end. */
const NEAR = 0.9;

/**
 * Learns the window from the figures of a refusal, or from a reply that ended at a limit that the profile does not set.
 * Returns a notice if that is new.
 */
export function learnWindow(gauge: Gauge, reply: Reply): AgentEvent | undefined {
  const { failure, usage } = reply;
  if (!failure && usage) gauge.window.hasHeld(usage.inputTokens + usage.outputTokens);
  const tokens = failure?.code === 'too-long' ? failure.figures?.window : windowAtLength(reply);
  if (tokens === undefined || !gauge.learnWindow(tokens)) return undefined;
  const message = `The model's context window holds ${number(tokens)} tokens, as its server showed. Parley uses this limit from now on.`;
  const hint = `Set a larger one on the server. ${WHERE_WINDOWS_ARE_SET}`;
  return {
    type: 'warning',
    diagnostic: { code: 'window-learned', level: 'info', message, hint, start: 0, end: 0 },
  };
}

/** Whether the server refused the request: it said so, or gave an empty reply at the end of its window (LM Studio). */
export function isRefusal(gauge: Gauge, reply: Reply, size: RequestSize | undefined): boolean {
  if (reply.failure) return reply.failure.code === 'too-long';
  if (!reply.isEmpty || reply.requests.length > 0 || reply.reason === 'content-filter') return false;
  const { tokens } = gauge.window;
  if (tokens === undefined || !size) return false;
  return Math.max(size.total, reply.usage?.inputTokens ?? 0) >= tokens * NEAR;
}

/** The outcome of a run whose reply was cut off at a limit. */
export function atLength(gauge: Gauge, { usage }: Reply): RunOutcome {
  const { tokens } = gauge.window;
  if (tokens !== undefined && usage && isAtEnd(usage, tokens)) {
    const message = `The reply was cut off because the model's context window is full (${number(tokens)} tokens). Send "go on" to continue it: older messages are summarized first if needed.`;
    return { type: 'budget', message };
  }
  return {
    type: 'budget',
    message: 'The reply reached the output limit of the model. Send "go on" to continue it.',
  };
}

function isAtEnd({ inputTokens, outputTokens }: Usage, window: number): boolean {
  return inputTokens > 0 && inputTokens + outputTokens >= window - STOPS_BEFORE * 8;
}

/** An output limit is a round number itself, and then says nothing about the window. */
function windowAtLength({ reason, usage }: Reply): number | undefined {
  if (reason !== 'length' || !usage || usage.inputTokens <= 0) return undefined;
  const { inputTokens, outputTokens } = usage;
  if (outputTokens % 50 === 0 || outputTokens % 64 === 0) return undefined;
  const total = inputTokens + outputTokens;
  const end = Math.ceil(total / WINDOW_STEP) * WINDOW_STEP;
  return end >= SMALLEST_LEARNED && end - total <= STOPS_BEFORE ? end : undefined;
}
