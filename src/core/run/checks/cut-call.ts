import type { RunOutcome } from '../../words/outcome';
import type { Reply } from '../round';
import type { ReplyCheck } from './reply-check';

/**
 * A reply that breaks off inside a call at its length limit. The model learns it by the result of that call; a second
 * one in a row ends the run, because the model would write the same call again.
 */
export function cutCall(): ReplyCheck {
  let cutCalls = 0;
  return {
    look: (reply) => {
      cutCalls = isCutCall(reply) ? cutCalls + 1 : 0;
      return cutCalls > 1 ? { next: { type: 'end-after-calls', outcome: CUT_CALLS } } : undefined;
    },
  };
}

export function isCutCall({ reason, requests }: Reply): boolean {
  return reason === 'length' && requests.at(-1)?.type === 'malformed';
}

const CUT_CALLS: RunOutcome = {
  type: 'budget',
  message:
    'Paused: the reply was cut off inside a call twice, at its length limit. Ask for smaller steps, or raise "maxOutputTokens" in the profile of the model.',
};
