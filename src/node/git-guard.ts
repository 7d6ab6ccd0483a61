import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ToolError } from '../core/tool';
import { limits } from '../policy/limits';
import { gitConfig } from './environment';
import { findProgram } from './server-program';

/** Settings that name a program which git starts while it only reads. */
const PROGRAMS = new RegExp(
  `^(?:${[
    String.raw`diff\.external`,
    String.raw`diff\..+\.(?:command|textconv)`,
    String.raw`filter\..+\.(?:clean|smudge|process)`,
    String.raw`gpg\.(?:.+\.)?program`,
    String.raw`(?:man|browser)\..+\.(?:cmd|path)`,
    String.raw`tar\..+\.command`,
    String.raw`core\.alternaterefscommand`,
  ].join('|')})$`,
  'su',
);
/** Every git that refreshes its index calls it, `git status` too. Those of commits and the like are meant to run. */
const INDEX_HOOK = 'hooks/post-index-change';
const HOOKS = 'core.hookspath';

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
  const settings = await settingsAgainst(cwd, ask);
  return { ...environment, ...gitConfig(environment, [...new Map(settings)]) };
}

/** What git answers in a folder; nothing where it cannot. */
type AskGit = (folder: string, words: readonly string[]) => Promise<string>;
type Setting = readonly [name: string, value: string];

async function settingsAgainst(folder: string, ask: AskGit): Promise<readonly Setting[]> {
  const [list, hook, index] = await Promise.all([
    ask(folder, ['config', '--list', '--show-scope', '-z']),
    ask(folder, ['rev-parse', '--git-path', INDEX_HOOK]),
    ask(folder, ['ls-files', '--stage', '-z', ':/']),
  ]);
  const { own, named } = readSettings(list);
  if (hook !== '' && (await exists(path.resolve(folder, hook.replace(/\r?\n$/u, ''))))) named.add(HOOKS);
  const submodules = Array.from(index.matchAll(/(?<=^|\0)160000 [^\t\0]*\t([^\0]*)/gu), ([, name = '']) =>
    path.resolve(folder, name),
  );
  const inner: Setting[] = [];
  for (const submodule of submodules) {
    // One that is not checked out has no settings, and git would answer for the repository around it.
    if (await exists(path.join(submodule, '.git'))) inner.push(...(await settingsAgainst(submodule, ask)));
  }
  return [...[...named].flatMap((name) => switchedOff(name, own.get(name))), ...inner];
}

/** From `scope NUL name LF value NUL …`: what the user has set, and the programs that the repository names. */
function readSettings(list: string): { readonly own: Map<string, string>; readonly named: Set<string> } {
  const own = new Map<string, string>();
  const named = new Set<string>();
  for (const [, scope = '', name = '', value = ''] of list.matchAll(/([^\0]*)\0([^\0\n]*)\n?([^\0]*)\0/gu)) {
    if (scope !== 'local' && scope !== 'worktree') own.set(name, value);
    else if (PROGRAMS.test(name)) named.add(name);
  }
  return { own, named };
}

/** A setting cannot be taken back; one that is empty starts nothing. */
function switchedOff(name: string, own: string | undefined): readonly Setting[] {
  if (own !== undefined) return [[name, own]];
  if (name === HOOKS) return [[name, '/dev/null']];
  // An empty one would end the whole diff; this one shows files as they are.
  if (name.endsWith('.textconv')) return [[name, 'cat']];
  if (!name.startsWith('filter.')) return [[name, '']];
  // Without this `git add` would store what the filter was to encrypt or to leave out.
  return [
    [name, ''],
    [name.replace(/[^.]*$/u, 'required'), 'true'],
  ];
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
