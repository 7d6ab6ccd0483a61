import type { Reply } from '../run/reply';
import type { AgentEvent } from '../words/events';
import type { RequestSize, Usage } from '../words/model';
import type { RunOutcome } from '../words/outcome';
import type { Gauge } from './gauge';
import { number, WHERE_WINDOWS_ARE_SET } from './too-much';

/** What servers give their windows in: a reply that ends at a multiple of it ends at the end of the window. */
const WINDOW_STEP = 256;

/** Servers stop this many tokens before the end at most. */
const STOPS_BEFORE = 2;

/** Below it a multiple is met by chance more often. */
const SMALLEST_LEARNED = 1_024;

/** From this part of the window on a request is near its end. */
const NEAR = 0.9;

/**
 * Learns the window from a reply: from the figures of a refusal, or from a reply that ended at a limit nobody has set.
 * Gives what is to be told where it is news.
 */
export function learnWindow(gauge: Gauge, reply: Reply): AgentEvent | undefined {
  const { failure, usage } = reply;
  if (!failure && usage) gauge.window.hasHeld(usage.inputTokens + usage.outputTokens);
  const tokens = failure?.code === 'too-long' ? failure.figures?.window : windowAtLength(reply);
  if (tokens === undefined || !gauge.learnWindow(tokens)) return undefined;
  const message = `The context window of the model holds ${number(tokens)} tokens, as its server has shown. Parley keeps to that from now on.`;
  const hint = `A larger one is set at the server. ${WHERE_WINDOWS_ARE_SET}`;
  return {
    type: 'warning',
    diagnostic: { code: 'window-learned', level: 'info', message, hint, start: 0, end: 0 },
  };
}

/** The server has not taken the request: it said so, or it gave an empty reply at the end of its window (LM Studio). */
export function isRefusal(gauge: Gauge, reply: Reply, size: RequestSize | undefined): boolean {
  if (reply.failure) return reply.failure.code === 'too-long';
  if (!reply.isEmpty || reply.requests.length > 0 || reply.reason === 'content-filter') return false;
  const { tokens } = gauge.window;
  if (tokens === undefined || !size) return false;
  return Math.max(size.total, reply.usage?.inputTokens ?? 0) >= tokens * NEAR;
}

/** How a run ends whose reply was cut off at a limit. */
export function atLength(gauge: Gauge, { usage }: Reply): RunOutcome {
  const { tokens } = gauge.window;
  if (tokens !== undefined && usage && isAtEnd(usage, tokens)) {
    const message = `The reply ends where the context window of the model is full (${number(tokens)} tokens). Send "go on" to continue it: older messages are summarized first where there is no room.`;
    return { type: 'budget', message };
  }
  return {
    type: 'budget',
    message: 'The answer reached the output limit of the model. Send "go on" to continue it.',
  };
}

function isAtEnd({ inputTokens, outputTokens }: Usage, window: number): boolean {
  return inputTokens > 0 && inputTokens + outputTokens >= window - STOPS_BEFORE * 8;
}

/** A limit of the output alone is a round number itself, and then says nothing of the window. */
function windowAtLength({ reason, usage }: Reply): number | undefined {
  if (reason !== 'length' || !usage || usage.inputTokens <= 0) return undefined;
  const { inputTokens, outputTokens } = usage;
  if (outputTokens % 50 === 0 || outputTokens % 64 === 0) return undefined;
  const total = inputTokens + outputTokens;
  const end = Math.ceil(total / WINDOW_STEP) * WINDOW_STEP;
  return end >= SMALLEST_LEARNED && end - total <= STOPS_BEFORE ? end : undefined;
}
