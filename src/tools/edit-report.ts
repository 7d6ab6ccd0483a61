import { ToolError } from '../core/tool';
import { count } from './amounts';
import { toleranceNote, type Edit, type EditOutcome, type Replaced } from './apply-edit';
import { nearestRegion } from './nearest-region';
import { lineNumber, lineNumbers } from './text-lines';

export type Applied = Extract<EditOutcome, { type: 'applied' }>;
export type Refused = Exclude<EditOutcome, Applied>;

export interface EditAt {
  readonly edit: Edit;
  /** From 1. */
  readonly number: number;
  /** How many edits the call has. */
  readonly of: number;
}

/** Why an edit could not be made, and what to do instead. `text` is what the edit met. */
export function editError(
  outcome: Refused,
  path: string,
  text: string,
  { edit, number, of }: EditAt,
): ToolError {
  const which = of > 1 ? `Edit ${number} of ${of}: ` : '';
  const nothing = of > 1 ? ' No edit was applied.' : '';
  return new ToolError(`${which}${reason(outcome, path, text, edit)}${nothing}`);
}

/** One line for each edit, with the lines where it stands in the final text. */
export function editReport(applied: readonly Applied[], text: string): string[] {
  const placed = applied.map(({ places }, index) =>
    places.map(({ start }) =>
      applied.slice(index + 1).reduce((at, later) => movedBy(at, later.places), start),
    ),
  );
  return applied.map(({ tolerance }, index) => {
    const ascending = [...(placed[index] ?? [])].sort((a, b) => a - b);
    const note = toleranceNote(tolerance);
    return `edit ${index + 1}: ${listLines(lineNumbers(text, ascending))}${note && ` (${note})`}`;
  });
}

function reason(outcome: Refused, path: string, text: string, edit: Edit): string {
  switch (outcome.type) {
    case 'not-found':
      return `old does not occur in ${path}. ${nearest(text, edit.old)}`;
    case 'wrong-count':
      return wrongCount(path, edit, outcome.starts.length, listLines(lineNumbers(text, outcome.starts)));
    case 'overlapping':
      return `The places of old overlap: ${listLines(lineNumbers(text, outcome.starts))}. Add lines around it until each stands alone.`;
    case 'unfit-indentation':
      return (
        `old was found at line ${lineNumber(text, outcome.start)} with less indentation, but new cannot be shifted like it. ` +
        'Copy the indentation of the file into old and new.'
      );
    case 'no-change':
      return 'old and new are the same, so the edit changes nothing. Leave it out.';
  }
}

function wrongCount(path: string, { expect }: Edit, found: number, lines: string): string {
  const times = `old occurs ${count(found, 'time')} in ${path} (${lines})`;
  if (found < expect) return `${times}, not ${expect} times. Correct expect, or edit each place by itself.`;
  return `${times}. Add lines around it until only the place you mean fits, or set expect to ${found} to replace all.`;
}

function nearest(text: string, old: string): string {
  const copy = 'Copy old from the file as read_file shows it, without line numbers.';
  const region = nearestRegion(text, old);
  if (!region) return `Nothing in it is like it. ${copy}`;
  const { firstLine, lastLine, difference } = region;
  const place = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine}-${lastLine}`;
  if (!difference) return `The closest place is ${place}. ${copy}`;
  const { line, inFile, remembered } = difference;
  const [file, given] = aroundDifference(inFile, remembered);
  return `The closest place is ${place}; line ${line} is ${file}, where old has ${given}. ${copy}`;
}

/** Two lines as JSON text, so that blanks and tabs can be told apart, cut to what differs. */
function aroundDifference(first: string, second: string): [string, string] {
  const shown = 120;
  let same = 0;
  while (same < first.length && first[same] === second[same]) same++;
  const start = Math.max(first.length, second.length) <= shown ? 0 : Math.max(0, same - 40);
  const cut = (line: string): string => {
    const part = line.slice(start, start + shown);
    return `${start > 0 ? '…' : ''}${JSON.stringify(part)}${start + shown < line.length ? '…' : ''}`;
  };
  return [cut(first), cut(second)];
}

const LINES_LISTED = 20;

function listLines(lines: readonly number[]): string {
  const listed = [...new Set(lines)];
  const more = listed.length > LINES_LISTED ? ` and ${listed.length - LINES_LISTED} more` : '';
  return `line${listed.length === 1 ? '' : 's'} ${listed.slice(0, LINES_LISTED).join(', ')}${more}`;
}

/** Where an offset is after a later edit. */
function movedBy(offset: number, places: readonly Replaced[]): number {
  let at = offset;
  for (const { start, growth } of places) {
    if (start > at) break;
    at = Math.max(start, at + growth);
  }
  return at;
}
