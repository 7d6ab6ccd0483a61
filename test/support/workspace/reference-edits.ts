/** The expected result of an exact edit, computed as simply as possible, without regard to speed. */
export interface ReferenceEdit {
  readonly old: string;
  readonly new: string;
  readonly expect: number;
}

/** `refused` leaves the text unchanged. `elsewhere`: an edit has no exact match, which this does not judge. */
export type ReferenceResult = { readonly text: string } | 'refused' | 'elsewhere';

export function referenceEdits(text: string, edits: readonly ReferenceEdit[]): ReferenceResult {
  let current = text;
  for (const edit of edits) {
    const next = oneEdit(current, edit);
    if (typeof next === 'string') return next;
    current = next.text;
  }
  const holdsHalves = /\p{Surrogate}/u.test(current);
  return current === text || holdsHalves ? 'refused' : { text: current };
}

function oneEdit(text: string, { old, new: replacement, expect }: ReferenceEdit): ReferenceResult {
  const starts = everyIndex(text).filter((at) => text.slice(at, at + old.length) === old);
  if (starts.length === 0) return 'elsewhere';
  if (starts.length !== expect) return 'refused';
  if (starts.some((start, index) => index > 0 && start - (starts[index - 1] ?? 0) < old.length))
    return 'refused';
  // It contains half of a line ending.
  if (old.startsWith('\n') && starts.some((start) => text[start - 1] === '\r')) return 'elsewhere';
  let result = '';
  for (let at = 0; at < text.length;) {
    if (starts.includes(at)) {
      result += old.includes('\n') ? replacement : inLineEndingsAround(text, at, replacement);
      at += old.length;
    } else result += text[at++] ?? '';
  }
  return result === text ? 'refused' : { text: result };
}

/** Line feeds become the line ending there, or else of the line before; text with a CRLF is unchanged. */
function inLineEndingsAround(text: string, at: number, replacement: string): string {
  const feeds = everyIndex(text).filter((each) => text[each] === '\n');
  const feed = feeds.find((each) => each >= at) ?? feeds.at(-1);
  const isCrlf = feed !== undefined && text[feed - 1] === '\r';
  return isCrlf && !replacement.includes('\r\n') ? replacement.split('\n').join('\r\n') : replacement;
}

/** Whether a result is the text with one place replaced, ignoring blanks and line endings. */
export function isLooseResult(text: string, edit: ReferenceEdit, result: string): boolean {
  // The last line may lack its line break even if `old` has one.
  const [whole, old] = [bare(`${text}\n`), bare(edit.old)];
  return everyIndex(whole)
    .filter((at) => whole.slice(at, at + old.length) === old)
    .some(
      (at) => end(whole.slice(0, at) + bare(edit.new) + whole.slice(at + old.length)) === end(bare(result)),
    );
}

function everyIndex(text: string): number[] {
  return Array.from({ length: text.length }, (_, at) => at);
}

function bare(text: string): string {
  return text.replace(/[ \t\r]/g, '');
}

function end(text: string): string {
  return text.replace(/\n*$/, '');
}
