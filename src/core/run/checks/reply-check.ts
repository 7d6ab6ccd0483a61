import type { ASKS_AGAIN } from '../../transcript/history';
import type { Diagnostic } from '../../words/messages';
import type { RunOutcome } from '../../words/outcome';
import type { Reply, Round } from '../round';

/** Looks at every reply of one run for one thing; what it remembers from reply to reply is its own. */
export interface ReplyCheck {
  /** Called before a request is sent; what it says about the next step is ignored. */
  readonly before?: (round: Round) => Omit<Finding, 'next'> | undefined;
  readonly look: (reply: Reply, round: Round) => Finding | undefined;
}

/** What a check says about a reply. All of it may come together. */
export interface Finding {
  /** For the user. */
  readonly warning?: Diagnostic;
  /** Another protocol is suggested to the user, if one suits the model better; at most once per run. */
  readonly advice?: Advice;
  /** What follows the reply instead of its calls. No later check looks at it. */
  readonly next?: NextStep;
}

export interface Advice {
  readonly message: string;
  /** The form that the model used. */
  readonly seen?: string;
}

export type NextStep =
  /** Another request without a word about the reply. */
  | { readonly type: 'retry'; readonly isShorter?: true }
  /** Another request that tells the model why: `hint` is for the model, `message` for the user. */
  | {
      readonly type: 'ask-again';
      readonly message: string;
      readonly hint: string;
      /** Of the warning; by default the one for replies that stop too early. */
      readonly code?: (typeof ASKS_AGAIN)[keyof typeof ASKS_AGAIN];
      /** The next reply must be a call. */
      readonly isCallNeeded?: true;
      /** It must be a call of this tool, by its wire name, where a form is forced. */
      readonly tool?: string;
    }
  /** None of its calls run. */
  | { readonly type: 'end'; readonly outcome: RunOutcome }
  /** Its calls run, and the run ends. */
  | { readonly type: 'end-after-calls'; readonly outcome: RunOutcome };

/** The run ends without the calls of the reply. */
export function ending(outcome: RunOutcome): Finding {
  return { next: { type: 'end', outcome } };
}

/** Whether a reply has ended by itself and calls nothing. */
export function isAnswer({ requests, failure, repeated }: Reply): boolean {
  return requests.length === 0 && !failure && repeated === undefined;
}
