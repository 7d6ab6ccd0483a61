/** How the markers and marks of VCP may be spelled; the longer ones first, where one begins another. */
export interface Spelling {
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  /** What stands at the left and the right of 始 and 末. */
  readonly left: readonly string[];
  readonly right: readonly string[];
  /** Beginnings of all markers. */
  readonly markers: readonly string[];
}

export const START = '<<<[TOOL_REQUEST]>>>';
export const END = '<<<[END_TOOL_REQUEST]>>>';

export const EXACT: Spelling = {
  starts: [START],
  ends: [END],
  left: ['「'],
  right: ['」'],
  markers: ['<<<['],
};

const DAMAGES = (['<<<', '<<'] as const).flatMap((left) =>
  (['>>>', '>>'] as const).map((right) => ({ left, right })),
);

/** What VCPToolBox reads in its fuzzy mode: a bracket too few around a marker, braces for the marks. */
export const DAMAGED: Spelling = {
  starts: DAMAGES.map(({ left, right }) => `${left}[TOOL_REQUEST]${right}`),
  ends: DAMAGES.map(({ left, right }) => `${left}[END_TOOL_REQUEST]${right}`),
  left: ['「', '{'],
  right: ['」', '}'],
  markers: ['<<<[', '<<['],
};

/** Spellings by which VCPToolBox lets marks stand inside an ESCAPE value. */
export function decoded(text: string): string {
  return text
    .replaceAll('<<<[TOOL_REQUEST_ESCAPE]>>>', START)
    .replaceAll('<<<[END_TOOL_REQUEST_ESCAPE]>>>', END)
    .replaceAll('「始ESCAPE」', '「始」')
    .replaceAll('「末ESCAPE」', '「末」');
}

/** A mark with each of the brackets that may stand around it, the right ones first. */
export function spelled({ left, right }: Spelling, sign: string): string[] {
  return left.flatMap((open) => right.map((close) => `${open}${sign}${close}`));
}
