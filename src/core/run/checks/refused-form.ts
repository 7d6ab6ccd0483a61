import type { AgentOptions } from '../agent-options';
import { isRefused } from '../call-form';
import { NOT_RUN } from './false-stop';
import type { ReplyCheck } from './reply-check';

/** Ends a run whose calls are refused for their form twice in a row: their results tell the model only once. */
export function refusedForm({ user }: Pick<AgentOptions, 'user'>): ReplyCheck {
  let hasRefused = false;
  return {
    look: ({ requests }, { callable }) => {
      const isAgain = hasRefused;
      hasRefused = requests.some((request) => isRefused(request, callable, user));
      if (!hasRefused || !isAgain) return undefined;
      return {
        next: { type: 'end-after-calls', outcome: { type: 'done', code: 'not-run', message: NOT_RUN } },
      };
    },
  };
}
