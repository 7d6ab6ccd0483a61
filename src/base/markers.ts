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
 * For exactly these markers. One that ends with a letter (`<invoke`) is the beginning of a tag; one that begins with a
 * line break counts at the beginning of the text, too.
 */
export function escapeOf(markers: readonly string[]): MarkerEscape {
  if (markers.length === 0) return { escape: (text) => text, undo: (text) => text };
  const rests = new Map<string, string[]>();
  for (const marker of markers) {
    const [brackets = ''] = BRACKETS.exec(marker) ?? [];
    const rest = literal(marker.slice(brackets.length)) + (/\w$/.test(marker) ? TAG_GOES_ON : '');
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
  const [mark, escaped] = [new RegExp(marks.join('|'), 'g'), new RegExp(escapes.join('|'), 'g')];
  return {
    escape: (text) => text.replace(mark, '$&\\'),
    undo: (text) => text.replace(escaped, ''),
  };
}

/** The backslash is inserted after a marker's opening brackets, so that no part of it is a marker either. */
const BRACKETS = /^(?:[<「[{(]+|[^])/;

const TAG_GOES_ON = String.raw`(?=[\s/>]|$)`;

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
