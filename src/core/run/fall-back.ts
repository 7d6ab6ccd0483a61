import { ContextBudget } from '../context/context-budget';
import { wholeReply } from '../words/messages';
import type { ModelFailure } from '../words/model';
import type { AgentOptions } from './agent-options';
import type { Reply } from './round';

/** The code of the warning that another model answers until the next message. */
export const FELL_BACK = 'fallback';

/**
 * What to continue with after a request that failed for good, if there is another model. Nothing of a reply may have
 * arrived. The history is rendered anew for that model; its endpoint gets neither keys nor thinking of the first.
 */
export async function fallBack(
  options: AgentOptions,
  { failure, hasArrived }: Reply,
): Promise<AgentOptions | undefined> {
  if (!failure || hasArrived || !isForGood(failure)) return undefined;
  const next = await options.fallback?.();
  if (!next) return undefined;
  const { user, conversation } = options;
  const { client, window, memory } = next.model;
  const message = `${failure.message} Until the next message, "${client.name}" answers instead.`;
  conversation.emit({
    type: 'warning',
    diagnostic: wholeReply({ code: FELL_BACK, level: 'warning', message, hint: '' }),
  });
  return {
    ...next,
    user,
    conversation: { ...conversation, contextBudget: new ContextBudget(window, memory) },
  };
}

/** Whether another server may do better: this one was asked as often as that makes sense. */
function isForGood({ code, status = 0 }: ModelFailure): boolean {
  return code === 'unreachable' || code === 'server-error' || code === 'rate-limited' || status >= 500;
}
