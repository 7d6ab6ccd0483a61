import { diffArrays } from 'diff';
import { escapeOf, undoInsideBlock } from '../../base/markers';
import { never } from '../../base/never';
import { breakNear, splitLines } from '../text/lines';
import {
  findLooseMatches,
  matchesAt,
  occurrences,
  trimBlanks,
  type EditMatch,
  type EditMatches,
  type MatchedLine,
  type Shift,
  type Tolerance,
} from './edit-matching';
import { markers } from './markers';

export interface Edit {
  readonly old: string;
  readonly new: string;
  /** How many places `old` must have; all of them are replaced. */
  readonly expect: number | 'any';
}

export type EditOutcome =
  | {
      readonly type: 'applied';
      readonly text: string;
      readonly tolerance: Tolerance;
      /** `old` had the backslashes that markers get in results. */
      readonly isUnescaped?: true;
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

/** One place, by its offsets in the text before and after the edit. */
export interface Replaced {
  readonly before: Span;
  readonly after: Span;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces every place that an edit means, or no place. The new text has up to `most` characters. If `old` is not
 * found, tries it without the backslashes that protocol markers get in results: it may have been copied from one.
 */
export function applyEdit(text: string, edit: Edit, most: number): EditOutcome {
  const outcome = applyAsGiven(text, edit, most);
  if (outcome.type !== 'not-found') return outcome;
  const part = withoutLastBreak(text, edit);
  const inLine = part && applyAsGiven(text, part, most);
  if (inLine?.type === 'applied') return inLine;
  const old = unescaped(edit.old);
  if (old === edit.old) return outcome;
  const other = applyAsGiven(text, { ...edit, old, new: unescaped(edit.new) }, most);
  return other.type === 'applied' ? { ...other, isUnescaped: true } : other;
}

/**
 * The same edit without the line breaks at its ends, for a part of a line that was given as a line. Nothing if it would
 * begin or end within a word.
 */
function withoutLastBreak(text: string, edit: Edit): Edit | undefined {
  if (!edit.old.endsWith('\n') || !edit.new.endsWith('\n')) return undefined;
  const [old, replacement] = [edit.old, edit.new].map((each) => each.replace(/\r?\n$/, ''));
  if (!old || replacement === undefined || old.trim() === '') return undefined;
  const isWhole = occurrences(text, old).every(
    (start) => !splitsWord(text[start - 1], old[0]) && !splitsWord(old.at(-1), text[start + old.length]),
  );
  return isWhole ? { ...edit, old, new: replacement } : undefined;
}

/** Both characters belong to the same word. */
function splitsWord(left = '', right = ''): boolean {
  return /[\p{L}\p{N}_]/u.test(left) && /[\p{L}\p{N}_]/u.test(right);
}

const { undo } = escapeOf(markers);

function unescaped(text: string): string {
  return undoInsideBlock(undo(text));
}

/** Inserts whole lines after a line, counted from 1; 0: before the first, -1: after the last. `undefined`: no such line. */
export function insertLines(
  text: string,
  { after, lines }: { readonly after: number; readonly lines: string },
): Extract<EditOutcome, { type: 'applied' }> | undefined {
  const starts = lineStarts(text);
  const at = after < 0 ? text.length : starts[after];
  if (at === undefined) return undefined;
  const lineBreak = breakNear(text, Math.max(0, at - 1));
  // A last line without a break gets one first.
  const before = at > 0 && !text.slice(0, at).endsWith('\n') ? lineBreak : '';
  const inserted = withBreaks(lines.endsWith('\n') ? lines : `${lines}\n`, lineBreak);
  const start = at + before.length;
  return {
    type: 'applied',
    text: text.slice(0, at) + before + inserted + text.slice(at),
    tolerance: 'exact',
    places: [{ before: { start: at, end: at }, after: { start, end: start + inserted.length } }],
  };
}

/** Where each line starts, and where the next one would. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1);
  if (starts.at(-1) !== text.length) starts.push(text.length);
  return starts;
}

function withBreaks(text: string, lineBreak: string): string {
  return text.includes('\r\n') ? text : text.replaceAll('\n', lineBreak);
}

function applyAsGiven(text: string, edit: Edit, most: number): EditOutcome {
  const exact = occurrences(text, edit.old);
  // There may be a million of them.
  const isExpected = (found: number): boolean => edit.expect === 'any' || edit.expect === found;
  if (exact.length > 0 && !isExpected(exact.length)) {
    return { type: 'wrong-count', tolerance: 'exact', starts: exact };
  }
  const { tolerance, matches } =
    exact.length > 0 ? matchesAt(text, exact, edit.old) : findLooseMatches(text, edit.old);
  if (matches.length === 0) return { type: 'not-found' };
  const starts = matches.map(({ start }) => start);
  if (!isExpected(matches.length)) return { type: 'wrong-count', tolerance, starts };
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
    // A short edit of many places can make a huge text, so the length is checked before the text is built.
    if (length > most) return { type: 'too-long' };
  }
  if (length + text.length - done > most) return { type: 'too-long' };
  pieces.push(text.slice(done));
  const replaced = pieces.join('');
  return replaced === text ? { type: 'no-change' } : { type: 'applied', text: replaced, tolerance, places };
}

/** For the report: how the match differed from `old`. */
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

/**
 * Returns the text at a match after the edit. If the match was not exact, lines that the edit does not change keep the
 * bytes of the file, and the others get its line breaks and indentation. `undefined` if the new text cannot be indented
 * like the file because it starts too far left.
 */
function replacementFor(
  text: string,
  match: EditMatch,
  edit: { old: string; new: string },
): string | undefined {
  return match.lines ? mergeLines(text, match, match.lines, edit) : literal(text, match, edit);
}

/** Uses `new` unchanged, but with the line breaks of the file if `old` shows none: models never see line endings. */
function literal(text: string, match: EditMatch, edit: { old: string; new: string }): string {
  if (edit.old.includes('\n')) return edit.new;
  return withBreaks(edit.new, breakNear(text, match.start));
}

function mergeLines(
  text: string,
  match: EditMatch,
  lines: readonly MatchedLine[],
  edit: { old: string; new: string },
): string | undefined {
  const before = splitLines(edit.old);
  const after = splitLines(edit.new);
  const origins = lineOrigins(before, after);
  const usual = breakNear(text, match.start);
  let merged = '';
  for (const [index, line] of after.entries()) {
    const kept = origins[index];
    const content = kept === undefined ? shifted(line, match.shift) : lines[kept]?.content;
    if (content === undefined) return undefined;
    merged += content;
    if (index === after.length - 1) break;
    const next = origins[index + 1];
    const above = next === undefined ? kept : next - 1;
    const lineBreak = above === undefined ? undefined : lines[above]?.lineBreak;
    // Only the end of a text can lack a line break.
    const atEnd = index + 1 === after.length - 1 && next === before.length - 1;
    merged += lineBreak === undefined || (lineBreak === '' && !atEnd) ? usual : lineBreak;
  }
  return merged;
}

function shifted(line: string, shift: Shift): string | undefined {
  if (shift.type === 'none' || trimBlanks(line) === '') return line;
  if (shift.type === 'more') return shift.blanks + line;
  return line.startsWith(shift.blanks) ? line.slice(shift.blanks.length) : undefined;
}

/** For each line after an edit: the same line before it, or `undefined` if the edit wrote it. */
function lineOrigins(before: string[], after: string[]): (number | undefined)[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const middle = commonLines(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  ).map((index) => (index === undefined ? undefined : head + index));
  return after.map((_, index) => {
    if (index < head) return index;
    const fromEnd = after.length - index;
    return fromEnd <= tail ? before.length - fromEnd : middle[index - head];
  });
}

/** Line comparisons. An edit that needs more hardly changes single lines. */
const MOST_COMPARED = 1_000_000;

/** Keeps as many lines as possible. */
function commonLines(before: string[], after: string[]): (number | undefined)[] {
  if (before.length * after.length > MOST_COMPARED) return after.map(() => undefined);
  let next = 0;
  return diffArrays(before, after).flatMap(({ added, removed, value, count }) => {
    if (added) return value.map(() => undefined);
    const from = next;
    next += count;
    return removed ? [] : value.map((_, index) => from + index);
  });
}
