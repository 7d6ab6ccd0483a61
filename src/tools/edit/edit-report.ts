import { ToolError } from '../../core/words/tool';
import { count, grouped } from '../text/amounts';
import { toleranceNote, type Edit, type EditOutcome, type Replaced } from './apply-edit';
import { nearestRegion } from './nearest-region';
import { countLines, lineNumber, lineNumbers } from '../text/lines';

export type Applied = Extract<EditOutcome, { type: 'applied' }>;
type Refused = Exclude<EditOutcome, Applied>;

export interface EditAt {
  readonly edit: Edit;
  /** From 1. */
  readonly number: number;
  /** How many edits the call has. */
  readonly of: number;
}

export interface EditContext {
  readonly path: string;
  /** The text that the edit was applied to. */
  readonly text: string;
  /** The text of the file. */
  readonly before: string;
}

/** Why an edit could not be made, and what to do instead. */
export function editError(outcome: Refused, context: EditContext, { edit, number, of }: EditAt): ToolError {
  const why = problemOf(outcome, context, edit);
  return new ToolError(of > 1 ? `Edit ${number} of ${of}: ${why} No edit was applied.` : why);
}

function problemOf(outcome: Refused, { path, text, before }: EditContext, edit: Edit): string {
  if (outcome.type === 'not-found' && before.includes(edit.old))
    return `\`old\` is in ${path}, but the edits before this one changed it. Write \`old\` as it is after them.`;
  const why = reason(outcome, path, text, edit);
  const areLinesMoved = text !== '' && countLines(text) !== countLines(before);
  return areLinesMoved ? `${why} Line numbers count the edits before it.` : why;
}

/** The error for a text that would become larger than tools may write. */
export function tooLarge(path: string): string {
  return `${path} would become too large. Replace fewer places, write less, or use a command.`;
}

/** Returns one line for each edit, with its line numbers in the final text. */
export function editReport(applied: readonly Applied[], text: string): string[] {
  // Each place is followed through all later edits.
  const most = Math.max(1, Math.min(LISTED, Math.floor(FOLLOWED / applied.length)));
  const placed = applied.map(({ places }, index) =>
    places
      .slice(0, most)
      .map(({ after }) =>
        applied.slice(index + 1).reduce((at, later) => movedBy(at, later.places), after.start),
      ),
  );
  const offsets = [...new Set(placed.flat())].sort((a, b) => a - b);
  const numbers = lineNumbers(text, offsets);
  const lineOf = new Map(offsets.map((offset, index) => [offset, numbers[index] ?? 0]));
  return applied.map(({ tolerance, isUnescaped, places }, index) => {
    const lines = (placed[index] ?? []).map((offset) => lineOf.get(offset) ?? 0).sort((a, b) => a - b);
    const more = places.length > most ? ` and ${count(places.length - most, 'more place')}` : '';
    const notes = [toleranceNote(tolerance), isUnescaped ? 'without the backslash in markers' : ''];
    const note = notes.filter(Boolean).join(', ');
    return `edit ${index + 1}: ${listLines(lines)}${more}${note && ` (${note})`}`;
  });
}

function reason(outcome: Refused, path: string, text: string, edit: Edit): string {
  switch (outcome.type) {
    case 'not-found':
      return text === ''
        ? `${path} is empty, so there is nothing to replace. Write it with write_file and overwrite=true.`
        : `\`old\` was not found in ${path}. ${nearest(text, edit.old)}`;
    case 'wrong-count':
      return wrongCount(path, text, edit, outcome);
    case 'overlapping':
      return `The places of \`old\` overlap: ${listLines(lineNumbers(text, outcome.starts))}. Add surrounding lines until each place is separate.`;
    case 'unfit-indentation':
      return (
        `\`old\` was found at line ${lineNumber(text, outcome.start)} with less indentation, but \`new\` cannot be shifted like it. ` +
        'Copy the indentation of the file into `old` and `new`.'
      );
    case 'no-change':
      return edit.old === edit.new
        ? '`old` and `new` are the same, so the edit changes nothing. Leave it out.'
        : `${path} already contains \`new\`, except for blanks or line endings that edits do not change. Leave the edit out.`;
    case 'too-long':
      return tooLarge(path);
  }
}

function wrongCount(
  path: string,
  text: string,
  { old, expect }: Edit,
  { tolerance, starts }: Extract<Refused, { type: 'wrong-count' }>,
): string {
  const found = starts.length;
  const lines = listLines(lineNumbers(text, starts));
  const times =
    found === 1
      ? `\`old\` occurs 1 time in ${path} (${lines})`
      : `\`old\` occurs ${grouped(found)} times in ${path} (${lines})`;
  const overlap =
    tolerance === 'exact' &&
    starts.some((start, index) => start < (starts[index - 1] ?? -Infinity) + old.length);
  if (overlap) return `${times}, and the places overlap. Add surrounding lines until each place is separate.`;
  if (expect !== 'any' && found < expect)
    return `${times}, not ${expect} times. Correct \`expect\`, or edit each place separately.`;
  return `${times}. Add surrounding lines until only the place you mean matches, or set \`expect\` to ${found} to replace all.`;
}

function nearest(text: string, old: string): string {
  const copy = 'Copy it exactly from read_file, without line numbers.';
  const region = nearestRegion(text, old);
  if (!region) return copy;
  const { firstLine, lastLine, difference } = region;
  const place =
    firstLine === lastLine
      ? `The closest place is line ${firstLine}`
      : `The closest place is lines ${firstLine}-${lastLine}`;
  if (!difference) return `${place}. ${copy}`;
  const { line, inFile, remembered } = difference;
  if (inFile === undefined) {
    return `${place}; the file ends there, but \`old\` continues with ${shownLine(remembered)}. ${copy}`;
  }
  const [file, given] = aroundDifference(inFile, remembered);
  return difference.isPart
    ? `${place}; line ${line} contains ${file}, but \`old\` has ${given}. ${copy}`
    : `${place}; line ${line} is ${file}, but \`old\` has ${given}. ${copy}`;
}

const SHOWN = 120;

/** Two lines as JSON text, so that blanks and tabs can be told apart, cut to what differs. */
function aroundDifference(first: string, second: string): [string, string] {
  let same = 0;
  while (same < first.length && first[same] === second[same]) same++;
  const start = Math.max(first.length, second.length) <= SHOWN ? 0 : Math.max(0, same - 40);
  const escape = looksAlike(first, second, same);
  return [shownLine(first, { start, escape }), shownLine(second, { start, escape })];
}

/** Whether the eye may miss the difference: a blank of another kind, a letter of another alphabet, an accent. */
function looksAlike(first: string, second: string, at: number): boolean {
  const [a, b] = [first.slice(at, at + 1), second.slice(at, at + 1)];
  const [isPlain, isOtherPlain] = [/^[ -~\t]?$/.test(a), /^[ -~\t]?$/.test(b)];
  return isPlain !== isOtherPlain || (!isPlain && /[\p{M}\p{Z}\p{C}]/u.test(a + b));
}

function shownLine(line: string, { start = 0, escape = false } = {}): string {
  const json = JSON.stringify(line.slice(start, start + SHOWN));
  const text = escape ? json.replace(/[^ -~]/g, unicodeEscape) : json;
  return `${start > 0 ? '…' : ''}${text}${start + SHOWN < line.length ? '…' : ''}`;
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Lines or places listed in a message. */
const LISTED = 20;

/** Places listed for all edits of a call; at least one for each edit. */
const FOLLOWED = 400;

function listLines(lines: readonly number[]): string {
  const listed = [...new Set(lines)];
  const more = listed.length > LISTED ? ` and ${listed.length - LISTED} more` : '';
  const first = listed.slice(0, LISTED).join(', ');
  return listed.length === 1 ? `line ${first}` : `lines ${first}${more}`;
}

/** Where an offset is after a later edit. */
function movedBy(offset: number, places: readonly Replaced[]): number {
  const place = lastBefore(places, offset);
  if (!place) return offset;
  const { before, after } = place;
  if (offset >= before.end) return offset + after.end - before.end;
  return Math.min(offset - before.start + after.start, after.end);
}

/** The last place that does not begin after an offset. */
function lastBefore(places: readonly Replaced[], offset: number): Replaced | undefined {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle]?.before.start ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return places[low - 1];
}
