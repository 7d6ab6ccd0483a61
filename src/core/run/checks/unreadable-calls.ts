import { wholeReply } from '../../words/messages';
import type { RunOutcome } from '../../words/outcome';
import type { CallRequest } from '../../reply/reply-reader';
import type { AgentOptions } from '../agent-options';
import type { ReplyCheck } from './reply-check';
import type { Reply } from '../round';

/**
 * Native calls whose form cannot be read. The model learns it by the results of those calls; a second such reply in a
 * row ends the run, because the server reads or writes the calls wrongly and will do it again.
 */
export function unreadableCalls({ prompt }: Pick<AgentOptions, 'prompt'>): ReplyCheck {
  let replies = 0;
  return {
    look: (reply) => {
      const isUnreadable =
        prompt.protocol.id === 'native' &&
        !isCutCall(reply) &&
        reply.requests.length > 0 &&
        reply.requests.every(hasNoForm);
      replies = isUnreadable ? replies + 1 : 0;
      if (replies === 0) return undefined;
      if (replies === 1) return { warning: wholeReply(TOLD) };
      // Another protocol is suggested by `otherProtocol`.
      return { next: { type: 'end-after-calls', outcome: UNREADABLE } };
    },
  };
}

/** Whether a call was not even read: its arguments are no JSON object, or it has no name. */
function hasNoForm(request: CallRequest): boolean {
  if (request.type === 'call') return false;
  const { diagnostic, name } = request.malformed;
  return FORMLESS.includes(diagnostic.code) || name === '';
}

const FORMLESS: readonly string[] = ['invalid-json', 'orphan-arguments', 'unfinished'];

const TOLD = {
  code: 'unreadable-calls',
  level: 'warning',
  message: 'The native calls of the reply could not be read, so the model was told once to send them again.',
  hint: '',
} as const;

const UNREADABLE: RunOutcome = {
  type: 'failed',
  message:
    'The native calls of the model could not be read twice in a row. Pick a text protocol, or another server for this model.',
  canContinue: true,
};

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
