import type { Turn, ToolCall } from '../words/messages';
import type { Conversation, ModelRequest } from '../words/model';
import type { RunPrompt } from '../words/prompt';
import type { Tool, ToolSpec } from '../words/tool';
import type { ContextBudget } from './context-budget';

/** The tools of a request. */
interface RequestTools {
  readonly described: readonly Tool[];
  /** Tools whose definitions came in results. */
  readonly loaded: readonly Tool[];
  /** The reply must be a call. */
  readonly isCallNeeded?: boolean;
  /** As in `Conversation`. */
  readonly leftOut?: Conversation['leftOut'];
  readonly facts?: Conversation['facts'];
  readonly isAnswerShort?: boolean | undefined;
}

/** The request for the model. */
export function renderRequest(
  { protocol, instructions, situation, promptForm, steps }: RunPrompt,
  { described, loaded, isCallNeeded = false, leftOut = [], facts, isAnswerShort = false }: RequestTools,
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
    ...(isAnswerShort && { isAnswerShort }),
  });
}

/** The turns with calls as a model would write them that is offered these tools: the history has the names of the tools that ran. */
export function turnsAsOffered(turns: readonly Turn[], tools: readonly ToolSpec[]): readonly Turn[] {
  const definitions = tools.filter(({ offers }) => offers);
  if (definitions.length === 0) return turns;
  const names = new Map<string, string>();
  return turns.map((turn) => {
    if (turn.type === 'reply') {
      const parts = turn.parts.map((part) => {
        if (part.type !== 'call') return part;
        const call = callAsOffered(part.call, definitions);
        names.set(call.id, call.name);
        return { ...part, call };
      });
      return { ...turn, parts };
    }
    if (turn.type !== 'results') return turn;
    const results = turn.results.map((result) => ({
      ...result,
      toolName: names.get(result.requestId) ?? result.toolName,
    }));
    return { ...turn, results };
  });
}

function callAsOffered(call: ToolCall, definitions: readonly ToolSpec[]): ToolCall {
  for (const { name, offers } of definitions) {
    const args = offers?.spec.name === call.name ? offers.fromCall(call.arguments) : undefined;
    if (args) return { ...call, name, arguments: args };
  }
  return call;
}
