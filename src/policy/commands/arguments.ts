import { limits } from '../../base/limits';
import { fitsPattern, isAbsolute, join, withoutSets } from '../paths/path-text';
import { judgePath, type PathRequest } from '../paths/paths';
import type { RememberedFiles } from '../paths/remembered-files';
import { aimsAtSecret } from '../secrets';
import { isUrl } from './addresses';
import type { Shell } from './command-text';
import type { Meaning } from './argument-kinds';
import { rowOf } from './rules';
import { uses } from './tables/uses';
import { readWindowsWord } from './windows-words';

export type ArgumentScope = Omit<PathRequest, 'path' | 'use'> & {
  readonly cwd: string;
  readonly shell: Shell;
};

/** A word with what it is; `unknown` if no table says it, so that it may be anything. */
export interface JudgedWord {
  readonly text: string;
  readonly isGlob: boolean;
  /** It may be a file or a folder that the program reads. */
  readonly isPlace: boolean;
  readonly means: Meaning | 'unknown';
  readonly parts: readonly string[];
}

/** What the words of a command lead to. */
export interface Places {
  /** Why one of them asks. */
  readonly problem?: string;
  /** The paths that it names, as it names them. */
  readonly paths: readonly string[];
}

/** Judges where the words of a command may lead, and what it may change there. `names`: its program, with subcommand. */
export async function judgePlaces(
  words: readonly JudgedWord[],
  names: readonly string[],
  scope: ArgumentScope,
  files: RememberedFiles,
): Promise<Places> {
  const use = rowOf(uses, names) ?? 'write';
  const mayBeRead = rowOf(uses, names) === undefined;
  const paths = new Set<string>();
  // A text may contain the same word a thousand times.
  const known = new Set<string>();
  for (const word of words) {
    const id = [word.means, word.isGlob, word.text].join(' ');
    if (known.has(id) || (word.means === 'plain' && !word.isGlob)) continue;
    known.add(id);
    // A program that does not work on files takes it for an address; the others for a path, which may well exist.
    if (word.means === 'unknown' && mayBeAddress(word.text, names)) continue;
    if (word.means === 'name') {
      if (await exists(word.text, scope, files))
        return { problem: `it is also a file: ${word.text}`, paths: [...paths] };
      continue;
    }
    const found = word.isGlob ? await filesLike(word.text, scope, files) : await placesIn(word, scope, files);
    if (found === undefined)
      return { problem: `${word.text} may match secret files or too many files`, paths: [...paths] };
    for (const part of found) {
      if (paths.has(part)) continue;
      const { path, problem } = await pathIn(part, { ...scope, writes: use !== 'read' && !mayBeRead }, files);
      if (path.split('/').length > MOST_LEVELS)
        return { problem: `it names too many levels: ${path.slice(0, 80)}…`, paths: [...paths] };
      // The same command is judged by several rules.
      const { verdict } = await files.once(['place', use, mayBeRead, scope.cwd, path].join('\0'), () => {
        files.spend(PATH_STEPS);
        return judgePath({ ...scope, path, use, mayBeRead, isWord: true }, files);
      });
      if (verdict.decision !== 'auto') return { problem: `${verdict.reason}: ${path}`, paths: [...paths] };
      if (problem !== undefined) return { problem, paths: [...paths] };
      // Git takes a word for a folder if there is one: `git grep x src`.
      if (word.isPlace || (word.means === 'revision' && (await exists(path, scope, files)))) paths.add(path);
    }
  }
  return { paths: [...paths] };
}

/** What a part of a word names as a path. On Windows both slashes are the same. */
async function pathIn(
  part: string,
  scope: ArgumentScope & { readonly writes: boolean },
  files: RememberedFiles,
): Promise<{ readonly path: string; readonly problem?: string }> {
  if (files.platform !== 'win32') return { path: part };
  const { path, problem } = await readWindowsWord(part.replaceAll('\\', '/'), scope, files);
  return { path: path === '' ? '.' : path, ...(problem !== undefined && { problem }) };
}

/** Each level is looked up; no workspace is deeper than this. */
const MOST_LEVELS = 100;

/** The cost of judging a path, besides looking at files. */
const PATH_STEPS = 100;

function mayBeAddress(word: string, names: readonly string[]): boolean {
  return isUrl(word) && (names.includes('git') || rowOf(uses, names) === undefined);
}

async function exists(name: string, scope: ArgumentScope, files: RememberedFiles): Promise<boolean> {
  files.spend(PATH_STEPS);
  return (await files.kind(join(scope.cwd, name, files.platform))) !== undefined;
}

/** The paths in a word that is no pattern of the shell; `undefined` if it is a pattern that could name a secret. */
async function placesIn(
  { text, means, parts }: JudgedWord,
  scope: ArgumentScope,
  files: RememberedFiles,
): Promise<readonly string[] | undefined> {
  if (means === 'unknown') return pathsIn(text, files);
  if (means !== 'pattern') return parts;
  const isNegated = text.startsWith('!');
  if (isNegated) return [];
  const found = parts.map((part) => ({ part, glob: part.search(/[*?[{]/u) }));
  const secrets = { platform: files.platform, added: scope.secretNames ?? [] };
  const aims = found
    .filter(({ glob }) => glob !== -1)
    .map(({ part }) => part.slice(part.lastIndexOf('/') + 1));
  if (aims.some((name) => !/^\*+$/u.test(name) && aimsAtSecret(name, secrets))) return undefined;
  // What comes before the pattern says where it looks.
  return found.flatMap(({ part, glob }) => {
    if (glob === -1) return [part];
    if (/(?:^|\/)\.\.(?:\/|$)/u.test(part.slice(glob))) return ['..'];
    const end = part.lastIndexOf('/', glob);
    return end === -1 ? [] : [part.slice(0, Math.max(1, end))];
  });
}

/** Everything in an argument that a program could take as a path: the word, and what follows `=`, `-f` and the like. */
function pathsIn(word: string, { platform }: RememberedFiles): readonly string[] {
  const separators = platform === 'win32' ? WINDOWS_SEPARATORS : /[=:,@<]/u;
  const parts = [word, ...word.split(separators)].filter((part) => !part.startsWith('-'));
  // `-I/usr`, `-vf.env`, `-rfcredentials`: where the value begins is not known.
  const starts = /^-[^-]/su.test(word) ? [2, 3, 4, Math.max(2, word.search(/[/~.\\]/u))] : [];
  const glued = starts.map((start) => word.slice(start));
  // A quoted pattern aims at the name without the `*`: `--include='*.env'`.
  const aimed = parts
    .filter((part) => /[*?[]/u.test(part))
    .map((part) => part.slice(part.lastIndexOf('/') + 1).replace(/[*?[\]]/gu, ''));
  return unique([...parts, ...glued, ...aimed]);
}

/** Not the colon of a drive. */
const WINDOWS_SEPARATORS = /[=,@<]|(?<!(?:^|[=:,@<])[a-z]):|:(?![\\/])/iu;

async function filesLike(
  pattern: string,
  scope: ArgumentScope,
  files: RememberedFiles,
): Promise<readonly string[] | undefined> {
  try {
    return await files.once(['pattern', scope.cwd, pattern].join('\0'), () => expand(pattern, scope, files));
  } catch {
    // The contents of an unreadable folder are unknown, so the command asks.
    return undefined;
  }
}

/** The files that a pattern matches now; `undefined` if it could name a secret, or if there are too many. */
async function expand(
  pattern: string,
  scope: ArgumentScope,
  files: RememberedFiles,
): Promise<readonly string[] | undefined> {
  const names = pattern.split('/');
  if (names.length > limits.pathLevels) return undefined;
  let found: readonly string[] = [];
  for (const [index, name] of names.entries()) {
    const starts = index === 0 ? [''] : found.map((start) => `${start}/`);
    if (!/[*?[]/u.test(name)) {
      found = starts.map((start) => start + name);
      continue;
    }
    if (name.length > LONGEST_NAME) return undefined;
    // A bare `*` aims at nothing in particular; its matches are judged file by file.
    const secrets = { platform: files.platform, added: scope.secretNames ?? [] };
    if (name !== '*' && aimsAtSecret(name, secrets)) return undefined;
    const pattern = withoutSets(name);
    const matching: string[] = [];
    for (const start of starts) {
      const folder = isAbsolute(start, files.platform) ? start : join(scope.cwd, start, files.platform);
      const held = (await files.entries(folder)) ?? [];
      files.spend(held.length);
      // Shells before bash 5.2 also match `..` with `.?`.
      const inside = [...(name.startsWith('.') ? ['.', '..'] : []), ...held.map((entry) => entry.name)];
      matching.push(...inside.filter((entry) => fits(pattern, entry)).map((entry) => start + entry));
      if (matching.length > limits.commandPatternFiles) return undefined;
    }
    found = matching;
  }
  return unique([...found, ...pathsIn(pattern, files)]);
}

/** May say yes too often. */
function fits(pattern: string, entry: string): boolean {
  if (entry.startsWith('.') && !pattern.startsWith('.')) return false;
  return fitsPattern(pattern, entry);
}

/** No file system has longer names, so what a longer pattern aims at is unknown. */
const LONGEST_NAME = 255;

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}
