import type { RunOutcome } from '../../words/outcome';
import { ending, type ReplyCheck } from './reply-check';

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
