import type { ToolCall, Turn } from '../words/messages';
import type { ToolSpec } from '../words/tool';

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
