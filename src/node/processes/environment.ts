import path from 'node:path';
import { isWithin } from '../files/path-file-system';

interface EnvironmentOptions {
  /** The folders of the workspace: programs there are never used. */
  readonly roots: readonly string[];
  /** Names of variables that contain keys, even if the name does not show it. */
  readonly withheld?: readonly string[];
}

/** Names that suggest a key. Exceptions: the keys of git's settings and the socket of the SSH agent. */
const SECRET_NAME =
  /^(?!GIT_CONFIG_KEY_\d+$|SSH_AUTH_SOCK$).*(?:(?:^|_|API)KEYS?(?:_|$)|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:^|_)AUTH(?:_|$)|_P(?:AT|WD)$)/i;

/** The form of well-known vendors' keys, whatever the variable is called. */
const SECRET_VALUE =
  /^(?:sk-|[rs]k_(?:live|test)_|gh[opsu]_|github_pat_|glpat-|xox[abprs]-|A[KS]IA[0-9A-Z]{12}|AIza|hf_|npm_|pypi-|gsk_|xai-|eyJ[\w-]+\.eyJ|-----BEGIN )/;

/** Whether a variable is likely to contain a key. */
export function isLikelyKey(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value);
}

/** Variables that make a shell or an unnamed program run code, or that change what it does. */
const STEERING = new Set([
  ...['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'PROMPT_COMMAND', 'PS4', 'CDPATH', 'GLOBIGNORE', 'IFS'],
  ...['NODE_OPTIONS', 'GIT_EXTERNAL_DIFF', 'GIT_PAGER_IN_USE', 'RIPGREP_CONFIG_PATH'],
  // These would make git use another repository or ignore our settings.
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_CONFIG_PARAMETERS'],
]);

/** Editor and debugger set these for themselves; exported functions could replace programs. */
const FOREIGN = /^(?:VSCODE_|ELECTRON_|BASH_FUNC_)/;

/** The environment of a program that works for the model: no keys, and nothing that makes it wait for input. */
export function commandEnvironment(
  given: Readonly<Record<string, string | null | undefined>>,
  options: EnvironmentOptions,
): NodeJS.ProcessEnv {
  const present = Object.entries(given).flatMap(([name, value]) =>
    value == null ? [] : [[name, value] as const],
  );
  const kept = present.filter(
    ([name, value]) =>
      !isLikelyKey(name, value) &&
      !STEERING.has(name) &&
      !FOREIGN.test(name) &&
      !options.withheld?.includes(name),
  );
  const environment: NodeJS.ProcessEnv = Object.fromEntries(kept);
  for (const [name, value] of kept) {
    if (name.toUpperCase() === 'PATH') environment[name] = searchPath(value, options.roots);
  }
  return {
    ...environment,
    ...gitConfig(environment, [
      ['core.fsmonitor', 'false'],
      ['core.pager', 'cat'],
    ]),
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    NO_COLOR: '1',
    TERM: 'dumb',
  };
}

/** Adds settings that override those of all files. Existing ones stay. */
export function gitConfig(
  environment: NodeJS.ProcessEnv,
  settings: readonly (readonly [string, string])[],
): NodeJS.ProcessEnv {
  const present = Number(environment['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const changed: NodeJS.ProcessEnv = { GIT_CONFIG_COUNT: String(present + settings.length) };
  for (const [index, [key, value]] of settings.entries()) {
    changed[`GIT_CONFIG_KEY_${present + index}`] = key;
    changed[`GIT_CONFIG_VALUE_${present + index}`] = value;
  }
  return changed;
}

/** The `PATH` without the workspace and without relative entries: neither may decide what `git` is. */
export function searchPath(value: string, roots: readonly string[]): string {
  const isOurs = (folder: string): boolean =>
    path.isAbsolute(folder) && !roots.some((root) => isWithin(folder, root));
  return value.split(path.delimiter).filter(isOurs).join(path.delimiter);
}
