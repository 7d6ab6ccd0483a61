import { lineAt, splitLines, type LineSpan } from '../text/lines';

/**
 * What may differ between the text that a model remembers and the text of the file, from strict to loose. Each includes
 * the ones before it. Nothing is matched by similarity.
 */
export type Tolerance = 'exact' | 'line-endings' | 'trailing-blanks' | 'indentation';

export interface EditMatch {
  readonly start: number;
  readonly end: number;
  /** The matched lines with their breaks, cut at `start` and `end`; absent when matched exactly. */
  readonly lines?: readonly MatchedLine[];
  readonly shift: Shift;
}

export interface MatchedLine {
  readonly content: string;
  readonly lineBreak: string;
}

/** The indentation that every line of the file has more, or less, than the remembered line. */
export type Shift = { readonly type: 'more' | 'less'; readonly blanks: string } | { readonly type: 'none' };

export interface EditMatches {
  readonly tolerance: Tolerance;
  /** In order. Only the matches of the strictest tolerance that finds any; empty if no tolerance does. */
  readonly matches: readonly EditMatch[];
}

/** The places that an edit could mean although `old` does not occur there exactly. Linear. */
export function findLooseMatches(text: string, old: string): EditMatches {
  const byTolerance: Record<Loose, EditMatch[]> = {
    'line-endings': [],
    'trailing-blanks': [],
    indentation: [],
  };
  for (const { tolerance, match } of findByLines(text, old)) byTolerance[tolerance].push(match);
  const tolerance = LOOSE.find((each) => byTolerance[each].length > 0) ?? 'indentation';
  return { tolerance, matches: byTolerance[tolerance] };
}

/** Exact matches at these offsets. If `old` begins with half of a CRLF, the match includes all of it. */
export function matchesAt(text: string, starts: readonly number[], old: string): EditMatches {
  const matches = starts.map((start): EditMatch => {
    const end = start + old.length;
    if (old[0] !== '\n' || text[start - 1] !== '\r') return { start, end, shift: NO_SHIFT };
    return { start: start - 1, end, lines: linesOf(text.slice(start - 1, end)), shift: NO_SHIFT };
  });
  return { tolerance: matches.some(({ lines }) => lines) ? 'line-endings' : 'exact', matches };
}

function linesOf(part: string): MatchedLine[] {
  const [content = '', ...rest] = part.split(/(\r?\n)/);
  const lines: MatchedLine[] = [];
  let last = content;
  for (let at = 0; at < rest.length; at += 2) {
    lines.push({ content: last, lineBreak: rest[at] ?? '' });
    last = rest[at + 1] ?? '';
  }
  return [...lines, { content: last, lineBreak: '' }];
}

const NO_SHIFT: Shift = { type: 'none' };

const LOOSE = ['line-endings', 'trailing-blanks', 'indentation'] as const;

type Loose = (typeof LOOSE)[number];

interface Found {
  readonly tolerance: Loose;
  readonly match: EditMatch;
}

/** Finds the beginning of the longest line with `indexOf` and compares the lines around it. */
function findByLines(text: string, old: string): Found[] {
  const wanted = splitLines(old);
  const anchor = longestLine(wanted);
  const needle = trimBlanks(wanted[anchor] ?? '').slice(0, SHORT);
  if (needle === '') return findBreaks(text, old);
  const around = { before: anchor, after: wanted.length - anchor - 1 };
  const found: Found[] = [];
  let compared = 0;
  for (let at = text.indexOf(needle); at >= 0;) {
    const line = lineAt(text, at);
    if (couldBe(text, line, wanted, anchor)) {
      compared += wanted.length;
      // Repetitive text would make this quadratic. The places found so far may be incomplete, so they do not count.
      if (compared > Math.max(text.length / 16, 20_000) + wanted.length) return [];
      const block = linesAround(text, line, around);
      const match = block && compareBlock(text, block, wanted);
      if (match) found.push(match);
    }
    at = text.indexOf(needle, Math.max(line.next, at + 1));
  }
  return found;
}

/** Finds blank lines alone: their line endings may differ, their blanks may not. */
function findBreaks(text: string, old: string): Found[] {
  const [lf, crlf] = ['\n', '\r\n'].map((lineBreak) => old.replace(/\r?\n/g, lineBreak));
  const other = [lf, crlf].find((each) => each !== undefined && each !== old && text.includes(each));
  if (other === undefined) return [];
  return matchesAt(text, occurrences(text, other), other).matches.map((match) => ({
    tolerance: 'line-endings',
    match: { ...match, lines: match.lines ?? linesOf(other) },
  }));
}

export function longestLine(lines: readonly string[]): number {
  let longest = 0;
  let most = 0;
  for (const [index, line] of lines.entries()) {
    const length = trimBlanks(line).length;
    if (length > most) [longest, most] = [index, length];
  }
  return longest;
}

/** Decides about most lines without looking at their neighbours. Only the ends of `old` may lie inside a line. */
function couldBe(text: string, line: LineSpan, wanted: readonly string[], index: number): boolean {
  if (index === 0 || index === wanted.length - 1) return true;
  return trimBlanks(text.slice(line.start, line.end)) === trimBlanks(wanted[index] ?? '');
}

function linesAround(
  text: string,
  line: LineSpan,
  count: { before: number; after: number },
): LineSpan[] | undefined {
  const before: LineSpan[] = [];
  for (let first = line; before.length < count.before;) {
    if (first.start === 0) return undefined;
    first = lineAt(text, first.start - 1);
    before.push(first);
  }
  const after: LineSpan[] = [];
  for (let last = line; after.length < count.after;) {
    const atEnd = last.next === last.end;
    // A text without a final line break lacks the empty last line that `old` may end with.
    if (atEnd && (last.start === last.end || after.length < count.after - 1)) return undefined;
    last = atEnd ? { start: last.end, end: last.end, next: last.end } : lineAt(text, last.next);
    after.push(last);
  }
  return [...before.reverse(), line, ...after];
}

function compareBlock(
  text: string,
  block: readonly LineSpan[],
  wanted: readonly string[],
): Found | undefined {
  const contents = block.map(({ start, end }) => text.slice(start, end));
  for (const tolerance of LOOSE) {
    const span = spanOf(tolerance, block, contents, wanted);
    if (!span) continue;
    const lines = block.map((line, index): MatchedLine => {
      const last = index === block.length - 1;
      const end = last ? span.end : line.end;
      return {
        content: text.slice(index === 0 ? span.start : line.start, end),
        lineBreak: last ? '' : text.slice(line.end, line.next),
      };
    });
    return { tolerance, match: { ...span, lines } };
  }
  return undefined;
}

type MatchSpan = Omit<EditMatch, 'lines'>;

function spanOf(
  tolerance: Loose,
  block: readonly LineSpan[],
  contents: readonly string[],
  wanted: readonly string[],
): MatchSpan | undefined {
  switch (tolerance) {
    case 'line-endings':
      return endsAtBreak(block) ? spanOfText(block, contents, wanted, (line) => line) : undefined;
    case 'trailing-blanks':
      return spanOfText(block, contents, wanted, trimEndBlanks);
    case 'indentation':
      return spanOfShifted(block, contents, wanted);
  }
}

/** Whether each line but the last has a line break: a missing final one counts as a trailing blank. */
function endsAtBreak(block: readonly LineSpan[]): boolean {
  return block.slice(0, -1).every(({ end, next }) => next > end);
}

/** Matches as a piece of text, which may begin and end inside a line like an exact match. */
function spanOfText(
  block: readonly LineSpan[],
  contents: readonly string[],
  wanted: readonly string[],
  reduce: (line: string) => string,
): MatchSpan | undefined {
  const [first, last] = [block[0], block.at(-1)];
  const [firstWanted, lastWanted] = [wanted[0], wanted.at(-1)];
  const [firstContent, lastContent] = [contents[0], contents.at(-1)];
  if (!first || !last || firstWanted === undefined || lastWanted === undefined) return undefined;
  if (firstContent === undefined || lastContent === undefined) return undefined;

  for (let index = 1; index < wanted.length - 1; index++) {
    if (reduce(contents[index] ?? '') !== reduce(wanted[index] ?? '')) return undefined;
  }
  const toLineEnd = reduce(lastWanted) !== lastWanted;
  const head = reduce(firstWanted);
  if (wanted.length === 1) {
    if (!toLineEnd || !reduce(firstContent).endsWith(head)) return undefined;
  } else {
    if (!reduce(firstContent).endsWith(head)) return undefined;
    const fits = toLineEnd ? reduce(lastContent) === reduce(lastWanted) : lastContent.startsWith(lastWanted);
    if (!fits) return undefined;
  }
  const start = first.start + reduce(firstContent).length - head.length;
  const end = toLineEnd ? last.end : last.start + lastWanted.length;
  return { start, end, shift: NO_SHIFT };
}

/** Matches as whole lines that are all indented more, or all less, by the same blanks. */
function spanOfShifted(
  block: readonly LineSpan[],
  contents: readonly string[],
  wanted: readonly string[],
): MatchSpan | undefined {
  const [first, last] = [block[0], block.at(-1)];
  if (!first || !last) return undefined;
  const openEnd = wanted.length > 1 && wanted.at(-1) === '';
  let shift: Shift | undefined;
  for (let index = 0; index < wanted.length - (openEnd ? 1 : 0); index++) {
    const content = trimEndBlanks(contents[index] ?? '');
    const remembered = trimEndBlanks(wanted[index] ?? '');
    if (content === '' && remembered === '') continue;
    const found = shiftBetween(content, remembered);
    if (!found || (shift && !sameShift(shift, found))) return undefined;
    shift = found;
  }
  if (!shift || shift.type === 'none') return undefined;
  return { start: first.start, end: openEnd ? last.start : last.end, shift };
}

function shiftBetween(content: string, remembered: string): Shift | undefined {
  const difference = content.length - remembered.length;
  if (difference === 0) return content === remembered ? NO_SHIFT : undefined;
  const [longer, shorter] = difference > 0 ? [content, remembered] : [remembered, content];
  const blanks = longer.slice(0, Math.abs(difference));
  if (!longer.endsWith(shorter) || shorter === '' || trimBlanks(blanks) !== '') return undefined;
  return { type: difference > 0 ? 'more' : 'less', blanks };
}

function sameShift(first: Shift, second: Shift): boolean {
  if (first.type === 'none' || second.type === 'none') return first.type === second.type;
  return first.type === second.type && first.blanks === second.blanks;
}

/** Blanks and tabs only: other white space is text. */
export function trimBlanks(line: string): string {
  let start = 0;
  while (isBlank(line, start)) start++;
  return trimEndBlanks(line.slice(start));
}

export function trimEndBlanks(line: string): string {
  let end = line.length;
  while (isBlank(line, end - 1)) end--;
  return line.slice(0, end);
}

function isBlank(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return code === 32 || code === 9;
}

/** Where a part occurs in a text, in order, including overlapping places. An empty part never occurs. Always linear. */
export function occurrences(text: string, part: string): number[] {
  if (part === '') return [];
  return (part.length <= SHORT ? direct(text, part) : byBeginning(text, part)) ?? byPrefixTable(text, part);
}

/** `indexOf` costs text times part in the worst case; parts up to this length cannot make it slow. */
export const SHORT = 256;

function direct(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}

/** Looks for the beginning and compares the rest; gives up if the text repeats too much. */
function byBeginning(text: string, part: string): number[] | undefined {
  const found: number[] = [];
  const beginning = part.slice(0, SHORT);
  let work = 32 * (text.length + part.length);
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    if (text.startsWith(part, at)) found.push(at);
    work -= part.length;
    if (work < 0) return undefined;
  }
  return found;
}

/** Knuth, Morris and Pratt: never looks at a character of the text twice. */
function byPrefixTable(text: string, part: string): number[] {
  const borders = new Int32Array(part.length + 1);
  for (let i = 1, border = 0; i < part.length; i++) {
    while (border > 0 && part.charCodeAt(i) !== part.charCodeAt(border)) border = borders[border] ?? 0;
    if (part.charCodeAt(i) === part.charCodeAt(border)) border++;
    borders[i + 1] = border;
  }
  const found: number[] = [];
  for (let i = 0, fitting = 0; i < text.length; i++) {
    while (fitting > 0 && text.charCodeAt(i) !== part.charCodeAt(fitting)) fitting = borders[fitting] ?? 0;
    if (text.charCodeAt(i) === part.charCodeAt(fitting)) fitting++;
    if (fitting < part.length) continue;
    found.push(i + 1 - part.length);
    fitting = borders[fitting] ?? 0;
  }
  return found;
}
