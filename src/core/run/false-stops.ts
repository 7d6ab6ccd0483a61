import type { Transcript } from '../transcript/transcript';
import type { AgentEvent } from '../words/events';
import type { Diagnostic } from '../words/messages';
import type { RunOutcome } from '../words/outcome';
import { ASKED_AGAIN } from '../transcript/history';
import type { AgentOptions } from './agent-options';
import { isAnnouncement } from './announcement';
import type { Reply } from './reply';

/** What follows the reply: the model is asked to go on, or the run ends. */
type Stop = { readonly type: 'ask-again' } | RunOutcome;

/**
 * Notices replies that stop although the task is not done: empty ones, those that only announce a step, and those that
 * break off inside a call. The model is asked once to go on. A second one in a row ends the run, because a model that
 * does it twice keeps doing it.
 */
export class FalseStops {
  private hasAsked = false;
  private cutCalls = 0;

  constructor(private readonly options: Pick<AgentOptions, 'emit' | 'transcript'>) {}

  /** Returns `undefined` for an ordinary reply. */
  look(reply: Reply): Stop | undefined {
    if (this.isCutCall(reply)) {
      this.cutCalls++;
      return this.cutCalls > 1 ? CUT_CALLS : undefined;
    }
    this.cutCalls = 0;
    const found = this.falseStop(reply);
    if (!found) {
      this.hasAsked = false;
      return undefined;
    }
    if (this.hasAsked) return { type: 'done', code: 'empty-reply', message: found.again };
    this.hasAsked = true;
    this.options.emit(warning(found.diagnostic));
    return { type: 'ask-again' };
  }

  private falseStop(reply: Reply): FalseStop | undefined {
    const isEnd = reply.reason === 'stop' || reply.reason === 'tool-calls';
    if (!isEnd || reply.failure || reply.requests.length > 0) return undefined;
    if (reply.isEmpty) return EMPTY;
    const isPromise = usedTools(this.options.transcript()) && isAnnouncement(reply.text);
    return isPromise ? ANNOUNCED : undefined;
  }

  /** At the length limit: the usual message about a malformed call would lead to the same call. */
  private isCutCall({ reason, requests }: Reply): boolean {
    return reason === 'length' && requests.at(-1)?.type === 'malformed';
  }
}

interface FalseStop {
  readonly diagnostic: Pick<Diagnostic, 'message' | 'hint'>;
  /** The outcome of the run if it happens again. */
  readonly again: string;
}

const EMPTY: FalseStop = {
  diagnostic: {
    message: 'The reply was empty, so the model was asked once to continue.',
    hint: '[Your last reply was empty. Continue the task: make the next call, or answer in plain text.]',
  },
  again:
    'The model gave two empty replies in a row. Send a message to continue, or pick another model or protocol.',
};

const ANNOUNCED: FalseStop = {
  diagnostic: {
    message: 'The reply announced a step but did not take it, so the model was asked once to continue.',
    hint: '[You said what you would do next, but made no call. Make that call now, or answer in plain text if you are done.]',
  },
  again:
    'The model announced its next step twice without taking it. Send a message to continue, or pick another model or protocol.',
};

const CUT_CALLS: RunOutcome = {
  type: 'budget',
  message:
    'Paused: the reply was cut off inside a call twice, at its length limit. Ask for smaller steps, or raise "maxOutputTokens" in the profile of the model.',
};

function warning({ message, hint }: FalseStop['diagnostic']): AgentEvent {
  return {
    type: 'warning',
    diagnostic: { code: ASKED_AGAIN, level: 'warning', message, hint, start: 0, end: 0 },
  };
}

/** Whether the model has called a tool since the user's last message. */
function usedTools({ entries }: Transcript): boolean {
  const since = entries.findLastIndex(({ type }) => type === 'user');
  return entries
    .slice(since + 1)
    .some((entry) => entry.type === 'reply' && entry.parts.some(({ type }) => type === 'call'));
}
