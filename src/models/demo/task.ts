import type { JsonObject } from '../../base/json';
import type { ToolResult } from '../../core/words/messages';

/** One call and the text before it. */
export interface Step {
  readonly say: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Result of a task. */
export interface TaskAnswer {
  readonly text: string;
  /** It failed: later tasks are skipped. */
  readonly hasStopped?: true;
}

/**
 * The user's request as a sequence of calls: each step gets its result, and the answer is built from them. Stateless
 * between replies, because it is replayed for each of them.
 */
export type Task = Generator<Step, TaskAnswer, ToolResult>;

/** What a task may know besides the results. */
export interface Surroundings {
  readonly isWindows: boolean;
}

export function sorry(result: ToolResult): TaskAnswer {
  return {
    text: `I stopped, because \`${result.toolName}\` did not run: ${result.result}`,
    hasStopped: true,
  };
}

/** Any text as inline code. */
export function code(text: string): string {
  return `\`${text.replace(/[`\r\n]+/g, "'").trim()}\``;
}

/** `a, b and c`, and the number of further items. */
export function list(items: readonly string[], most = 8): string {
  const shown = items.length > most ? [...items.slice(0, most), `${items.length - most} more`] : items;
  if (shown.length < 2) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

export function amount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
