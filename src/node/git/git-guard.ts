import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import { visibleText } from '../../base/text';
import { ToolError } from '../../core/words/tool';
import { gitSubcommand, programName } from '../../policy/commands/programs';
import { startedWords } from '../../policy/commands/started-programs';
import { isWithin } from '../files/path-file-system';
import { runProgram } from '../processes/child-process';
import { gitConfig } from '../processes/environment';
import { gitProgram } from './git-program';
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

/** Makes git use a repository without a `.git` only if the command names it. */
const ONLY_NAMED_BARE = ['safe.bareRepository', 'explicit'] as const;

/** Otherwise git would start maintenance, and with it a hook, after each fetch. */
const NO_MAINTENANCE = ['maintenance.auto', 'false'] as const;

/** Programs that start git in their working folder. */
const STARTS_GIT: ReadonlySet<string> = new Set(['git', 'gh', 'glab', 'hub', 'tig', 'gitk', 'git-lfs']);

export interface GitCommand {
  readonly command: string;
  /** The simple commands that it consists of, split into words. */
  readonly commands: readonly (readonly string[])[];
  /** Whether `commands` is complete and its words are exact. */
  readonly isPlain: boolean;
  readonly cwd: string;
  /** The environment that the command would get without a guard. */
  readonly environment: NodeJS.ProcessEnv;
  /** The folders of the workspace. A `git` in them is never used. */
  readonly roots: readonly string[];
}

/**
 * Returns the questions to ask the user before git starts: about settings of the repository that may start a program
 * and cannot be switched off here, and about other repositories on this machine. Never throws.
 */
export async function gitQuestions(given: GitCommand): Promise<readonly string[]> {
  const command = withStarted(given);
  if (!startsGit(command)) return [];
  try {
    const look = await lookThrough(command, SHOWS_SUBMODULES);
    return look === undefined ? [] : await questionsOf(look, command);
  } catch {
    // The start of the command will fail for the same reason.
    const reason = 'the settings of git cannot be read';
    return [reason];
  }
}

/**
 * Returns an environment in which git starts no program that is named by the repository around a folder or by its
 * submodules, whether git reads or contacts a remote. The user's global settings still apply. `answered`: the questions
 * that the user has answered. Throws `ToolError` if this cannot be ensured.
 */
export async function guardedGit(asked: GitCommand, answered: readonly string[]): Promise<NodeJS.ProcessEnv> {
  const command = withStarted(asked);
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

/** `uv run git fetch` is a `git fetch`. */
function withStarted(command: GitCommand): GitCommand {
  return { ...command, commands: command.commands.map(startedWords) };
}

interface GitState {
  readonly folders: FoundSettings;
  /** The settings of all folders together. */
  readonly settings: GitSettings;
  readonly environment: NodeJS.ProcessEnv;
}

/** Commands that show submodules: they also enter submodules of other commits, which are not in the index. */
const SHOWS_SUBMODULES = /--sub/u;

/**
 * These, and commands that change the index: they can turn a nested repository into a submodule, which this or the next
 * git command then enters. Nested repositories are searched only when the command starts, because the search takes time
 * in large trees.
 */
const MEETS_REPOSITORIES =
  /--sub|\b(?:add|am|apply|bisect|checkout|cherry-pick|clone|commit|fetch|merge|mv|pull|read-tree|rebase|reset|restore|revert|rm|sparse-checkout|stash|stage|submodule|switch|update-index|worktree)\b/u;

/**
 * Returns `undefined` if the command starts no git. `everywhere`: commands for which nested repositories count even if
 * they are not in the index.
 */
async function lookThrough(
  { command, cwd, environment: given, roots }: GitCommand,
  everywhere: RegExp,
): Promise<GitState | undefined> {
  const text = command.replace(/['"\\]/gu, '');
  if (!namesGit(text)) return undefined;
  const program = await gitProgram({ cwd, roots });
  if (program === undefined) return undefined;
  // Otherwise git would fetch missing objects with a program that the repository names, even for our own questions.
  const environment = { ...given, GIT_NO_LAZY_FETCH: '1' };
  const signal = AbortSignal.timeout(limits.gitAnswerMs);
  const ask: AskGit = async (folder, ...words) => {
    const options = { cwd: folder, env: environment, maxBuffer: limits.gitAnswerBytes, signal };
    try {
      const { stdout } = await runProgram(program, words, options);
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

/** Whether the command starts git. If the command could not be parsed, any mention of git counts. */
function startsGit({ command, commands, isPlain }: GitCommand): boolean {
  if (!isPlain) return namesGit(command.replace(/['"\\]/gu, ''));
  return commands.some(([program = '']) => STARTS_GIT.has(programName(program)));
}

async function questionsOf({ folders, settings }: GitState, command: GitCommand): Promise<readonly string[]> {
  const questions = unknownSettings(settings).map((name) => {
    const reason = `the repository's settings name ${shortName(name)}, which may start a program`;
    return reason;
  });
  const starts = command.commands.filter(isGit);
  const head = starts.length === 1 ? await readHead(folders[0].gitFolder) : undefined;
  // Git ignores an alias that has the name of a git command, so check the words both with and without aliases.
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

/** The name comes from the repository and may contain anything. */
function shortName(name: string): string {
  const visible = visibleText(name.replace(/\s+/gu, ' '));
  return visible.length > LONGEST_NAME ? `${visible.slice(0, LONGEST_NAME)}…` : visible;
}

const LONGEST_NAME = 100;

function isGit([program = '']: readonly string[]): boolean {
  return programName(program) === 'git';
}

/**
 * Whether hooks may run: not if every git in the command only reads or fetches, because no known hook is needed then.
 */
function withHooks({ command, commands, isPlain }: GitCommand, { own }: GitSettings): boolean {
  const found = commands.filter(([program = '']) => STARTS_GIT.has(programName(program)));
  if (!isPlain)
    return found.length === 0 || /\b(?:am|check|cherry|commit|merge|pull|push|re|switch|work)/u.test(command);
  if (found.length === 0) return true;
  return found.some((words) => {
    // These programs push, or look up where the hooks are.
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
 * Whether a repository was created on purpose. Ordinary workspace files can form a repository without a `.git`; one
 * that contains a workspace folder, or is one, cannot come from such files.
 */
function isOfUser(gitFolder: string, roots: readonly string[]): boolean {
  if (path.basename(gitFolder) === '.git') return true;
  return path.isAbsolute(gitFolder) && roots.some((root) => isWithin(root, path.normalize(gitFolder)));
}

/**
 * Refuses a `core.worktree` that points outside the workspace. The files of a submodule or a linked working tree are
 * beside their `.git`.
 */
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

/** Whether git is missing or refused to answer here. The command's own git will report the same. */
function hasRefused(error: unknown): error is Error {
  return (
    error instanceof Error && 'code' in error && (typeof error.code === 'number' || error.code === 'ENOENT')
  );
}

/** What git printed before it failed. */
function printedBy(error: Error): string {
  return 'stdout' in error && typeof error.stdout === 'string' ? error.stdout.replace(/\r?\n$/u, '') : '';
}

/** Subcommands whose hooks the user expects to run: they make commits, check them out, or push. */
const WITH_HOOKS: readonly string[] = [
  ...['am', 'checkout', 'cherry-pick', 'commit', 'merge', 'pull', 'push', 'rebase', 'revert', 'switch'],
  'worktree',
  // They make commits for the user, or look up the hooks folder to install hooks.
  ...['flow', 'subtree', 'lfs', 'gui', 'citool', 'send-email'],
];

/** Whether the user expects a git command to run hooks; a command that reads or fetches should not. */
function meansHooks(words: readonly string[]): boolean {
  return WITH_HOOKS.includes(words[gitSubcommand(words)] ?? '');
}
