import { limits } from '../../../base/limits';
import { breakNear } from '../../../tools/text/lines';
import { applyDiff, isDiff, readDiff } from './unified-diff';

interface Position {
  /** From 0. */
  readonly line: number;
  /** UTF-16 units, from 0. */
  readonly character: number;
}

/** The user's selection in a file. */
export interface Selected {
  readonly start: Position;
  readonly end: Position;
}

interface Target {
  /** Current text of the file; absent for a new one. */
  readonly before: string | undefined;
  readonly selected: Selected | undefined;
}

export type NewText =
  | { readonly type: 'applied'; readonly part: 'new' | 'whole' | 'selection' | 'diff'; readonly text: string }
  /** The code cannot be applied to this file. `hunk` counts from 1. */
  | { readonly type: 'no-place' | 'many-places'; readonly hunk: number }
  | { readonly type: 'no-diff-of-one-file' | 'no-file' | 'too-many-hunks' | 'left-out' | 'no-change' };

/**
 * Returns the text of a file with the code of a reply applied: as a diff if it is one, else in place of the
 * selection, else in place of the whole file. Line endings and the end of the file are kept.
 */
export function newText(
  { code, info }: { readonly code: string; readonly info: string },
  target: Target,
): NewText {
  const made = isDiff(code, info) ? byDiff(code, target.before) : byCode(code, target);
  return made.type === 'applied' && made.text === target.before ? { type: 'no-change' } : made;
}

function byDiff(code: string, before: string | undefined): NewText {
  const diff = readDiff(code);
  if (!diff) return { type: 'no-diff-of-one-file' };
  if (diff.hunks.length > limits.appliedHunks) return { type: 'too-many-hunks' };
  const outcome = applyDiff(before ?? '', diff);
  if (outcome.type === 'applied') return { ...outcome, part: before === undefined ? 'new' : 'diff' };
  return before === undefined ? { type: 'no-file' } : outcome;
}

function byCode(code: string, { before, selected }: Target): NewText {
  if (before === undefined) return { type: 'applied', part: 'new', text: `${code}\n` };
  if (selected) return { type: 'applied', part: 'selection', text: inSelection(code, before, selected) };
  if (leavesOut(code)) return { type: 'left-out' };
  const end = before === '' || before.endsWith('\n') ? '\n' : '';
  return { type: 'applied', part: 'whole', text: withBreaks(code + end, breakNear(before, 0)) };
}

function inSelection(code: string, before: string, { start, end }: Selected): string {
  const [from, to] = [offsetAt(before, start), offsetAt(before, end)];
  const isWithEnd = /\n$/.test(before.slice(from, to)) && !code.endsWith('\n');
  const text = withBreaks(isWithEnd ? `${code}\n` : code, breakNear(before, from));
  return before.slice(0, from) + text + before.slice(to);
}

/** Offset of an editor position, by the lines as the editor counts them. */
function offsetAt(text: string, { line, character }: Position): number {
  const breaks = /\r\n|\r|\n/g;
  for (let left = line; left > 0; left--) {
    // The next match continues after this one.
    if (!breaks.exec(text)) return text.length;
  }
  return Math.min(breaks.lastIndex + character, text.length);
}

function withBreaks(text: string, lineBreak: string): string {
  return text.replace(/\r?\n/g, lineBreak);
}

/** `// ... existing code ...`: the code behind such a comment would be lost. */
function leavesOut(code: string): boolean {
  return code.split('\n').some((line) => {
    const comment = /^\s*(?:\/\/|\/\*|#|--|;|%|<!--|\{\/\*)(.{1,200})$/.exec(line)?.[1] ?? '';
    if (!/\.{3}|…/.test(comment)) return false;
    return (
      /^\s*(?:\.{3}|…)/.test(comment) || /\b(?:existing|rest|remaining|unchanged|omitted)\b/i.test(comment)
    );
  });
}
