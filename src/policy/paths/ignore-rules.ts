import { limits } from '../../base/limits';
import { fitsPattern, foldName, type Platform } from './path-text';

/**
 * The rules of the ignore files for agents in one folder, such as `.parleyignore`, in the syntax of `.gitignore`. Plain
 * data, so that other threads can be given it.
 */
export interface IgnoreRules {
  /** The absolute path of the folder, as it is named and with links resolved. */
  readonly folders: readonly string[];
  /** The contents of its ignore files. Each decides on its own. */
  readonly texts: readonly string[];
}

/** Tells whether some ignore file names a path, or a folder above it. A folder's own path ends with `/`. */
export function ignoreFilter(all: readonly IgnoreRules[], platform: Platform): (path: string) => boolean {
  if (all.length === 0) return () => false;
  const compiled = all.flatMap((rules) => compiledOf(rules, platform));
  return (path) => {
    const names = namesOf(path, platform);
    return compiled.some(
      ({ above, files }) =>
        above.every((name, at) => name === names[at]) &&
        files.some((rules) => isIgnored(rules, names.slice(above.length), path.endsWith('/'))),
    );
  };
}

interface CompiledRules {
  /** The names in the path of the folder. */
  readonly above: readonly string[];
  readonly files: readonly (readonly IgnoreRule[])[];
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
  const compiled = rules.folders.map((folder) => ({ above: namesOf(folder, platform), files }));
  known.set(rules, compiled);
  return compiled;
}

function namesOf(path: string, platform: Platform): readonly string[] {
  const names = path.replace(/^[a-z]:/iu, '').split(platform === 'win32' ? /[\\/]+/u : /\/+/u);
  return names.filter((name) => name !== '').map((name) => foldName(name, platform));
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

/** What a folder contains stays ignored with it, as git has it. */
function isIgnored(rules: readonly IgnoreRule[], names: readonly string[], isFolder: boolean): boolean {
  return names.some((_, at) => {
    const upTo = names.slice(0, at + 1);
    const isInner = isFolder || upTo.length < names.length;
    const last = rules.findLast((rule) => (isInner || !rule.onlyFolders) && fitsPath(rule.parts, upTo));
    return last !== undefined && !last.isNegated;
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
