/** How texts of others stand between markers that they may hold themselves. */
export interface MarkerEscape {
  /** The text with one backslash in each marker: `<\/tool_response>`. Nothing else changes, nor does it a second time. */
  readonly escape: (text: string) => string;
  /** The text that was escaped, unless it had a backslash at such a place itself. */
  readonly undo: (text: string) => string;
}

/** For markers spelled exactly so. One that ends with a letter (`<invoke`) is the beginning of a tag. */
export function escapeOf(markers: readonly string[]): MarkerEscape {
  if (markers.length === 0) return { escape: (text) => text, undo: (text) => text };
  const rests = new Map<string, string[]>();
  for (const marker of markers) {
    const [brackets = ''] = BRACKETS.exec(marker) ?? [];
    const rest = literal(marker.slice(brackets.length)) + (/\w$/.test(marker) ? TAG_GOES_ON : '');
    rests.set(brackets, [...(rests.get(brackets) ?? []), rest]);
  }
  // Only the brackets are matched, so that markers may overlap; the longer ones first, which begin with shorter ones.
  const places = [...rests]
    .sort(([one], [other]) => other.length - one.length)
    .map(([brackets, each]) => ({ brackets: literal(brackets), rest: each.join('|') }));
  const marks = places.map(({ brackets, rest }) => `${brackets}(?=${rest})`);
  const escapes = places.map(({ brackets, rest }) => `(?<=${brackets})\\\\(?=${rest})`);
  const [mark, escaped] = [new RegExp(marks.join('|'), 'g'), new RegExp(escapes.join('|'), 'g')];
  return {
    escape: (text) => text.replace(mark, '$&\\'),
    undo: (text) => text.replace(escaped, ''),
  };
}

/** The backslash stands behind the brackets that a marker begins with, so that no part of it is one either. */
const BRACKETS = /^(?:[<「[{(]+|[^])/;

const TAG_GOES_ON = String.raw`(?=[\s/>]|$)`;

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Blocks of Parley's own, in which texts of others stand. */
const BLOCKS = ['attached', 'rules'] as const;

type Block = (typeof BLOCKS)[number];

/** The text as it may stand inside a block `<name>…</name>`: nothing in it looks like the end of that. */
export function insideBlock(name: Block, text: string): string {
  return text.replace(new RegExp(`<(?=${endOf(name)})`, 'gi'), '<\\');
}

/** The text before it was put inside one of the blocks. */
export function undoInsideBlock(text: string): string {
  return text.replace(new RegExp(String.raw`(?<=<)\\(?=${BLOCKS.map(endOf).join('|')})`, 'gi'), '');
}

/** No parser reads these tags; models do, however they are spelled. */
function endOf(name: Block): string {
  return String.raw`\s*/\s*${name}\b`;
}
