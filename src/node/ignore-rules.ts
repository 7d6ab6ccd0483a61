import { existsSync } from 'node:fs';
import path from 'node:path';

export interface SearchBase {
  readonly cwd: string;
  /** What to search, relative to `cwd`. */
  readonly target: string;
  readonly arguments: readonly string[];
}

/**
 * How ripgrep finds the ignore files that count: those in the searched folder and above it, up to the repository or,
 * where there is none, up to the folder of the workspace. Never further: a home folder may be full of such rules.
 */
export function searchBase(target: string, roots: readonly string[]): SearchBase {
  const { home: cwd, repository } = searchHome(target, roots);
  const base = { cwd, target: path.relative(cwd, target) || '.' };
  if (repository !== undefined) return { ...base, arguments: COMMON };
  const above = ancestors(target).filter((folder) => folder !== target && isBelow(cwd, folder));
  const files = above
    .reverse()
    .flatMap((folder) => ['.gitignore', '.ignore'].map((name) => path.join(folder, name)))
    .filter((file) => existsSync(file))
    .flatMap((file) => ['--ignore-file', file]);
  return { ...base, arguments: [...COMMON, '--no-require-git', '--no-ignore-parent', ...files] };
}

/** The folder of the workspace that a search is in, and the repository around it, if there is one. */
export function searchHome(target: string, roots: readonly string[]): SearchHome {
  const root = roots.filter((each) => isBelow(each, target)).sort((a, b) => b.length - a.length)[0];
  const home = root ?? path.dirname(target);
  const repository = ancestors(home).find((folder) => existsSync(path.join(folder, '.git')));
  return { home, repository };
}

export interface SearchHome {
  readonly home: string;
  readonly repository: string | undefined;
}

/** Their insides are not searched. */
export const VERSION_CONTROL: readonly string[] = ['.git', '.hg', '.svn'];

/** Hidden files count, the insides of version control do not; what holds only on this machine changes nothing. */
const COMMON: readonly string[] = [
  '--hidden',
  '--no-ignore-global',
  ...VERSION_CONTROL.flatMap((name) => ['--glob', `!${name}`]),
];

function isBelow(folder: string, place: string): boolean {
  const relative = path.relative(folder, place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** From the folder itself up to the root of the file system. */
function ancestors(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
