import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  ANY,
  matchName,
  matchPath,
  parseClass,
  STAR,
  type NamePart,
  type PathComponent,
} from '../../tools/files/glob';

/** The rules of one ignore file, with git's meaning: the last matching rule wins. */
class IgnoreFile {
  /** Most rules are plain names or extensions; a map finds these without trying each rule. */
  private readonly byName = new Map<string, Rule[]>();
  private readonly byEnding = new Map<string, Rule[]>();
  private readonly others: Rule[] = [];

  constructor(text: string) {
    const lines = text.replace(/^\ufeff/, '').split('\n');
    for (const [index, line] of lines.entries()) {
      const rule = parseRule(line, index);
      if (rule) this.add(rule);
    }
  }

  /**
   * The decision for an entry below the file's folder, whose path has `depth` names; `undefined` if no rule matches.
   */
  decide({ folders, name, isFolder }: IgnorableEntry, depth: number): 'ignored' | 'kept' | undefined {
    let best: Rule | undefined;
    let path: readonly string[] | undefined;
    const consider = (rule: Rule): void => {
      if ((best && best.index > rule.index) || (rule.onlyFolders && !isFolder)) return;
      if (rule.path) path ??= [...folders.slice(depth), name];
      if (rule.path && path ? matchPath(rule.path, path) : matchName(rule.name, name)) best = rule;
    };
    this.byName.get(name)?.forEach(consider);
    this.byEnding.get(endingOf(name))?.forEach(consider);
    this.others.forEach(consider);
    return best && (best.negated ? 'kept' : 'ignored');
  }

  private add(rule: Rule): void {
    const [first, ...rest] = rule.name;
    const plain = rest.every((part) => typeof part === 'string') ? rest.join('') : undefined;
    if (rule.path || plain === undefined) this.others.push(rule);
    else if (typeof first === 'string') insert(this.byName, first + plain, rule);
    else if (first === STAR && /^\.[^.]+$/.test(plain)) insert(this.byEnding, plain, rule);
    else this.others.push(rule);
  }
}

interface IgnorableEntry {
  /** The names in the path of the folder that contains it. */
  readonly folders: readonly string[];
  readonly name: string;
  readonly isFolder: boolean;
}

interface Rule {
  readonly index: number;
  readonly negated: boolean;
  readonly onlyFolders: boolean;
  /** Matches names at every depth, unless there is a path. */
  readonly name: readonly NamePart[];
  /** Matches paths relative to the folder of the ignore file. */
  readonly path?: readonly PathComponent[];
}

function parseRule(line: string, index: number): Rule | undefined {
  const text = withoutBlanksAtEnd(line.replace(/\r$/, ''));
  if (text === '' || text.startsWith('#')) return undefined;
  const negated = text.startsWith('!');
  const [, body = '', slash] = /^(.*?)(\/?)$/su.exec(negated ? text.slice(1) : text) ?? [];
  const components = body.replace(/^\//, '').split('/').map(parseComponent);
  // An invalid pattern matches nothing.
  if (body === '' || components.includes(undefined)) return undefined;
  const path = components.flatMap((component) => component ?? []);
  const [only] = path;
  const rule = { index, negated, onlyFolders: slash === '/', name: only?.parts ?? [] };
  if (!body.includes('/')) return rule;
  // `a/**` matches what is in the folder, not the folder.
  const ending = path.at(-1)?.anyDepth === true ? [{ anyDepth: false, parts: [STAR] as const }] : [];
  return { ...rule, path: [...path, ...ending] };
}

function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  // An escaped space belongs to the pattern.
  const escapes = /\\*$/.exec(line.slice(0, end))?.[0].length ?? 0;
  return escapes % 2 === 1 && end < line.length ? line.slice(0, end + 1) : line.slice(0, end);
}

function parseComponent(source: string): PathComponent | undefined {
  const parts = parseParts(source);
  return parts && { anyDepth: /^\*{2,}$/.test(source), parts };
}

function parseParts(source: string): NamePart[] | undefined {
  const parts: NamePart[] = [];
  for (let i = 0; i < source.length; i++) {
    const character = source.charAt(i);
    if (character === '\\') {
      i++;
      if (i === source.length) return undefined;
      parts.push(source.charAt(i));
    } else if (character === '*') {
      if (parts.at(-1) !== STAR) parts.push(STAR);
    } else if (character === '?') parts.push(ANY);
    else if (character === '[') {
      const close = source.indexOf(']', i + (/^[!^]/.test(source.slice(i + 1)) ? 3 : 2));
      if (close < 0) return undefined;
      parts.push(parseClass(source.slice(i + 1, close)));
      i = close;
    } else parts.push(character);
  }
  return parts;
}

function endingOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

function insert(rules: Map<string, Rule[]>, key: string, rule: Rule): void {
  const present = rules.get(key);
  if (present) present.push(rule);
  else rules.set(key, [rule]);
}

/** The files with ignore rules in a folder; earlier ones take precedence. */
const SOURCES = [
  { file: '.rgignore', isOfGit: false },
  { file: '.ignore', isOfGit: false },
  { file: '.gitignore', isOfGit: true },
  { file: '.git/info/exclude', isOfGit: true },
] as const;

/** All ignore rules that apply to the entries of a folder: its own and those of the folders above. */
export class FolderRules {
  private constructor(
    private readonly parent: FolderRules | undefined,
    /** The number of names in the path of its folder. */
    private readonly depth: number,
    /** Git's rules from folders above end at a repository. */
    private readonly isRepository: boolean,
    private readonly files: ReadonlyMap<string, IgnoreFile>,
  ) {}

  /**
   * Reads the ignore files of a folder. `inRepository`: whether the search is in a repository at all, so that nested
   * ones use only their own rules.
   */
  static async of(
    parent: FolderRules | undefined,
    folder: {
      readonly depth: number;
      readonly entries: readonly { readonly name: string; readonly kind: string }[];
      readonly inRepository: boolean;
      readonly read: (file: string) => Promise<string>;
    },
  ): Promise<FolderRules | undefined> {
    const { depth, entries, inRepository, read } = folder;
    const git = inRepository ? entries.find(({ name }) => name === '.git') : undefined;
    const present = SOURCES.filter(({ file }) =>
      file.startsWith('.git/')
        ? git?.kind === 'folder'
        : entries.some(({ name, kind }) => name === file && kind === 'file'),
    );
    if (present.length === 0 && !git) return parent;
    const files = new Map<string, IgnoreFile>();
    for (const { file } of present) files.set(file, new IgnoreFile(await read(file)));
    return new FolderRules(parent, depth, git !== undefined, files);
  }

  ignores(entry: IgnorableEntry): boolean {
    for (const { file, isOfGit } of SOURCES) {
      const decision = this.decide(file, isOfGit, entry);
      if (decision) return decision === 'ignored';
    }
    return false;
  }

  private decide(file: string, isOfGit: boolean, entry: IgnorableEntry): 'ignored' | 'kept' | undefined {
    const decision = this.files.get(file)?.decide(entry, this.depth);
    if (decision || (isOfGit && this.isRepository)) return decision;
    return this.parent?.decide(file, isOfGit, entry);
  }
}

/** Which ignore files apply: `inside`, only those in the searched folder. */
export type AppliedRules = 'all' | 'inside' | 'none';

export interface SearchBase {
  readonly cwd: string;
  /** What to search, relative to `cwd`. */
  readonly target: string;
  readonly arguments: readonly string[];
}

/**
 * Returns the arguments with which ripgrep finds the right ignore files: those in the searched folder and above it, up
 * to the repository or, without one, the workspace folder. Never further up: a home folder may be full of such rules.
 */
export function searchBase(
  target: string,
  roots: readonly string[],
  rules: AppliedRules = 'all',
): SearchBase {
  const { home: cwd, repository } = searchHome(target, roots);
  const base = { cwd, target: path.relative(cwd, target) || '.' };
  if (rules === 'none') return { ...base, arguments: [...COMMON, '--no-ignore'] };
  if (rules === 'inside')
    return { ...base, arguments: [...COMMON, '--no-require-git', '--no-ignore-parent'] };
  if (repository !== undefined) return { ...base, arguments: COMMON };
  const above = ancestors(target).filter((folder) => folder !== target && isBelow(cwd, folder));
  const files = above
    .reverse()
    .flatMap((folder) => ['.gitignore', '.ignore'].map((name) => path.join(folder, name)))
    .filter((file) => existsSync(file))
    .flatMap((file) => ['--ignore-file', file]);
  return { ...base, arguments: [...COMMON, '--no-require-git', '--no-ignore-parent', ...files] };
}

/** The workspace folder that contains the search target, and the repository around it, if there is one. */
export function searchHome(target: string, roots: readonly string[]): SearchHome {
  const root = roots.filter((each) => isBelow(each, target)).sort((a, b) => b.length - a.length)[0];
  const home = root ?? path.dirname(target);
  const repository = ancestors(home).find((folder) => existsSync(path.join(folder, '.git')));
  return { home, repository };
}

interface SearchHome {
  readonly home: string;
  readonly repository: string | undefined;
}

/** Folders of version control, which are not searched. */
export const VERSION_CONTROL: readonly string[] = ['.git', '.hg', '.svn'];

/** Searches hidden files, but not folders of version control. Settings of this machine do not apply. */
const COMMON: readonly string[] = [
  '--hidden',
  '--no-ignore-global',
  ...VERSION_CONTROL.flatMap((name) => ['--glob', `!${name}`]),
];

function isBelow(folder: string, place: string): boolean {
  const relative = path.relative(folder, place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** The folder and all folders above it. */
function ancestors(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
