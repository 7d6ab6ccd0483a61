import { never } from '../base/never';
import { exactMatches, findLooseMatches, type EditMatch, type Tolerance } from './edit-matching';
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
      /** Where the replacements stand in the new text. */
      readonly places: readonly Replaced[];
    }
  | { readonly type: 'not-found' }
  /** There are more or fewer places than expected; `starts` are offsets. */
  | { readonly type: 'wrong-count'; readonly tolerance: Tolerance; readonly starts: readonly number[] }
  /** Places share characters, so that replacing one would destroy the next. */
  | { readonly type: 'overlapping'; readonly starts: readonly number[] }
  | { readonly type: 'unfit-indentation'; readonly start: number }
  | { readonly type: 'no-change' };

export interface Replaced {
  readonly start: number;
  readonly length: number;
  /** How much longer the text after it has become, negative when shorter. */
  readonly growth: number;
}

/** Replaces every place that an edit means, or none. */
export function applyEdit(text: string, edit: Edit): EditOutcome {
  const exact = occurrences(text, edit.old);
  // There may be a million of them.
  if (exact.length > 0 && exact.length !== edit.expect) {
    return { type: 'wrong-count', tolerance: 'exact', starts: exact };
  }
  const { tolerance, matches } =
    exact.length > 0 ? exactMatches(exact, edit.old) : findLooseMatches(text, edit.old);
  if (matches.length === 0) return { type: 'not-found' };
  const starts = matches.map(({ start }) => start);
  if (matches.length !== edit.expect) return { type: 'wrong-count', tolerance, starts };
  if (matches.some((match, index) => match.start < (matches[index - 1]?.end ?? 0))) {
    return { type: 'overlapping', starts };
  }
  return replaceAll(text, edit, { tolerance, matches });
}

function replaceAll(
  text: string,
  edit: Edit,
  { tolerance, matches }: { tolerance: Tolerance; matches: readonly EditMatch[] },
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
    places.push({
      start,
      length: replacement.length,
      growth: replacement.length - (match.end - match.start),
    });
    length = start + replacement.length;
    done = match.end;
  }
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
