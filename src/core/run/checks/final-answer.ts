import { never } from '../../../base/never';
import type { ContextBudget } from '../../context/context-budget';
import { number } from '../../context/too-much';
import type { Usage } from '../../words/model';
import type { RunOutcome } from '../../words/outcome';
import type { Reply } from '../round';
import { ending, type ReplyCheck } from './reply-check';
import { STOPS_BEFORE } from './window-learned';

/** The endpoint failed, or the reply was cut off. */
export const failedReply: ReplyCheck = {
  look: ({ failure }) => failure && ending({ type: 'failed', message: failure.message, canContinue: true }),
};

/** A reply without calls ends the run. */
export function finalAnswer({ window }: Pick<ContextBudget, 'window'>): ReplyCheck {
  return {
    look: (reply) => {
      // A filtered reply is not what the model meant to do.
      const isFinal = reply.requests.length === 0 || reply.reason === 'content-filter';
      return isFinal ? ending(outcomeOf(reply, window.tokens)) : undefined;
    },
  };
}

/** A plain text answer is the end; one that was cut off gets a message. */
function outcomeOf({ reason, usage }: Reply, window: number | undefined): RunOutcome {
  switch (reason) {
    case 'length':
      return atLength(usage, window);
    case 'content-filter':
      return {
        type: 'failed',
        message:
          'The endpoint withheld the answer (content filter). Rephrase the message, or pick another model.',
      };
    case 'stop':
    case 'tool-calls':
      return { type: 'done' };
    default:
      return never(reason);
  }
}

/** The reply was cut off at a limit: the window's, or the model's. */
function atLength(usage: Usage | undefined, window: number | undefined): RunOutcome {
  if (window !== undefined && usage && isAtEnd(usage, window)) {
    const message = `The reply was cut off because the model's context window is full (${number(window)} tokens). Send "go on" to continue it: older messages are summarized first if needed.`;
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

/** A reply that repeated itself until it was stopped. With no user to ask, it is tried once more automatically. */
export function repetition(isAlone: boolean): ReplyCheck {
  return {
    look: ({ repeated }, { request }) => {
      if (repeated === undefined) return undefined;
      return isAlone && !request?.isVaried ? { next: { type: 'retry' } } : ending(REPEATS);
    },
  };
}

const REPEATS: RunOutcome = {
  type: 'failed',
  code: 'repetition',
  message:
    'The model kept repeating itself, so its reply was stopped and none of its calls ran. Try again, or pick another model.',
  canContinue: true,
};
