import type { ToolSpec } from '../core/tool';
import type { Tags } from './tagged-json';
import type { PromptParts } from './tool-prompt';

/** A tool as a JSON signature in one line. */
export function signature({ name, description, parameters }: ToolSpec): string {
  return JSON.stringify({ name, description, parameters });
}

/** What a model is told when calls are JSON between two tags. */
export function taggedPrompt(
  { tools, example }: PromptParts,
  { open, close }: Tags,
  results: string,
): string {
  return [
    `You can call tools. These are their signatures, one JSON object a line:\n<tools>\n${tools.join('\n')}\n</tools>`,
    `To call a tool, write one JSON object with "name" and "arguments" between ${open} and ${close}:\n${open}\n${JSON.stringify(example)}\n${close}`,
    `Rules:
- Strict JSON: line breaks in a text are written \\n, quotes \\" and backslashes \\\\.
- One call per ${open} block; you may write a sentence before it, and several blocks in one message.
- Never put a block inside a code fence or inside thinking.
- After your blocks, stop: the results come in the next message ${results}. Never write results yourself.
- When nothing is left to do, answer in plain text without a block.`,
  ].join('\n\n');
}
