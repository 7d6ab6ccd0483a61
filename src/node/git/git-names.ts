import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import type { GitNames, GitNamesQuestion } from '../../policy/commands/printed-names';
import { runProgram } from '../processes/child-process';
import { guardedGit } from './git-guard';
import { gitProgram } from './git-program';

interface GitNamesOptions {
  /** The environment that commands would get. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** The folders of the workspace. A `git` in them is never used. */
  readonly roots: readonly string[];
  /** For all lists of one command together, in milliseconds. */
  readonly timeoutMs?: number;
}

/** How many answers are kept. */
const MOST_ANSWERS = 100;

/**
 * Asks git which files a command would print. Git starts no program that the repository names, and writes nothing. What
 * depends only on HEAD is kept until HEAD or the index changes.
 */
export function createGitNames(options: GitNamesOptions): GitNames {
  const kept = new Map<string, readonly string[]>();
  return async (questions, cwd) => {
    const timeoutMs = options.timeoutMs ?? limits.gitNamesMs;
    const end = performance.now() + timeoutMs;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), timeoutMs);
    });
    try {
      const lists = Promise.all(questions.map((question) => answer(question, cwd, end)));
      const found = await Promise.race([lists, late]);
      const names = found && new Set(found.flat());
      return names === undefined || names.size > limits.gitNames ? undefined : [...names];
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  };

  async function answer(question: GitNamesQuestion, cwd: string, end: number): Promise<readonly string[]> {
    const state = isFixed(question) ? await stateOf(cwd) : undefined;
    const key = state === undefined ? undefined : JSON.stringify([question, cwd, state]);
    const before = key === undefined ? undefined : kept.get(key);
    if (before !== undefined) return before;
    const names = await ask(question, { ...options, cwd, end });
    if (key !== undefined) {
      if (kept.size === MOST_ANSWERS) kept.clear();
      kept.set(key, names);
    }
    return names;
  }
}

/** Quoting off, no pager of its own, and nothing that the settings add to a list. */
const WORDS = ['--no-pager', '--literal-pathspecs', '--no-optional-locks'];
const LISTS: Readonly<Record<GitNamesQuestion['list'], readonly string[]>> = {
  commits: ['log', '--name-only', '-z', '--format=', '--no-renames', '--no-relative', '--no-ext-diff'],
  differences: ['diff', '--name-only', '-z', '--no-renames', '--no-relative', '--no-ext-diff'],
  index: ['ls-files', '-z'],
  tree: ['ls-tree', '-r', '-z', '--name-only'],
  none: ['rev-parse', '--verify', '--quiet'],
};
/** A merge is compared with each parent; the others would show less. */
const ALL_COMMITS = ['--root', '--diff-merges=separate', '--no-show-signature', '--no-color'];

interface Asking extends GitNamesOptions {
  readonly cwd: string;
  /** On the clock of `performance`. */
  readonly end: number;
}

/** Throws if git fails, or is not ready in time. */
async function ask(
  { list, options, revisions, paths }: GitNamesQuestion,
  { environment, roots, cwd, end }: Asking,
): Promise<readonly string[]> {
  const words = [...WORDS, ...LISTS[list], ...(list === 'commits' ? ALL_COMMITS : []), ...options];
  const all = [...words, ...revisions, ...(list === 'none' ? [] : ['--', ...paths])];
  const command = ['git', ...all];
  const guarded = await guardedGit(
    {
      command: command.join(' '),
      commands: [command],
      isPlain: true,
      cwd,
      environment: environment(),
      roots,
    },
    [],
  );
  const program = await gitProgram({ cwd, roots });
  const timeout = Math.floor(end - performance.now());
  if (program === undefined || timeout <= 0) throw new Error('Git is not ready in time.');
  try {
    const { stdout } = await runProgram(program, all, {
      cwd,
      env: { ...guarded, LC_ALL: 'C', GIT_NO_LAZY_FETCH: '1' },
      maxBuffer: limits.gitNamesBytes,
      timeout,
      killSignal: 'SIGKILL',
    });
    if (list === 'none') return [];
    return stdout
      .split('\0')
      .map((name) => name.replace(/^\n+/u, ''))
      .filter((name) => name !== '');
  } catch (error) {
    if (printsNothing(error, revisions)) return [];
    throw error;
  }
}

/** Whether the command itself would fail for the same reason, whatever its words, and so print nothing. */
function printsNothing(error: unknown, revisions: readonly string[]): boolean {
  if (!(error instanceof Error && 'code' in error && error.code === 128 && 'stderr' in error)) return false;
  const text = String(error.stderr);
  if (/^fatal: (?:not a git repository|your current branch .* does not have any commits yet)/mu.test(text))
    return true;
  // Of another name, it could be a file, which git refused here alone.
  return (
    revisions.length > 0 &&
    areOfHead(revisions) &&
    /^fatal: (?:bad revision|ambiguous argument) /mu.test(text)
  );
}

/** Whether all revisions are HEAD and commits before it. */
function areOfHead(revisions: readonly string[], name = /^\^?(?:HEAD|@)[~^\d]*\^\{commit\}$/u): boolean {
  return revisions.every((revision) => revision.split(/\.{2,3}/u).every((commit) => name.test(commit)));
}

const HEAD_OR_NUMBER = /^\^?(?:HEAD|@|[\da-f]{40})[~^\d]*\^\{commit\}$/u;

/** Whether only HEAD and the index decide about the answer: no file of the working tree, and no other branch. */
function isFixed({ list, options, revisions }: GitNamesQuestion): boolean {
  if (
    !areOfHead(revisions, HEAD_OR_NUMBER) ||
    options.some((option) => /^--(?:all|branches|tags|remotes|since|until|after|before)/u.test(option))
  )
    return false;
  if (list !== 'differences') return true;
  return options.some((option) => option === '--cached' || option === '--staged') || revisions.length > 1;
}

/** What changes with HEAD and the index; `undefined` if that is not known. */
async function stateOf(cwd: string): Promise<readonly string[] | undefined> {
  const folder = await gitFolder(cwd);
  if (folder === undefined) return undefined;
  const head = await readFile(path.join(folder, 'HEAD'), 'utf8');
  const common = await readFile(path.join(folder, 'commondir'), 'utf8').catch(() => '.');
  const shared = path.resolve(folder, common.trim());
  const branch = /^ref: (.+)\n?$/u.exec(head)?.[1];
  const commit =
    branch === undefined ? '' : await readFile(path.join(shared, branch), 'utf8').catch(() => '');
  const marks = ['index', 'logs/HEAD'].map((name) => path.join(folder, name));
  const times = [...marks, path.join(shared, 'packed-refs'), path.join(shared, 'config')].map(markOf);
  return [folder, head, commit, ...(await Promise.all(times))];
}

async function markOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found === undefined ? '' : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
}

async function gitFolder(cwd: string): Promise<string | undefined> {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const at = path.join(folder, '.git');
    const found = await stat(at).catch(() => undefined);
    if (found?.isDirectory()) return at;
    if (found?.isFile()) {
      const place = /^gitdir: (.+)\n?$/u.exec(await readFile(at, 'utf8'))?.[1];
      return place === undefined ? undefined : path.resolve(folder, place);
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}
