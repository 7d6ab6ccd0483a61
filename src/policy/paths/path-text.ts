import { limits } from '../../base/limits';
import { hasControlOrDirection, removeInvisible } from '../../base/text';

/** A Windows device, whatever follows the first dot. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:[.:]|$)/iu;
/** The 8.3 name of some other name: `PROGRA~1`. */
const SHORT_NAME = /~\d+(?:\.|$)/u;

interface Refusal {
  readonly reason: string;
  readonly platform?: Platform;
  /** It depends on names alone, so it says nothing about a word of a command, which may be no path. */
  readonly isOfNames?: true;
  applies(path: string): boolean;
}

/** Forms of a path that every tool refuses, wherever they lead. */
const REFUSALS: readonly Refusal[] = [
  { reason: 'the path is empty', applies: (path) => path.trim() === '' },
  { reason: 'the path is too long', applies: (path) => path.length > limits.pathCharacters },
  { reason: 'control or direction character in the path', applies: hasControlOrDirection },
  { reason: '`~` is not expanded, give the path itself', applies: (path) => path.startsWith('~') },
  // `\??\` is the form of `\\?\` inside the Windows kernel.
  { reason: 'network and device paths are refused', applies: (path) => /^(?:[\\/]{2}|\\\?\?)/u.test(path) },
  { reason: 'a URL is not a path', applies: (path) => /^[a-z][a-z\d+.-]+:[\\/]/iu.test(path) },
  { reason: 'path of another system', platform: 'posix', applies: (path) => /^[a-z]:/iu.test(path) },
  {
    reason: 'path relative to a drive',
    platform: 'win32',
    applies: (path) => /^[a-z]:(?![\\/])/iu.test(path) || /^[\\/]/u.test(path),
  },
  {
    reason: 'stream of a file',
    platform: 'win32',
    isOfNames: true,
    applies: (path) => path.replace(/^[a-z]:/iu, '').includes(':'),
  },
  {
    // macOS: `a.txt/..namedfork/rsrc`
    reason: 'stream of a file',
    platform: 'posix',
    applies: (path) => components(path, 'posix').some((name) => name.toLowerCase() === '..namedfork'),
  },
  {
    reason: 'reserved device name',
    platform: 'win32',
    applies: (path) => components(path, 'win32').some((name) => RESERVED.test(name)),
  },
  {
    reason: 'short file name',
    platform: 'win32',
    isOfNames: true,
    applies: (path) => components(path, 'win32').some(isShortName),
  },
  {
    reason: 'Windows allows none of `< > " | ? *` in a name',
    platform: 'win32',
    isOfNames: true,
    applies: (path) => /[<>"|?*]/u.test(path),
  },
];

/** Whether Windows may find another name by this one: `PROGRA~1`. */
export function isShortName(name: string): boolean {
  return SHORT_NAME.test(name);
}

/** Why no file can have one of the names of a path, which Windows would silently change, if so. */
export function unusableName(path: string, platform: Platform): string | undefined {
  if (platform !== 'win32') return undefined;
  const name = components(path, platform).find((each) => /[. ]$/u.test(each) && !/^\.{1,2}$/u.test(each));
  if (name === undefined) return undefined;
  const reason = `Windows drops the dot or blank at the end of ${name}`;
  return reason;
}

/** Why a path argument is refused without looking anything up, if it is. */
export function refusal(path: string, platform: Platform, isWord = false): string | undefined {
  const found = REFUSALS.find(
    (refused) =>
      (refused.platform ?? platform) === platform &&
      !(isWord && refused.isOfNames === true) &&
      refused.applies(path),
  )?.reason;
  if (found !== undefined) return found;
  return components(path, platform).length > limits.pathLevels ? 'the path has too many levels' : undefined;
}

/** The names of a path without its root; `.` and `..` are kept, because only the file system knows what they mean. */
export function components(path: string, platform: Platform): readonly string[] {
  return withoutRoot(path, platform)
    .split(platform === 'win32' ? /[\\/]+/u : /\/+/u)
    .filter((name) => name !== '');
}

export function isAbsolute(path: string, platform: Platform): boolean {
  return rootOf(path, platform) !== '';
}

export function join(folder: string, name: string, platform: Platform): string {
  const separator = platform === 'win32' ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}

/** Splits off the last component; `undefined` at the root. */
export function splitLast(path: string, platform: Platform): { folder: string; name: string } | undefined {
  const names = components(path, platform);
  const name = names.at(-1);
  if (name === undefined) return undefined;
  const folder = names.slice(0, -1).reduce((at, next) => join(at, next, platform), rootOf(path, platform));
  return { folder, name };
}

/** When two names are the same file. */
export interface NameRules {
  readonly platform: Platform;
  /** Whether names that differ only in case are different files. */
  readonly caseSensitive: boolean;
  /** The system finds a name in whatever way its letters and accents are composed. */
  readonly composesNames?: boolean;
}

/** The components of `path` below `folder`; `undefined` if it is not below it. Both without `..` and links. */
export function componentsBelow(
  folder: string,
  path: string,
  { platform, caseSensitive, composesNames = false }: NameRules,
): readonly string[] | undefined {
  const folded = (name: string): string => {
    const composed = composesNames ? name.normalize('NFC') : name;
    return caseSensitive ? composed : composed.toUpperCase();
  };
  const same = (a = '', b = '') => folded(a) === folded(b);
  if (!same(rootOf(folder, platform), rootOf(path, platform))) return undefined;
  const [outer, inner] = [components(folder, platform), components(path, platform)];
  return inner.length >= outer.length && outer.every((name, index) => same(name, inner[index]))
    ? inner.slice(outer.length)
    : undefined;
}

/** `/`, `C:\`, `\\host\share\` or nothing. */
function rootOf(path: string, platform: Platform): string {
  if (platform === 'posix') return path.startsWith('/') ? '/' : '';
  const drive = /^[a-z]:(?=[\\/]|$)/iu.exec(path)?.[0];
  if (drive !== undefined) return `${drive}\\`;
  const share = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/u.exec(path);
  return share === null ? '' : `\\\\${share[1] ?? ''}\\${share[2] ?? ''}\\`;
}

function withoutRoot(path: string, platform: Platform): string {
  if (platform === 'posix') return path;
  return path.replace(/^(?:[a-z]:(?=[\\/]|$)|[\\/]{2}[^\\/]+[\\/]+[^\\/]+)/iu, '');
}

export type Platform = 'posix' | 'win32';

const WILDCARD = /[*?]/u;
const PLAIN = /^[\x20-\x7e]*$/u;

/** Reduces a path component to the form that any file system or program might treat it as. */
export function foldName(name: string, platform: Platform): string {
  // Windows opens `.git`, `.git. .` and `.git::$INDEX_ALLOCATION` as the same folder.
  const bare = platform === 'win32' ? withoutEnd(name) : name;
  if (PLAIN.test(bare)) return bare.toLowerCase();
  // Upper case first: `ß` and `SS` fold to the same text only in that order.
  return removeInvisible(bare).normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

function withoutEnd(name: string): string {
  const [bare = ''] = name.split(':', 1);
  let end = bare.length;
  while (end > 0 && '. '.includes(bare.charAt(end - 1))) end -= 1;
  return bare.slice(0, end);
}

/** Whether a name matches a pattern (`*`: any characters, `?`: one). Wildcards in the name are literal. */
export function fitsPattern(pattern: string, name: string): boolean {
  return pattern.includes('?') ? fitsCharacters(pattern, name) : fitsParts(pattern.split('*'), name);
}

/** Whether the parts occur in the name in this order, the first at its beginning and the last at its end. */
function fitsParts([first = '', ...rest]: readonly string[], name: string): boolean {
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false;
  let at = first.length;
  for (const part of rest) {
    at = name.indexOf(part, at);
    if (at === -1) return false;
    at += part.length;
  }
  return at <= name.length - last.length;
}

function fitsCharacters(pattern: string, name: string): boolean {
  const [wanted, given] = [Array.from(pattern), Array.from(name)];
  let at = 0;
  // The last star, and how much of the name it has matched: only there is another try useful.
  let star = -1;
  let taken = 0;
  for (let index = 0; index < given.length;) {
    if (wanted[at] === '*') {
      star = at++;
      taken = index;
    } else if (wanted[at] === '?' || wanted[at] === given[index]) {
      at++;
      index++;
    } else if (star !== -1) {
      at = star + 1;
      index = ++taken;
    } else {
      return false;
    }
  }
  return wanted.slice(at).every((one) => one === '*');
}

/** The pattern with `*` in place of character sets: it matches everything that the pattern matches. */
export function withoutSets(pattern: string): string {
  const [start, end] = [pattern.indexOf('['), pattern.lastIndexOf(']')];
  return start === -1 || end < start ? pattern : `${pattern.slice(0, start)}*${pattern.slice(end + 1)}`;
}

/** Whether some name matches both patterns. A plain name is a pattern too. */
export function overlaps(first: string, second: string): boolean {
  if (!WILDCARD.test(second)) return fitsPattern(first, second);
  if (!WILDCARD.test(first)) return fitsPattern(second, first);
  const [a, b] = [Array.from(first), Array.from(second)];
  // reachable[j]: the part of `a` read so far and the first j characters of `b` match a common name.
  const stars = b.findIndex((character) => character !== '*');
  let reachable = [true, ...b.map((_, j) => stars === -1 || j < stars)];
  for (const one of a) {
    const next = [one === '*' && reachable[0] === true];
    for (const [j, other] of b.entries()) {
      const [both, onlyFirst, onlySecond] = [reachable[j], reachable[j + 1], next[j]];
      next.push(
        one === '*' || other === '*'
          ? both === true || onlyFirst === true || onlySecond === true
          : both === true && (one === other || one === '?' || other === '?'),
      );
    }
    reachable = next;
  }
  return reachable[b.length] === true;
}
