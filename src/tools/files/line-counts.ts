import { diffArrays } from 'diff';
import type { LineCounts } from '../../core/words/file-change';

/** Bytes of a file whose lines are compared. */
const LONGEST = 512 * 1024;
/** Lines that differ before the comparison is given up. */
const MOST_CHANGES = 2_000;

/**
 * How many lines a change adds and removes; `undefined` if a content is not UTF-8 text, or too long or too different to
 * compare. An absent file has no lines.
 */
export function lineCounts(
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): LineCounts | undefined {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  if (!old || !fresh) return undefined;
  if (old.length === 0 || fresh.length === 0) return { added: fresh.length, removed: old.length };
  const parts = diffArrays([...old], [...fresh], { maxEditLength: MOST_CHANGES });
  if (!parts) return undefined;
  const count = (
    isMeant: (part: { readonly added: boolean; readonly removed: boolean }) => boolean,
  ): number => parts.filter(isMeant).reduce((sum, { value }) => sum + value.length, 0);
  return { added: count(({ added }) => added), removed: count(({ removed }) => removed) };
}

function linesOf(content: Uint8Array | undefined): readonly string[] | undefined {
  if (!content) return [];
  if (content.length > LONGEST) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    if (text.includes('\0')) return undefined;
    return text === '' ? [] : text.replace(/\n$/u, '').split('\n');
  } catch {
    // Another encoding, or no text.
    return undefined;
  }
}
