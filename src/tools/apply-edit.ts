import { never } from '../base/never';
import { findLooseMatches, matchesAt, type EditMatches, type Tolerance } from './edit-matching';
import { replacementFor } from './edit-replacement';
import { occurrences } from './occurrences';

export interface Edit {
  readonly old: string;
  readonly new: string;
  /** How many places `old` must have; all of them are replaced. */
  readonly expect: number;
}

export type EditOutcome =
  | {
      readonly type: 'applied';
      readonly text: string;
      readonly tolerance: Tolerance;
      /** In order. */
      readonly places: readonly Replaced[];
    }
  | { readonly type: 'not-found' }
  /** There are more or fewer places than expected; `starts` are offsets. */
  | { readonly type: 'wrong-count'; readonly tolerance: Tolerance; readonly starts: readonly number[] }
  /** Places share characters, so that replacing one would destroy the next. */
  | { readonly type: 'overlapping'; readonly starts: readonly number[] }
  | { readonly type: 'unfit-indentation'; readonly start: number }
  | { readonly type: 'no-change' }
  | { readonly type: 'too-long' };

/** One place, by its offsets in the text before the edit and in the one after it. */
export interface Replaced {
  readonly before: Span;
  readonly after: Span;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces every place that an edit means, or none. The new text has up to `most` characters. */
export function applyEdit(text: string, edit: Edit, most: number): EditOutcome {
  const exact = occurrences(text, edit.old);
  // There may be a million of them.
  if (exact.length > 0 && exact.length !== edit.expect) {
    return { type: 'wrong-count', tolerance: 'exact', starts: exact };
  }
  const { tolerance, matches } =
    exact.length > 0 ? matchesAt(text, exact, edit.old) : findLooseMatches(text, edit.old);
  if (matches.length === 0) return { type: 'not-found' };
  const starts = matches.map(({ start }) => start);
  if (matches.length !== edit.expect) return { type: 'wrong-count', tolerance, starts };
  if (matches.some((match, index) => match.start < (matches[index - 1]?.end ?? 0))) {
    return { type: 'overlapping', starts };
  }
  return replaceAll(text, edit, { tolerance, matches, most });
}

function replaceAll(
  text: string,
  edit: Edit,
  { tolerance, matches, most }: EditMatches & { readonly most: number },
): EditOutcome {
  const pieces: string[] = [];
  const places: Replaced[] = [];
  let length = 0;
  let done = 0;
  for (const match of matches) {
    const replacement = replacementFor(text, match, edit);
    if (replacement === undefined) return { type: 'unfit-indentation', start: match.start };
    pieces.push(text.slice(done, match.start), replacement);
    const start = length + match.start - done;
    length = start + replacement.length;
    done = match.end;
    places.push({ before: { start: match.start, end: match.end }, after: { start, end: length } });
    // A short edit of many places can make an endless text, so it is never put together.
    if (length > most) return { type: 'too-long' };
  }
  if (length + text.length - done > most) return { type: 'too-long' };
  pieces.push(text.slice(done));
  const replaced = pieces.join('');
  return replaced === text ? { type: 'no-change' } : { type: 'applied', text: replaced, tolerance, places };
}

/** For the report: what was not as the edit said. */
export function toleranceNote(tolerance: Tolerance): string {
  switch (tolerance) {
    case 'exact':
      return '';
    case 'line-endings':
      return 'other line endings';
    case 'trailing-blanks':
      return 'trailing blanks ignored';
    case 'indentation':
      return 'indentation shifted';
    default:
      return never(tolerance);
  }
}
