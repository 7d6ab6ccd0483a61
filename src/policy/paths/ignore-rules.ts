import { limits } from '../../base/limits';
import { fitsPattern, foldName, type Platform } from './path-text';

/**
 * The rules of the ignore files for agents in one folder, such as `.parleyignore`, in the syntax of `.gitignore`. As in
 * git, a folder below may have such a file, too, which comes before those of the folders above it.
 */
export interface IgnoreRules {
  /** The absolute path of the folder, as it is named and with links resolved. */
  readonly folders: readonly string[];
  /** The contents of its ignore files, one for each name that such a file may have. Each name decides on its own. */
  readonly texts: readonly string[];
  /** The same of a folder below, by the names on the way there. Asked once for each filter. */
  readonly below?: (names: readonly string[]) => readonly string[];
}

/** Tells whether some ignore file names a path, or a folder above it. A folder's own path ends with `/`. */
export function ignoreFilter(all: readonly IgnoreRules[], platform: Platform): (path: string) => boolean {
  if (all.length === 0) return () => false;
  const compiled = all.flatMap((rules) => {
    const rulesBelow = lookBelow(rules);
    return compiledOf(rules, platform).map((each) => ({ ...each, rulesBelow }));
  });
  return (path) => {
    const spelled = namesOf(path, platform);
    const names = spelled.map((name) => foldName(name, platform));
    return compiled.some(({ above, files, rulesBelow }) => {
      if (!above.every((name, at) => name === names[at])) return false;
      const levels = rulesBelow(spelled.slice(above.length, -1));
      return files.some((rules, kind) => {
        const byLevel = [rules, ...levels.map((level) => level[kind] ?? [])];
        return isIgnored(byLevel, names.slice(above.length), path.endsWith('/'));
      });
    });
  };
}

type FileRules = readonly IgnoreRule[];

/** The rules of each folder on the way, from the outermost on. */
function lookBelow({ below }: IgnoreRules): (names: readonly string[]) => readonly (readonly FileRules[])[] {
  if (!below) return () => [];
  const known = new Map<string, readonly FileRules[]>();
  return (names) =>
    names.map((_, at) => {
      const folder = names.slice(0, at + 1);
      const key = folder.join('/');
      const rules = known.get(key) ?? below(folder).map(parseRules);
      known.set(key, rules);
      return rules;
    });
}

interface CompiledRules {
  /** The names in the path of the folder. */
  readonly above: readonly string[];
  readonly files: readonly FileRules[];
}

interface IgnoreRule {
  readonly isNegated: boolean;
  readonly onlyFolders: boolean;
  /** A pattern for each name of the path below the folder; `**` fits any number of names. */
  readonly parts: readonly string[];
}

// Parsed once: paths are judged one by one.
const known = /* @__PURE__ */ new WeakMap<IgnoreRules, readonly CompiledRules[]>();

function compiledOf(rules: IgnoreRules, platform: Platform): readonly CompiledRules[] {
  const before = known.get(rules);
  if (before) return before;
  const files = rules.texts.map(parseRules);
  const compiled = rules.folders.map((folder) => ({
    above: namesOf(folder, platform).map((name) => foldName(name, platform)),
    files,
  }));
  known.set(rules, compiled);
  return compiled;
}

function namesOf(path: string, platform: Platform): readonly string[] {
  const names = path.replace(/^[a-z]:/iu, '').split(platform === 'win32' ? /[\\/]+/u : /\/+/u);
  return names.filter((name) => name !== '');
}

/** With more rules than can be checked, the file names everything. */
function parseRules(text: string): readonly IgnoreRule[] {
  const rules = text
    .replace(/^\uFEFF/u, '')
    .split('\n')
    .flatMap((line) => parseRule(line) ?? []);
  return rules.length > limits.agentIgnoreRules ? [EVERYTHING] : rules;
}

const EVERYTHING: IgnoreRule = { isNegated: false, onlyFolders: false, parts: ['**', '*'] };

function parseRule(line: string): IgnoreRule | undefined {
  const text = line.replace(/\r$/u, '').replace(/(?<!\\) +$/u, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const isNegated = text.startsWith('!');
  const pattern = isNegated ? text.slice(1) : text;
  const onlyFolders = pattern.endsWith('/');
  const body = pattern.replace(/\/+$/u, '');
  if (body === '') return undefined;
  const parts = body
    .split('/')
    .filter((part, at) => part !== '' || at > 0)
    .map(patternOf);
  // A pattern that is only read roughly may take away more than it says, but give back nothing.
  if (isNegated && parts.some(({ isRough }) => isRough)) return undefined;
  const patterns = parts.map((part) => part.pattern);
  const isAnywhere = !body.includes('/');
  return {
    isNegated,
    onlyFolders,
    parts: [
      ...(isAnywhere ? ['**'] : []),
      ...patterns,
      // `a/**` names what is in the folder.
      ...(patterns.at(-1) === '**' ? ['*'] : []),
    ],
  };
}

/** As `fitsPattern` reads it: sets become one character, and so do wildcards that are escaped. */
function patternOf(part: string): { readonly pattern: string; readonly isRough: boolean } {
  if (/^\*{2,}$/u.test(part)) return { pattern: '**', isRough: false };
  let isRough = false;
  const plain = part.replace(/\\(.)|\[[!^]?\]?[^\]]*\]/gu, (_, escaped?: string) => {
    if (escaped !== undefined && !/[*?[]/u.test(escaped)) return escaped;
    isRough = true;
    return '?';
  });
  return { pattern: foldName(plain.replace(/\*+/gu, '*'), 'posix'), isRough };
}

/**
 * What a folder contains stays ignored with it, and the file of the innermost folder comes first, as git has it.
 * `byLevel`: the rules of the outermost folder, then those of the folders that `names` leads through.
 */
function isIgnored(byLevel: readonly FileRules[], names: readonly string[], isFolder: boolean): boolean {
  return names.some((_, at) => {
    const isInner = isFolder || at + 1 < names.length;
    for (let level = Math.min(at, byLevel.length - 1); level >= 0; level--) {
      const upTo = names.slice(level, at + 1);
      const last = byLevel[level]?.findLast(
        (rule) => (isInner || !rule.onlyFolders) && fitsPath(rule.parts, upTo),
      );
      if (last) return !last.isNegated;
    }
    return false;
  });
}

/** Only the last `**` needs another try, so the steps are bounded by the product of both lengths. */
function fitsPath(parts: readonly string[], names: readonly string[]): boolean {
  let part = 0;
  let star = -1;
  let taken = 0;
  for (let at = 0; at < names.length;) {
    const pattern = parts[part];
    if (pattern === '**') {
      star = part++;
      taken = at;
    } else if (pattern !== undefined && fitsPattern(pattern, names[at] ?? '')) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++taken;
    } else return false;
  }
  return part === parts.length;
}
