import { ToolError } from '../core/tool';

/** Throws `ToolError` for text that Unicode does not know, which no encoding could keep: halves of surrogate pairs. */
export function mustBeWholeCharacters(text: string, name: string): void {
  if (!/\p{Surrogate}/u.test(text)) return;
  throw new ToolError(
    `The text for ${name} holds half a character (a lone surrogate). Write the whole character.`,
  );
}
