import type { Diagnostic } from '../../words/messages';
import type { Protocol } from '../../words/protocol';
import type { Tool } from '../../words/tool';
import type { AgentOptions } from '../agent-options';
import { formHint, isRefused } from '../call-form';
import type { Reply } from '../round';
import { isAnnouncement } from './announcement';
import { isCutCall } from './unreadable-calls';
import { ending, type ReplyCheck } from './reply-check';

/**
 * Notices replies that stop although the task is not done: empty ones, those that a stop text cut off whole,
 * and those that only announce a step. The model
 * is asked once to go on. A second one in a row ends the run, because a model that does it twice keeps doing it.
 */
export function falseStop({ prompt }: Pick<AgentOptions, 'prompt'>): ReplyCheck {
  let hasAsked = false;
  return {
    look: (reply, { callable }) => {
      // It is no step forward either.
      if (isCutCall(reply)) return undefined;
      const found = falseStopOf(reply, callable, prompt.protocol);
      if (!found) {
        hasAsked = false;
        return undefined;
      }
      const { message, hint, again, code = 'empty-reply' } = found;
      if (hasAsked) return ending({ type: 'done', code, message: again });
      hasAsked = true;
      return { next: { type: 'ask-again', message, hint } };
    },
  };
}

function falseStopOf(reply: Reply, tools: readonly Tool[], protocol: Protocol): FalseStop | undefined {
  const isEnd = reply.reason === 'stop' || reply.reason === 'tool-calls';
  if (!isEnd || reply.requests.length > 0) return undefined;
  if (reply.isSwallowed) return SWALLOWED;
  if (reply.isEmpty) return EMPTY;
  if (reply.notRun && tools.length > 0) return notRun(reply.notRun, formHint(protocol, tools, reply.raw));
  return tools.length > 0 && isAnnouncement(reply.text) ? ANNOUNCED : undefined;
}

interface FalseStop {
  readonly message: string;
  readonly hint: string;
  /** The outcome of the run if it happens again. */
  readonly again: string;
  readonly code?: 'not-run';
}

/** The outcome of a run that ends with a call that did not run. */
const NOT_RUN =
  'The model wrote a call that was not run, and did so again after it was told how to write calls. Send a message to continue, or pick another model or protocol.';

function notRun({ message }: Diagnostic, form: string): FalseStop {
  return {
    message: 'The reply has a call that was not run, so the model was told once how to write calls.',
    hint: `[${message} ${form}\nOr answer in plain text if no call was meant.]`,
    again: NOT_RUN,
    code: 'not-run',
  };
}

const EMPTY: FalseStop = {
  message: 'The reply was empty, so the model was asked once to continue.',
  hint: '[Your last reply was empty. Continue the task: make the next call, or answer in plain text.]',
  again:
    'The model gave two empty replies in a row. Send a message to continue, or pick another model or protocol.',
};

const SWALLOWED: FalseStop = {
  message:
    'The reply began with the text of a result, where replies end, so nothing of it arrived. The model was asked once to continue.',
  hint: '[Nothing of your last reply arrived, because you began to write a result. Results come from Parley; call a tool, or answer in plain text.]',
  again:
    'The model began to write a result instead of a call twice in a row. Send a message to continue, or pick another model or protocol.',
};

const ANNOUNCED: FalseStop = {
  message: 'The reply announced a step but did not take it, so the model was asked once to continue.',
  hint: '[You said what you would do next, but made no call. Make that call now, or answer in plain text if you are done.]',
  again:
    'The model announced its next step twice without taking it. Send a message to continue, or pick another model or protocol.',
};

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
