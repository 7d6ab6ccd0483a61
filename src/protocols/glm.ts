import type { JsonObject } from '../base/json';
import type { ToolSpec } from '../core/tool';
import { exampleArguments, exampleTool, textOf } from './describe';
import { signatures } from './json-prompt';
import { renderToolResponses, TOOL_CALL, toolCallGrammar } from './tool-call-family';
import { textProtocol } from './text-protocol';

/** A name and pairs of `<arg_key>` and `<arg_value>` inside `<tool_call>`: what GLM-4.5 and its successors were trained on. */
export const glm = textProtocol({
  id: 'glm',
  label: 'GLM',
  description: 'A name with <arg_key> and <arg_value> pairs; GLM models are trained on it.',
  describeTools,
  renderCall: ({ name, arguments: args }) => render(name, args),
  renderResults: renderToolResponses,
  stop: ['<tool_response>'],
  grammar: (tools) => toolCallGrammar('glm', tools),
});

function render(name: string, args: JsonObject): string {
  const pairs = Object.entries(args).map(
    ([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${padded(textOf(value))}</arg_value>`,
  );
  return [`${TOOL_CALL.open}${name}`, ...pairs, TOOL_CALL.close].join('\n');
}

/** One line break at each end is no part of a value, so a value that has its own gets one more. */
function padded(text: string): string {
  return /^\r?\n|\r?\n$/.test(text) ? `\n${text}\n` : text;
}

function describeTools(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return '';
  const example = exampleTool(tools);
  return [
    `You can call tools. These are their signatures, one JSON object a line:\n<tools>\n${signatures(tools)}\n</tools>`,
    `To call one, write a block of exactly this form:\n${render(example.name, exampleArguments(example))}`,
    `Rules:
- Text values are raw, without quotes and escapes; every other value is JSON.
- You may write a sentence before a block, and several blocks in one message.
- Never put a block inside a code fence or inside thinking.
- After your blocks, stop: the results come in the next message between <tool_response> and </tool_response>.
- When nothing is left to do, answer in plain text without a block.`,
  ].join('\n\n');
}
