/**
 * Patterns for names and paths, as globs and ignore files have them, after they were read. Matching takes time in
 * proportion to pattern and name at worst.
 */
export type NamePart = string | typeof ANY | typeof STAR | CharacterClass;

/** Any one character. */
export const ANY = 1;
/** Any number of characters. */
export const STAR = 2;

export interface CharacterClass {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [string, string])[];
}

/** One component of a path, or `**` for any number of them. */
export interface PathComponent {
  readonly anyDepth: boolean;
  readonly parts: readonly NamePart[];
}

/** What stands between the brackets. */
export function parseClass(source: string): CharacterClass {
  const negated = /^[!^]/.test(source);
  const body = negated ? source.slice(1) : source;
  const ranges: [string, string][] = [];
  for (let i = 0; i < body.length;) {
    const isRange = body.charAt(i + 1) === '-' && i + 2 < body.length;
    ranges.push([body.charAt(i), body.charAt(isRange ? i + 2 : i)]);
    i += isRange ? 3 : 1;
  }
  return { negated, ranges };
}

/** Whether a whole path fits, given by its names. */
export function matchPath(pattern: readonly PathComponent[], names: readonly string[]): boolean {
  return matchRow(pattern.length, names.length, {
    isStar: (at) => pattern[at]?.anyDepth === true,
    fits: (at, name) => matchName(pattern[at]?.parts ?? [], names[name] ?? ''),
  });
}

export function matchName(parts: readonly NamePart[], name: string): boolean {
  return matchRow(parts.length, name.length, {
    isStar: (at) => parts[at] === STAR,
    fits: (at, index) => fitsPart(parts[at], name.charAt(index)),
  });
}

function fitsPart(part: NamePart | undefined, character: string): boolean {
  if (part === undefined || typeof part === 'string') return part === character;
  if (typeof part === 'number') return true;
  return part.ranges.some(([from, to]) => from <= character && character <= to) !== part.negated;
}

/** After a mismatch only the last star needs to take one more: an earlier one could gain nothing by it. */
function matchRow(
  patternLength: number,
  length: number,
  row: { isStar: (at: number) => boolean; fits: (at: number, index: number) => boolean },
): boolean {
  let at = 0;
  let star: { at: number; index: number } | undefined;
  for (let index = 0; index < length;) {
    if (at < patternLength && row.isStar(at)) star = { at: at++, index };
    else if (at < patternLength && row.fits(at, index)) {
      at++;
      index++;
    } else if (star) {
      star.index++;
      [at, index] = [star.at + 1, star.index];
    } else return false;
  }
  while (at < patternLength && row.isStar(at)) at++;
  return at === patternLength;
}
