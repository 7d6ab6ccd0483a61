import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import type { FileFilter } from '../ports/search';

/**
 * `*`, `?`, `[a-z]`, `{a,b}` and `**` over relative paths with `/`; a pattern without `/` is tested on the name alone.
 * Hidden files count. At worst, matching takes time proportional to pattern times path: the pattern comes from a model
 * and the path from a workspace, so neither may stall the host as a regular expression could.
 */
export function parseGlob(glob: string): FileFilter {
  const patterns = expandBraces(withSlashes(glob.trim())).map(parsePattern);
  return {
    glob,
    matches: (path) => {
      const names = path.split('/');
      return patterns.some((pattern) => matchPath(pattern, names));
    },
    names: namePatterns(patterns),
  };
}

/**
 * The glob with its brackets and braces read as text, for folders such as `[locale]` or `{lang}`; `undefined` if it has
 * none. Each pair may be text while the others keep their meaning: `[id]/*.{js,ts}`.
 */
export function literalGlob(glob: string): FileFilter | undefined {
  const source = withSlashes(glob.trim());
  const braces = bracePairs(source);
  const pairs = [...classPairs(source), ...braces.pairs];
  if (pairs.length === 0) return undefined;
  const reading = (literal: readonly (readonly number[])[]): string =>
    withEscapes(source, [...literal.flat(), ...braces.single]);
  const all = reading(pairs);
  if (pairs.length > MIXED_PAIRS || expandBraces(source).length > FEW_ALTERNATIVES) return parseGlob(all);
  const readings = Array.from({ length: 2 ** pairs.length - 1 }, (_, index) =>
    reading(pairs.filter((_pair, at) => ((index + 1) >> at) % 2 === 1)),
  );
  // The outer braces join the readings, so commas that separate nothing else are escaped.
  return parseGlob(readings.length === 1 ? all : `{${readings.map(withEscapedCommas).join(',')}}`);
}

/** With more pairs only the reading in which all are text is tried. */
const MIXED_PAIRS = 4;
const FEW_ALTERNATIVES = 50;

/** Where the brackets of each class are, with those inside it, as in `[[...slug]]`. */
function classPairs(source: string): number[][] {
  const pairs: number[][] = [];
  for (let i = 0; i < source.length; i++) {
    if (source[i] === '\\') i++;
    else if (source[i] === '[') {
      const close = classEnd(source, i);
      if (close < 0) break;
      const inner = Array.from(source.slice(i, close).matchAll(/\[/g), ({ index }) => i + index);
      pairs.push([...inner, close]);
      i = close;
    }
  }
  return pairs;
}

/** Where the braces are that belong together, with the commas between them, and those without another. */
function bracePairs(source: string): { readonly pairs: number[][]; readonly single: readonly number[] } {
  const open: number[][] = [];
  const pairs: number[][] = [];
  const single: number[] = [];
  for (let i = 0; i < source.length; i++) {
    const character = source[i];
    if (character === '\\') i++;
    else if (character === '{') open.push([i]);
    else if (character === ',') open.at(-1)?.push(i);
    else if (character === '}') {
      const pair = open.pop();
      if (pair) pairs.push([...pair, i]);
      else single.push(i);
    }
  }
  return { pairs, single: [...single, ...open.map(([at = 0]) => at)] };
}

function withEscapes(source: string, places: readonly number[]): string {
  const escaped = new Set(places);
  return Array.from({ length: source.length }, (_, at) =>
    escaped.has(at) ? `\\${source.charAt(at)}` : source.charAt(at),
  ).join('');
}

function withEscapedCommas(glob: string): string {
  let depth = 0;
  return glob.replace(/\\[^]|[{},]/g, (token) => {
    if (token === '{') depth++;
    if (token === '}') depth--;
    return token === ',' && depth <= 0 ? '\\,' : token;
  });
}

/** `source` is how the component was written. */
interface GlobComponent extends PathComponent {
  readonly source: string;
}

/** A backslash before an ordinary character can only be meant as a separator, and then the others are too. */
function withSlashes(glob: string): string {
  return /\\[^*?[\]{}\\!,]/.test(glob) ? glob.replaceAll('\\', '/') : glob;
}

function expandBraces(glob: string): string[] {
  const most = limits.globBraceAlternatives;
  let done: string[] = [];
  let open = [glob];
  while (open.length > 0) {
    const expanded = open.map(expandFirst);
    done = [...done, ...expanded.flatMap((each) => (typeof each === 'string' ? [each] : []))];
    open = expanded.flatMap((each) => (typeof each === 'string' ? [] : each));
    if (done.length + open.length > most) {
      throw new ToolError(`The glob expands to more than ${most} patterns. Use fewer braces.`);
    }
  }
  return done;
}

/** Returns the pattern itself if it has no braces; else one pattern for each alternative of the first braces. */
function expandFirst(glob: string): string | string[] {
  let start = -1;
  let depth = 0;
  let commas: number[] = [];
  for (let i = 0; i < glob.length; i++) {
    const character = glob[i];
    if (character === '\\') i++;
    else if (character === '{') {
      if (depth === 0) [start, commas] = [i, []];
      depth++;
    } else if (character === ',' && depth === 1) commas.push(i);
    else if (character === '}' && depth > 0 && --depth === 0) {
      const ends = [...commas, i];
      return ends.map((end, index) => {
        const from = index === 0 ? start : (commas[index - 1] ?? start);
        return glob.slice(0, start) + glob.slice(from + 1, end) + glob.slice(i + 1);
      });
    }
  }
  return glob;
}

function parsePattern(glob: string): GlobComponent[] {
  const slashes = glob.replace(/^(\.?\/)+/, '');
  const anchored = slashes.includes('/') ? slashes : `**/${slashes}`;
  const whole = anchored.endsWith('/') ? `${anchored}**` : anchored;
  return whole.split('/').map((source) => ({ anyDepth: source === '**', source, parts: parseParts(source) }));
}

function parseParts(source: string): NamePart[] {
  const parts: NamePart[] = [];
  for (let i = 0; i < source.length;) {
    const character = source.charAt(i);
    const closed = character === '[' ? classEnd(source, i) : -1;
    if (character === '\\' && i + 1 < source.length) {
      parts.push(source.charAt(i + 1));
      i += 2;
    } else if (character === '*') {
      if (parts.at(-1) !== STAR) parts.push(STAR);
      i++;
    } else if (character === '?') {
      parts.push(ANY);
      i++;
    } else if (closed > 0) {
      parts.push(parseClass(source.slice(i + 1, closed)));
      i = closed + 1;
    } else {
      parts.push(character);
      i++;
    }
  }
  return parts;
}

/** Where the class that begins here ends; negative if it does not. */
function classEnd(source: string, start: number): number {
  return source.indexOf(']', start + (/^[!^]/.test(source.slice(start + 1, start + 2)) ? 3 : 2));
}

/** Empty when some pattern says nothing about the name. */
function namePatterns(patterns: readonly (readonly GlobComponent[])[]): string[] {
  const names = patterns.map((pattern) => pattern.at(-1)?.source ?? '**');
  return names.every((name) => name !== '**' && /^[\w.*?-]+$/.test(name)) ? [...new Set(names)] : [];
}

/**
 * Parsed patterns for names and paths, as in globs and ignore files. At worst, matching takes time proportional to
 * pattern times name.
 */
export type NamePart = string | typeof ANY | typeof STAR | CharacterClass;

/** Any one character. */
export const ANY = 1;
/** Any number of characters. */
export const STAR = 2;

interface CharacterClass {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [string, string])[];
}

/** One component of a path, or `**` for any number of them. */
export interface PathComponent {
  readonly anyDepth: boolean;
  readonly parts: readonly NamePart[];
}

/** The text between the brackets. */
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

/** Whether a whole path matches, given as its names. */
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

/** After a mismatch only the last star needs to take one more character: an earlier star could not help. */
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
