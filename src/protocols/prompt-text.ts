import type { PromptForm, Protocol } from '../core/protocol';
import type { ToolSpec } from '../core/tool';

/** What a model is told about the tools: as text, or the definitions that the API takes, as JSON. */
export function promptText(protocol: Protocol, tools: readonly ToolSpec[], promptForm: PromptForm): string {
  const { tools: functions } = protocol.request({ instructions: '', turns: [], tools, promptForm });
  return functions ? JSON.stringify(functions, undefined, 2) : protocol.describeTools(tools, promptForm);
}
