import { ToolError } from '../core/tool';
import { ANY, matchPath, parseClass, STAR, type NamePart, type PathComponent } from './name-pattern';
import type { FileFilter } from './workspace';

/**
 * `*`, `?`, `[a-z]`, `{a,b}` and `**` over relative paths with `/`; a pattern without `/` is tested on the name
 * alone. Hidden files count. Matching takes time in proportion to pattern and path at worst: a pattern comes from a
 * model and a path from a workspace, so neither may be able to stall the host as a regular expression could.
 */
export function parseGlob(glob: string, { alternatives }: { alternatives: number }): FileFilter {
  const patterns = expandBraces(withSlashes(glob.trim()), alternatives).map(parsePattern);
  return {
    glob,
    matches: (path) => {
      const names = path.split('/');
      return patterns.some((pattern) => matchPath(pattern, names));
    },
    names: namePatterns(patterns),
  };
}

/** `source` is how the component was written. */
interface GlobComponent extends PathComponent {
  readonly source: string;
}

/** A backslash before an ordinary character can only be meant as a separator, and then the others are too. */
function withSlashes(glob: string): string {
  return /\\[^*?[\]{}\\!,]/.test(glob) ? glob.replaceAll('\\', '/') : glob;
}

function expandBraces(glob: string, most: number): string[] {
  let done: string[] = [];
  let open = [glob];
  while (open.length > 0) {
    const expanded = open.map(expandFirst);
    done = [...done, ...expanded.flatMap((each) => (typeof each === 'string' ? [each] : []))];
    open = expanded.flatMap((each) => (typeof each === 'string' ? [] : each));
    if (done.length + open.length > most) {
      throw new ToolError(`The glob stands for more than ${most} patterns. Use fewer braces.`);
    }
  }
  return done;
}

/** The pattern itself when it has no braces; else one pattern for each alternative of its first ones. */
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
    const closed =
      character === '[' ? source.indexOf(']', i + (/^[!^]/.test(source.slice(i + 1)) ? 3 : 2)) : -1;
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

/** Empty when some pattern says nothing about the name. */
function namePatterns(patterns: readonly (readonly GlobComponent[])[]): string[] {
  const names = patterns.map((pattern) => pattern.at(-1)?.source ?? '**');
  return names.every((name) => name !== '**' && /^[\w.*?-]+$/.test(name)) ? [...new Set(names)] : [];
}
