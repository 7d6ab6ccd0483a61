import { ToolError } from '../core/tool';

/** What is said to a model about a pattern that is wrong. */
export function unreadablePattern(reason: string): ToolError {
  return new ToolError(
    `The pattern cannot be read: ${reason}. Correct it, or search for the text itself with is_regex=false.`,
  );
}
