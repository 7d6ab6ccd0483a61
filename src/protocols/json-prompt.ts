import type { ToolSpec } from '../core/tool';
import { exampleArguments, exampleTool } from './describe';
import type { Tags } from './tagged-json';

/** The tools as one JSON signature a line. */
export function signatures(tools: readonly ToolSpec[]): string {
  return tools
    .map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }))
    .join('\n');
}

/** A call of a real tool as JSON, with a text of several lines where one of the tools takes one. */
export function exampleCall(tools: readonly ToolSpec[]): string {
  const tool = exampleTool(tools);
  return JSON.stringify({ name: tool.name, arguments: exampleArguments(tool) });
}

/** What a model is told when calls are JSON between two tags. */
export function taggedPrompt(tools: readonly ToolSpec[], { open, close }: Tags, results: string): string {
  if (tools.length === 0) return '';
  return [
    `You can call tools. These are their signatures, one JSON object a line:\n<tools>\n${signatures(tools)}\n</tools>`,
    `To call a tool, write one JSON object with "name" and "arguments" between ${open} and ${close}:\n${open}\n${exampleCall(tools)}\n${close}`,
    `Rules:
- Strict JSON: line breaks in a text are written \\n, quotes \\" and backslashes \\\\.
- One call per ${open} block; you may write a sentence before it, and several blocks in one message.
- Never put a block inside a code fence or inside thinking.
- After your blocks, stop: the results come in the next message ${results}. Never write results yourself.
- When nothing is left to do, answer in plain text without a block.`,
  ].join('\n\n');
}
