import { parseObject } from '../base/json';
import type { CallToHost } from '../contract/calls';
import type { Session } from '../core/session';

/** Hands on what the user has decided on a page. `false` where their arguments are no JSON object. */
export function decide(
  session: Session,
  { callId, answer }: Extract<CallToHost, { type: 'decide' }>,
): boolean {
  if (answer.type !== 'edit') {
    session.decide(callId, answer);
    return true;
  }
  const edited = parseObject(answer.arguments);
  if (edited) session.decide(callId, { type: 'edit', arguments: edited });
  return edited !== undefined;
}
