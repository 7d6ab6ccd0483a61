import { execFile } from 'node:child_process';
import { access, realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { isWithin } from '../files/path-file-system';
import { gitConfig } from '../processes/environment';
import { findProgram } from '../processes/start-program';
import {
  inevitable,
  isPartialClone,
  nestedRepositories,
  readSettings,
  settingsAgainst,
  variablesAgainst,
  type GitSettings,
} from './git-settings';

/** Every git that refreshes its index calls it, `git status` too. Those of commits and the like are meant to run. */
const INDEX_HOOK = 'hooks/post-index-change';

/** Git then works in a repository without a `.git` only where the command says so. */
const ONLY_NAMED_BARE = ['safe.bareRepository', 'explicit'] as const;

/** It would call a hook after each fetch. */
const NO_MAINTENANCE = ['maintenance.auto', 'false'] as const;

interface GuardedCommand {
  readonly command: string;
  readonly cwd: string;
  /** What the command would get without a guard. */
  readonly environment: NodeJS.ProcessEnv;
  /** The folders of the workspace: git is not taken from there. */
  readonly roots: readonly string[];
}

/**
 * The environment in which git starts no program that the repository around a folder or a submodule of it names while
 * it reads or reaches a remote. What the user has set for all repositories holds.
 */
export async function guardedGit({
  command,
  cwd,
  environment: given,
  roots,
}: GuardedCommand): Promise<NodeJS.ProcessEnv> {
  const text = command.replace(/['"\\]/gu, '');
  if (!/\bgit\b/iu.test(text)) return given;
  // Windows would also take one from the folder in which it is started.
  const program = process.platform === 'win32' ? await findProgram('git', { cwd, roots }) : 'git';
  if (program === undefined) return given;
  // What objects are missing would be fetched by a program that the repository names; git asks about itself as well.
  const environment = { ...given, GIT_NO_LAZY_FETCH: '1' };
  const signal = AbortSignal.timeout(limits.gitAnswerMs);
  const ask: AskGit = async (folder, ...words) => {
    const options = { cwd: folder, env: environment, maxBuffer: limits.gitAnswerBytes, signal };
    try {
      const { stdout } = await promisify(execFile)(program, words, { ...options, windowsHide: true });
      return stdout.replace(/\r?\n$/u, '');
    } catch (error) {
      if (hasRefused(error)) return '';
      throw error;
    }
  };
  const look = text.includes('--sub') ? settingsBelow : settingsAround;
  try {
    const [folders, gitFolder] = await Promise.all([
      look(cwd, ask, signal),
      ask(cwd, 'rev-parse', '--absolute-git-dir'),
    ]);
    const settings: GitSettings = {
      own: folders[0].own,
      theirs: folders.flatMap(({ theirs }) => theirs),
      hasHook: folders.some(({ hasHook }) => hasHook),
    };
    const name = inevitable(settings);
    if (name !== undefined) throw new ToolError(notStarted(name));
    const places = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
    for (const found of folders) await checkTop(found, places);
    const changed = [...settingsAgainst(settings)];
    if (!isOfUser(gitFolder, places)) changed.push(ONLY_NAMED_BARE);
    const isPartial = isPartialClone(settings);
    if (isPartial) changed.push(NO_MAINTENANCE);
    return {
      ...variablesAgainst(settings),
      ...(isPartial ? given : environment),
      ...gitConfig(environment, changed),
    };
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(
      'The settings of git could not be looked through, so the command was not started. Try again, or ask the user to run it.',
      { cause: error },
    );
  }
}

function notStarted(name: string): string {
  return `The settings of the repository name a program with which git would reach another repository (${name}). That cannot be switched off, so the command was not started. Ask the user to look at it and to take it out of .git/config, or to run the command.`;
}

/**
 * Ordinary files of a workspace can make up a repository without a `.git`. One that a folder of the workspace is, or
 * lies in, has come by itself.
 */
function isOfUser(gitFolder: string, roots: readonly string[]): boolean {
  if (path.basename(gitFolder) === '.git') return true;
  return path.isAbsolute(gitFolder) && roots.some((root) => isWithin(root, path.normalize(gitFolder)));
}

/** A repository may say that its files lie anywhere; those of a submodule, and of a working folder, lie by their `.git`. */
async function checkTop({ theirs, folder, top }: FolderSettings, roots: readonly string[]): Promise<void> {
  if (!theirs.some(([name]) => name === 'core.worktree')) return;
  let around = await realpath(folder);
  while (path.dirname(around) !== around && !(await exists(path.join(around, '.git')))) {
    around = path.dirname(around);
  }
  const isRepository = path.dirname(around) !== around;
  if ([...roots, ...(isRepository ? [around] : [])].some((place) => isWithin(top, place))) return;
  throw new ToolError(
    `The settings of the repository say that its files lie in ${top} (core.worktree), outside of the workspace, so the command was not started. Ask the user to take that out of .git/config, or to run the command.`,
  );
}

/** What git answers in a folder; nothing where it cannot. */
type AskGit = (folder: string, ...words: readonly string[]) => Promise<string>;
interface FolderSettings extends GitSettings {
  /** The folder that was asked about. */
  readonly folder: string;
  /** Where the files of its repository lie; the folder where there is none, or none with files. */
  readonly top: string;
}
type FoundSettings = readonly [FolderSettings, ...FolderSettings[]];

/** Those of the repository around a folder, and then those of its submodules. */
async function settingsAround(folder: string, ask: AskGit): Promise<FoundSettings> {
  const [settings, index] = await Promise.all([
    settingsIn(folder, ask),
    ask(folder, 'ls-files', '--stage', '--full-name', '-z', ':/'),
  ]);
  const submodules = Array.from(index.matchAll(/(?<=^|\0)160000 [^\t\0]*\t([^\0]*)/gu), ([, name = '']) =>
    path.resolve(settings.top, name),
  );
  const found: [FolderSettings, ...FolderSettings[]] = [settings];
  for (const submodule of submodules) {
    // One that is not checked out has no settings, and git would answer for the repository around it.
    if (await exists(path.join(submodule, '.git'))) found.push(...(await settingsAround(submodule, ask)));
  }
  return found;
}

/** The same for a command that goes into submodules of any commit, which no index may name any more. */
async function settingsBelow(folder: string, ask: AskGit, signal: AbortSignal): Promise<FoundSettings> {
  const [settings, ...inner] = await Promise.all([
    settingsIn(folder, ask),
    ask(folder, 'rev-parse', '--git-path', 'modules'),
    ask(folder, 'rev-parse', '--git-common-dir'),
  ]);
  const found: [FolderSettings, ...FolderSettings[]] = [settings];
  const tops = inner.filter((top) => top !== '').map((top) => path.resolve(folder, top));
  for (const nested of await nestedRepositories([settings.top, ...tops], signal)) {
    found.push(await settingsIn(nested, ask));
  }
  return found;
}

async function settingsIn(folder: string, ask: AskGit): Promise<FolderSettings> {
  const [list, hook, top] = await Promise.all([
    // Also where the user lets git work in no repository without `.git`.
    ask(folder, '-c', 'safe.bareRepository=all', 'config', '--list', '--show-scope', '-z'),
    ask(folder, 'rev-parse', '--git-path', INDEX_HOOK),
    ask(folder, 'rev-parse', '--show-toplevel'),
  ]);
  const hasHook = hook !== '' && (await exists(path.resolve(folder, hook)));
  return { ...readSettings(list), hasHook, folder, top: path.resolve(folder, top) };
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
