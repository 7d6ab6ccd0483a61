import type { Turn } from '../words/messages';
import type { Conversation, ModelRequest } from '../words/model';
import type { RunPrompt } from '../words/prompt';
import type { Tool } from '../words/tool';
import type { ContextBudget } from './context-budget';
import { turnsAsOffered } from './offered-calls';

/** The tools of a request. */
export interface RequestTools {
  readonly described: readonly Tool[];
  /** Tools whose definitions came in results. */
  readonly loaded: readonly Tool[];
  /** The reply must be a call. */
  readonly isCallNeeded?: boolean;
  /** As in `Conversation`. */
  readonly leftOut?: Conversation['leftOut'];
  readonly facts?: Conversation['facts'];
}

/** The request for the model. */
export function renderRequest(
  { protocol, instructions, situation, promptForm, steps }: RunPrompt,
  { described, loaded, isCallNeeded = false, leftOut = [], facts }: RequestTools,
  turns: readonly Turn[],
  contextBudget: Pick<ContextBudget, 'form'>,
): ModelRequest {
  const tools = described.map(({ spec }) => spec);
  return protocol.request({
    instructions,
    ...(situation !== undefined && { situation }),
    turns: turnsAsOffered(turns, tools),
    tools,
    ...(loaded.length > 0 && { loaded: loaded.map(({ spec }) => spec) }),
    promptForm: contextBudget.form(promptForm),
    ...(steps === 'one' && { steps }),
    ...(isCallNeeded && { isCallNeeded }),
    ...(leftOut.length > 0 && { leftOut }),
    ...(facts && { facts }),
  });
}
