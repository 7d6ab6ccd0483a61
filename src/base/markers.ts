/** Escapes third-party texts that are put between markers and may contain those markers. */
export interface MarkerEscape {
  /**
   * The text with one backslash in each marker: `<\/tool_response>`. Changes nothing else; escaping twice has no
   * further effect.
   */
  readonly escape: (text: string) => string;
  /** The original text, unless it had a backslash in such a place. */
  readonly undo: (text: string) => string;
}

/**
 * For these markers in any case, and with any white space beside their brackets, slashes and quotation marks:
 * no parser reads `</TOOL_RESPONSE >` as a marker, but models do. One that ends with a letter (`<invoke`) is the beginning of a tag; one that begins with a
 * line break counts at the beginning of the text, too.
 */
export function escapeOf(markers: readonly string[]): MarkerEscape {
  if (markers.length === 0) return { escape: (text) => text, undo: (text) => text };
  const rests = new Map<string, string[]>();
  for (const marker of markers) {
    const [brackets = ''] = BRACKETS.exec(marker) ?? [];
    const rest = loose(marker.slice(brackets.length), brackets) + (/\w$/.test(marker) ? TAG_GOES_ON : '');
    rests.set(brackets, [...(rests.get(brackets) ?? []), rest]);
  }
  // Only the brackets are matched, so that markers may overlap; longer markers first, because they begin with shorter
  // ones.
  const places = [...rests]
    .sort(([one], [other]) => other.length - one.length)
    .map(([brackets, each]) => ({
      brackets: brackets === '\n' ? '(?:^|\n)' : literal(brackets),
      rest: each.join('|'),
    }));
  const marks = places.map(({ brackets, rest }) => `${brackets}(?=${rest})`);
  const escapes = places.map(({ brackets, rest }) => `(?<=${brackets})\\\\(?=${rest})`);
  const [mark, escaped] = [new RegExp(marks.join('|'), 'gi'), new RegExp(escapes.join('|'), 'gi')];
  return {
    escape: (text) => text.replace(mark, '$&\\'),
    undo: (text) => text.replace(escaped, ''),
  };
}

/** The backslash is inserted after a marker's opening brackets, so that no part of it is a marker either. */
const BRACKETS = /^(?:[<「[{(]+|[^])/;

const TAG_GOES_ON = String.raw`(?=[\s/>]|$)`;

const MAY_HAVE_BLANKS = /[<>[\]{}()/"'「」]/;

/** A pattern for what follows the brackets. Each run of blanks is read once, so its cost is linear. */
function loose(text: string, brackets: string): string {
  // After a line break, blanks can only be those of the line: many empty lines would all be read again.
  const blanks = blanksBeside(brackets.at(-1), text[0]);
  const first = brackets === '\n' && blanks !== '' ? String.raw`[^\S\n]*` : blanks;
  return Array.from(text).reduce(
    (pattern, char, at) => pattern + (at === 0 ? '' : blanksBeside(text[at - 1], char)) + literal(char),
    first,
  );
}

function blanksBeside(before = '', after = ''): string {
  return MAY_HAVE_BLANKS.test(before) || MAY_HAVE_BLANKS.test(after) ? String.raw`\s*` : '';
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Parley's blocks that contain third-party texts. */
const BLOCKS = ['attached', 'rules'] as const;

type Block = (typeof BLOCKS)[number];

/** The text for the inside of a block `<name>…</name>`: nothing in it looks like the block's end. */
export function insideBlock(name: Block, text: string): string {
  return text.replace(new RegExp(`<(?=${endOf(name)})`, 'gi'), '<\\');
}

/** The text before it was put inside one of the blocks. */
export function undoInsideBlock(text: string): string {
  return text.replace(new RegExp(String.raw`(?<=<)\\(?=${BLOCKS.map(endOf).join('|')})`, 'gi'), '');
}

/** No parser reads these tags, but models do, in any spelling. */
function endOf(name: Block): string {
  return String.raw`\s*/\s*${name}\b`;
}
