import type { RequestSource } from '../../context/run-model';
import { tooMuchNew } from '../../context/too-much';
import { sentParts } from '../../transcript/history';
import type { RunOutcome } from '../../words/outcome';
import type { Reply, Round } from '../round';
import { ending, type ReplyCheck } from './reply-check';

/** From this share of the window on, a request counts as near its end. */
const NEAR_END = 0.9;

/** Sends a request that was refused as too long once more with less. A second refusal in a row is for the user. */
export function tooLong(source: RequestSource): ReplyCheck {
  let refusals = 0;
  return {
    look: (reply, round) => {
      if (!isRefusal(source, reply, round)) {
        refusals = 0;
        return undefined;
      }
      if (++refusals === 1) return { next: { type: 'retry', isShorter: true } };
      return ending(refusedAgain(source, reply, round));
    },
  };
}

/** Whether the server refused the request: it said so, or gave an empty reply at the end of its window (LM Studio). */
function isRefusal({ conversation }: RequestSource, reply: Reply, { size }: Round): boolean {
  if (reply.failure) return reply.failure.code === 'too-long';
  if (!reply.isEmpty || reply.requests.length > 0 || reply.reason === 'content-filter') return false;
  const { tokens } = conversation.contextBudget.window;
  if (tokens === undefined || !size) return false;
  return Math.max(size.total, reply.usage?.inputTokens ?? 0) >= tokens * NEAR_END;
}

function refusedAgain(source: RequestSource, { failure }: Reply, { described, size }: Round): RunOutcome {
  const { contextBudget, transcript } = source.conversation;
  const { entries } = sentParts(transcript());
  if (size && entries.filter((entry) => contextBudget.entry(entry) > 0).length <= 1)
    return tooMuchNew(source, described, { size, tokens: undefined, reply: 0 });
  const message = failure?.message ?? EMPTY_AT_END;
  return { type: 'budget', message, canContinue: true, compactFirst: true };
}

const EMPTY_AT_END =
  'The model gave an empty reply although the conversation was shortened: it may still be too long. Continue with a summary, or pick a model with a larger window.';
