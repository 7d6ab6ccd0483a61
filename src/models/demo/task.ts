import type { JsonObject } from '../../base/json';
import type { ToolResult } from '../../core/words/messages';

/** One call, and what is said before it. */
export interface Step {
  readonly say: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** What a task ends with. */
export interface Answer {
  readonly text: string;
  /** It could not be done: what was to come after it is left. */
  readonly hasStopped?: true;
}

/**
 * What the user asks for, call by call: each step is given its result, and the answer is made of them. It keeps nothing
 * between two replies, because it is gone through anew for each of them.
 */
export type Task = Generator<Step, Answer, ToolResult>;

/** What a task may know besides the results. */
export interface Surroundings {
  readonly isWindows: boolean;
}

export function sorry(result: ToolResult): Answer {
  return {
    text: `I stopped, because \`${result.toolName}\` did not run: ${result.result}`,
    hasStopped: true,
  };
}

/** A text as code: it may be anything, and does nothing. */
export function code(text: string): string {
  return `\`${text.replace(/[`\r\n]+/g, "'").trim()}\``;
}

/** `a, b and c`, and how many more there are. */
export function list(items: readonly string[], most = 8): string {
  const shown = items.length > most ? [...items.slice(0, most), `${items.length - most} more`] : items;
  if (shown.length < 2) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

export function amount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
