import type { ContextBudget } from '../../context/context-budget';
import { number, WHERE_WINDOWS_ARE_SET } from '../../context/too-much';
import { wholeReply } from '../../words/messages';
import type { Reply } from '../round';
import type { ReplyCheck } from './reply-check';

/** Servers size windows in these steps: a reply that ends at a multiple probably ended at the end of the window. */
const WINDOW_STEP = 256;

/** Servers stop at most this many tokens before the end. */
export const STOPS_BEFORE = 2;

/** Smaller totals match a multiple by chance too often. */
const SMALLEST_LEARNED = 1_024;

/** Learns the window from the figures of a refusal, or from a reply that ended at a limit that the profile does not set. */
export function windowLearned(contextBudget: Pick<ContextBudget, 'window' | 'learnWindow'>): ReplyCheck {
  return {
    look: (reply, { request }) => {
      if (!request) return undefined;
      const { failure, usage } = reply;
      if (!failure && usage) contextBudget.window.hasHeld(usage.inputTokens + usage.outputTokens);
      const tokens = failure?.code === 'too-long' ? failure.figures?.window : windowAtLength(reply);
      if (tokens === undefined || !contextBudget.learnWindow(tokens)) return undefined;
      const message = `The model's context window holds ${number(tokens)} tokens, as its server showed. Parley uses this limit from now on.`;
      const hint = `Set a larger one on the server. ${WHERE_WINDOWS_ARE_SET}`;
      return { warning: wholeReply({ code: 'window-learned', level: 'info', message, hint }) };
    },
  };
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
