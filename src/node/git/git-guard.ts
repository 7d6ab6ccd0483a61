import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { limits } from '../../base/limits';
import { visibleText } from '../../base/text';
import { ToolError } from '../../core/words/tool';
import { meansHooks } from '../../policy/commands/git';
import { programName } from '../../policy/commands/programs';
import { isWithin } from '../files/path-file-system';
import { gitConfig } from '../processes/environment';
import { findProgram } from '../processes/start-program';
import {
  exists,
  settingsAround,
  settingsBelow,
  type AskGit,
  type FolderSettings,
  type FoundSettings,
} from './git-look';
import { whyRemotesAsk } from './git-remotes';
import {
  inevitable,
  isPartialClone,
  settingsAgainst,
  unknownSettings,
  variablesAgainst,
  withAliases,
  type GitSettings,
} from './git-settings';

/** Git then works in a repository without a `.git` only if the command says so. */
const ONLY_NAMED_BARE = ['safe.bareRepository', 'explicit'] as const;

/** It would call a hook after each fetch. */
const NO_MAINTENANCE = ['maintenance.auto', 'false'] as const;

/** Programs that start git in the folder they are started in. */
const STARTS_GIT: ReadonlySet<string> = new Set(['git', 'gh', 'glab', 'hub', 'tig', 'gitk', 'git-lfs']);

export interface GitCommand {
  readonly command: string;
  /** The simple commands in it, as words. */
  readonly commands: readonly (readonly string[])[];
  /** Whether these are all it does, with exactly these words. */
  readonly isPlain: boolean;
  readonly cwd: string;
  /** What the command would get without a guard. */
  readonly environment: NodeJS.ProcessEnv;
  /** The folders of the workspace: git is not taken from there. */
  readonly roots: readonly string[];
}

/**
 * What to ask the user before git starts: settings of the repository that may start a program and cannot be switched
 * off here, and other repositories on this machine. Never throws.
 */
export async function gitQuestions(command: GitCommand): Promise<readonly string[]> {
  if (!startsGit(command)) return [];
  try {
    const look = await lookThrough(command, SHOWS_SUBMODULES);
    return look === undefined ? [] : await questionsOf(look, command);
  } catch {
    // The same failure will prevent the start.
    const reason = 'the settings of git cannot be read';
    return [reason];
  }
}

/**
 * The environment in which git starts no program that the repository around a folder or a submodule of it names while
 * it reads or reaches a remote. What the user has set for all repositories holds. `answered`: the questions that the
 * user was asked.
 */
export async function guardedGit(
  command: GitCommand,
  answered: readonly string[],
): Promise<NodeJS.ProcessEnv> {
  const { environment: given, roots } = command;
  try {
    const look = await lookThrough(command, MEETS_REPOSITORIES);
    if (look === undefined) return given;
    const { folders, settings, environment } = look;
    const name = inevitable(settings);
    if (name !== undefined) throw new ToolError(notStarted(name));
    const places = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
    for (const found of folders) await checkTop(found, places);
    const questions = startsGit(command) ? await questionsOf(look, command) : [];
    const unanswered = questions.find((question) => !answered.includes(question));
    if (unanswered !== undefined) throw new ToolError(changed(unanswered));
    const changes = [...settingsAgainst(settings, { withHooks: withHooks(command, settings) })];
    if (!isOfUser(folders[0].gitFolder, places)) changes.push(ONLY_NAMED_BARE);
    const isPartial = isPartialClone(settings);
    if (isPartial) changes.push(NO_MAINTENANCE);
    return {
      ...variablesAgainst(settings),
      ...(isPartial ? given : environment),
      ...gitConfig(environment, changes),
    };
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(
      'The settings of git could not be read, so the command was not started. Try again, or ask the user to run it.',
      { cause: error },
    );
  }
}

interface Look {
  readonly folders: FoundSettings;
  /** Those of all folders together. */
  readonly settings: GitSettings;
  readonly environment: NodeJS.ProcessEnv;
}

/** They go into submodules of other commits too, which no index names. */
const SHOWS_SUBMODULES = /--sub/u;

/**
 * The same, and what changes the index: a repository in a folder may become a submodule by it, and the git that goes on, or
 * the next one of the line, goes into it. It is looked for when the command starts, as that takes as long as the tree is.
 */
const MEETS_REPOSITORIES =
  /--sub|\b(?:add|am|apply|bisect|checkout|cherry-pick|clone|commit|fetch|merge|mv|pull|read-tree|rebase|reset|restore|revert|rm|sparse-checkout|stash|stage|submodule|switch|update-index|worktree)\b/u;

/** Nothing where no git would start. `everywhere`: for which texts nested repositories count that no index names. */
async function lookThrough(
  { command, cwd, environment: given, roots }: GitCommand,
  everywhere: RegExp,
): Promise<Look | undefined> {
  const text = command.replace(/['"\\]/gu, '');
  if (!namesGit(text)) return undefined;
  // Windows would also take one from the folder in which it is started.
  const program = process.platform === 'win32' ? await findProgram('git', { cwd, roots }) : 'git';
  if (program === undefined) return undefined;
  // What objects are missing would be fetched by a program that the repository names; git asks about itself as well.
  const environment = { ...given, GIT_NO_LAZY_FETCH: '1' };
  const signal = AbortSignal.timeout(limits.gitAnswerMs);
  const ask: AskGit = async (folder, ...words) => {
    const options = { cwd: folder, env: environment, maxBuffer: limits.gitAnswerBytes, signal };
    try {
      const { stdout } = await promisify(execFile)(program, words, { ...options, windowsHide: true });
      return stdout.replace(/\r?\n$/u, '');
    } catch (error) {
      if (hasRefused(error)) return printedBy(error);
      throw error;
    }
  };
  const look = everywhere.test(text) ? settingsBelow : settingsAround;
  const folders = await look(cwd, ask, signal);
  const settings: GitSettings = {
    own: folders[0].own,
    theirs: folders.flatMap(({ theirs }) => theirs),
    hasHook: folders.some(({ hasHook }) => hasHook),
  };
  return { folders, settings, environment };
}

function namesGit(text: string): boolean {
  return /\b(?:git|gh|glab|hub|tig|gitk)\b/iu.test(text);
}

/** As far as it is known; a text that cannot be read asks anyway. */
function startsGit({ command, commands, isPlain }: GitCommand): boolean {
  if (!isPlain) return namesGit(command.replace(/['"\\]/gu, ''));
  return commands.some(([program = '']) => STARTS_GIT.has(programName(program)));
}

async function questionsOf({ folders, settings }: Look, command: GitCommand): Promise<readonly string[]> {
  const questions = unknownSettings(settings).map((name) => {
    const reason = `the repository's settings name ${shortName(name)}, which may start a program`;
    return reason;
  });
  const starts = command.commands.filter(isGit);
  const head = starts.length === 1 ? await readHead(folders[0].gitFolder) : undefined;
  // An alias does nothing where git has a command of its name.
  const gitCommands = starts.flatMap((words) => [words, withAliases(words, settings.own)]);
  for (const words of gitCommands.filter(isGit)) {
    const address = await whyRemotesAsk(words, { folders, cwd: command.cwd, head });
    if (address !== undefined) {
      const reason = `${shortName(address)} may be a repository whose hooks would run`;
      questions.push(reason);
    }
  }
  return [...new Set(questions)];
}

/** It comes with the repository and may contain anything. */
function shortName(name: string): string {
  const visible = visibleText(name.replace(/\s+/gu, ' '));
  return visible.length > LONGEST_NAME ? `${visible.slice(0, LONGEST_NAME)}…` : visible;
}

const LONGEST_NAME = 100;

function isGit([program = '']: readonly string[]): boolean {
  return programName(program) === 'git';
}

/** Only where every git of the command reads or fetches nothing is known to need one. */
function withHooks({ command, commands, isPlain }: GitCommand, { own }: GitSettings): boolean {
  const found = commands.filter(([program = '']) => STARTS_GIT.has(programName(program)));
  if (!isPlain)
    return found.length === 0 || /\b(?:am|check|cherry|commit|merge|pull|push|re|switch|work)/u.test(command);
  if (found.length === 0) return true;
  return found.some((words) => {
    // They push, or look where hooks lie.
    if (!isGit(words)) return words.includes('create') || programName(words[0] ?? '') === 'git-lfs';
    const real = withAliases(words, own);
    return !isGit(real) || meansHooks(real);
  });
}

/** The branch that is checked out, if known. */
async function readHead(gitFolder: string): Promise<string | undefined> {
  if (gitFolder === '') return undefined;
  const text = await readFile(path.join(gitFolder, 'HEAD'), 'utf8').catch(() => '');
  const [, branch] = /^ref: refs\/heads\/(.+)\n?$/u.exec(text) ?? [];
  return branch === '.invalid' ? undefined : branch;
}

function changed(question: string): string {
  return `The settings of git have changed since the command was judged: ${question}. The command was not started. Call it again, and the user will be asked.`;
}

function notStarted(name: string): string {
  return `The settings of the repository name a program with which git would reach another repository (${name}). That cannot be switched off, so the command was not started. Ask the user to check it and remove it from .git/config, or to run the command.`;
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
    `The settings of the repository say that its files lie in ${top} (core.worktree), outside of the workspace, so the command was not started. Ask the user to remove that from .git/config, or to run the command.`,
  );
}

/** Git is missing or unusable here: the command's own git will report the same. */
function hasRefused(error: unknown): error is Error {
  return (
    error instanceof Error && 'code' in error && (typeof error.code === 'number' || error.code === 'ENOENT')
  );
}

/** The partial output before it gave up. */
function printedBy(error: Error): string {
  return 'stdout' in error && typeof error.stdout === 'string' ? error.stdout.replace(/\r?\n$/u, '') : '';
}
