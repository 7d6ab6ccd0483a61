import { execFile } from 'node:child_process';
import { access, realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ToolError } from '../core/tool';
import { limits } from '../policy/limits';
import { gitConfig, isWithin } from './environment';
import { readSettings, settingsAgainst, type GitSettings } from './git-settings';
import { findProgram } from './server-program';

/** Every git that refreshes its index calls it, `git status` too. Those of commits and the like are meant to run. */
const INDEX_HOOK = 'hooks/post-index-change';

/** Git then works in a repository without a `.git` only where the command says so. */
const ONLY_NAMED_BARE = ['safe.bareRepository', 'explicit'] as const;

export interface GuardedCommand {
  readonly command: string;
  readonly cwd: string;
  /** What the command would get without a guard. */
  readonly environment: NodeJS.ProcessEnv;
  /** The folders of the workspace: git is not taken from there. */
  readonly roots: readonly string[];
}

/**
 * The environment in which git starts no program that the repository around a folder or a submodule of it names while
 * it reads. What the user has set for all repositories holds.
 */
export async function guardedGit({
  command,
  cwd,
  environment: given,
  roots,
}: GuardedCommand): Promise<NodeJS.ProcessEnv> {
  if (!/\bgit\b/iu.test(command.replace(/['"\\]/gu, ''))) return given;
  // Windows would also take one from the folder in which it is started.
  const program = process.platform === 'win32' ? await findProgram('git', { cwd, roots }) : 'git';
  if (program === undefined) return given;
  // What objects are missing would be fetched by a program that the repository names; git asks about itself as well.
  const environment = { ...given, GIT_NO_LAZY_FETCH: '1' };
  const signal = AbortSignal.timeout(limits.gitAnswerMs);
  const ask: AskGit = async (folder, words) => {
    const options = { cwd: folder, env: environment, maxBuffer: limits.gitAnswerBytes, signal };
    try {
      return (await promisify(execFile)(program, words, { ...options, windowsHide: true })).stdout;
    } catch (error) {
      if (hasRefused(error)) return '';
      throw new ToolError(
        'The settings of git could not be looked through, so the command was not started. Try again, or ask the user to run it.',
        { cause: error },
      );
    }
  };
  const [folders, gitFolder] = await Promise.all([
    settingsAround(cwd, ask),
    ask(cwd, ['rev-parse', '--absolute-git-dir']),
  ]);
  const settings: GitSettings = {
    own: folders[0].own,
    theirs: folders.flatMap(({ theirs }) => theirs),
    hasHook: folders.some(({ hasHook }) => hasHook),
  };
  const changed = [...settingsAgainst(settings)];
  if (!(await isOfUser(gitFolder.replace(/\r?\n$/u, ''), roots))) changed.push(ONLY_NAMED_BARE);
  return { ...environment, ...gitConfig(environment, changed) };
}

/**
 * Ordinary files of a workspace can make up a repository without a `.git`. One that a folder of the workspace is, or
 * lies in, has come by itself.
 */
async function isOfUser(gitFolder: string, roots: readonly string[]): Promise<boolean> {
  if (path.basename(gitFolder) === '.git') return true;
  const resolved = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  return path.isAbsolute(gitFolder) && resolved.some((root) => isWithin(root, path.normalize(gitFolder)));
}

/** What git answers in a folder; nothing where it cannot. */
type AskGit = (folder: string, words: readonly string[]) => Promise<string>;

/** Those of the repository around a folder, and then those of its submodules. */
async function settingsAround(
  folder: string,
  ask: AskGit,
): Promise<readonly [GitSettings, ...GitSettings[]]> {
  const [list, hook, index] = await Promise.all([
    ask(folder, ['config', '--list', '--show-scope', '-z']),
    ask(folder, ['rev-parse', '--git-path', INDEX_HOOK]),
    ask(folder, ['ls-files', '--stage', '-z', ':/']),
  ]);
  const hasHook = hook !== '' && (await exists(path.resolve(folder, hook.replace(/\r?\n$/u, ''))));
  const submodules = Array.from(index.matchAll(/(?<=^|\0)160000 [^\t\0]*\t([^\0]*)/gu), ([, name = '']) =>
    path.resolve(folder, name),
  );
  const found: [GitSettings, ...GitSettings[]] = [{ ...readSettings(list), hasHook }];
  for (const submodule of submodules) {
    // One that is not checked out has no settings, and git would answer for the repository around it.
    if (await exists(path.join(submodule, '.git'))) found.push(...(await settingsAround(submodule, ask)));
  }
  return found;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** There is no git, or none that could do anything here: the command's own git will say the same. */
function hasRefused(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (typeof error.code === 'number' || error.code === 'ENOENT')
  );
}
