import type { JsonObject } from '../base/json';
import type { ToolResult } from '../core/messages';
import type { ToolSpec } from '../core/tool';
import { describeParameters, exampleArguments, exampleTool, textOf } from './describe';
import { invokeGrammar } from './invoke-block';
import { textProtocol } from './text-protocol';

/**
 * `<function_calls>` with raw parameter values, as Anthropic's and AgentPress' models write it, in the spellings of
 * MiniMax and DeepSeek too, and the tags that single tools declare.
 */
export const invoke = textProtocol({
  id: 'invoke',
  label: 'Invoke',
  description:
    '<function_calls> with raw values; MiniMax and DeepSeek models write it, and it suits file contents.',
  describeTools,
  renderCall: ({ name, arguments: args }) => render(name, args),
  renderResults: (results) =>
    `<function_results>\n${results.map(renderResult).join('\n')}\n</function_results>`,
  stop: ['<function_results>'],
  grammar: invokeGrammar,
});

function render(name: string, args: JsonObject): string {
  const parameters = Object.entries(args).map(
    ([key, value]) => `<parameter name="${key}">${padded(textOf(value))}</parameter>`,
  );
  return [
    '<function_calls>',
    `<invoke name="${name}">`,
    ...parameters,
    '</invoke>',
    '</function_calls>',
  ].join('\n');
}

/** One line break at each end belongs to the form, so a value that has its own gets one more. */
function padded(text: string): string {
  return /^\r?\n|\r?\n$/.test(text) ? `\n${text}\n` : text;
}

function renderResult({ requestId, toolName, status, result }: ToolResult): string {
  return `<result id="${requestId}" name="${toolName}" status="${status}">\n${result}\n</result>`;
}

function describeTools(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return '';
  const example = exampleTool(tools);
  return [
    `You can call these tools:\n\n${tools.map(describeTool).join('\n\n')}`,
    `To call one, write a block of exactly this form:\n${render(example.name, exampleArguments(example))}`,
    `Rules:
- Values are raw text between their tags: no quotes, no escapes. Lists and objects are JSON.
- You may write a sentence before a block, and several <invoke> in one block.
- Never put a block inside a code fence or inside thinking.
- After your block, stop: the results come in the next message between <function_results> and </function_results>.
- When nothing is left to do, answer in plain text without a block.`,
  ].join('\n\n');
}

function describeTool({ name, description, parameters }: ToolSpec): string {
  return [
    `<tool name="${name}">`,
    description,
    'Parameters:',
    ...describeParameters(parameters),
    '</tool>',
  ].join('\n');
}
