import { draftBefore } from '../../core/mentions';

/** Offsets in the text, the end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * What a mention that is taken stands in place of: what is written of it before the caret, and what is behind the
 * caret as far as the mention says it, too. Nothing where the caret is in no mention.
 */
export function mentionAt(caret: number, text: string, taken: string): Span | undefined {
  const draft = draftBefore(caret, text);
  if (!draft) return undefined;
  const written = text.slice(draft.start, caret);
  const rest = (written.includes('"') ? QUOTED_REST : PLAIN_REST).exec(text.slice(caret))?.[0] ?? '';
  const isMeant = taken.toLowerCase().includes(rest.replace('"', '').toLowerCase());
  return { start: draft.start, end: caret + (isMeant ? rest.length : 0) };
}

// A quotation mark before a letter opens another quotation.
const QUOTED_REST = /^[^"\n]*"(?![\p{L}\p{N}])/u;

// Without what may end a sentence or a bracket.
const PLAIN_REST = /^[^\s"@]*[^\s"@.,;:!?'`*)\]}>]/u;
