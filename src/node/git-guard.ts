import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ToolError } from '../core/tool';
import { limits } from '../policy/limits';
import { gitConfig } from './environment';
import { readSettings, settingsAgainst, type GitSettings } from './git-settings';
import { findProgram } from './server-program';

/** Every git that refreshes its index calls it, `git status` too. Those of commits and the like are meant to run. */
const INDEX_HOOK = 'hooks/post-index-change';

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
  environment,
  roots,
}: GuardedCommand): Promise<NodeJS.ProcessEnv> {
  if (!/\bgit\b/iu.test(command.replace(/['"\\]/gu, ''))) return environment;
  // Windows would also take one from the folder in which it is started.
  const program = process.platform === 'win32' ? await findProgram('git', { cwd, roots }) : 'git';
  if (program === undefined) return environment;
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
  const folders = await settingsAround(cwd, ask);
  const settings: GitSettings = {
    own: folders[0].own,
    theirs: folders.flatMap(({ theirs }) => theirs),
    hasHook: folders.some(({ hasHook }) => hasHook),
  };
  return { ...environment, ...gitConfig(environment, settingsAgainst(settings)) };
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
