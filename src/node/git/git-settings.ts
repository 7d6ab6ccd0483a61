import { FAR_ADDRESS } from './git-reach';
import { gitSubcommand, programName } from '../../policy/commands/programs';
import { startsNothing } from './git-keys';

/** A setting as git lists it: lower case, except between the first and the last dot. */
export type Setting = readonly [name: string, value: string];

/** The settings that apply in a folder, in git's order: later ones win. */
export interface GitSettings {
  /** The user's global settings. */
  readonly own: readonly Setting[];
  /** The settings of the repository. */
  readonly theirs: readonly Setting[];
  /** Whether the repository has the hook that git calls whenever it refreshes the index. */
  readonly hasHook: boolean;
}

const HOOKS = 'core.hookspath';
/** How a diff shows submodules. */
const SUBMODULES = 'diff.submodule';

/** An alias could hide a shell command or `-c` with a setting from the rules. */
const NO_ALIAS = 'alias-of-the-repository-which-parley-does-not-use';

/** Settings that name a program that git starts while it reads or to contact a remote. */
const PROGRAMS = new RegExp(
  `^(?:${[
    String.raw`diff\.external`,
    String.raw`diff\..+\.(?:command|textconv)`,
    String.raw`filter\..+\.(?:clean|smudge|process)`,
    String.raw`gpg\.(?:.+\.)?program`,
    String.raw`gpg\.ssh\.defaultkeycommand`,
    String.raw`merge\..+\.driver`,
    String.raw`(?:core|sequence)\.editor`,
    String.raw`interactive\.difffilter`,
    String.raw`(?:man|browser)\..+\.(?:cmd|path)`,
    String.raw`tar\..+\.command`,
    String.raw`core\.alternaterefscommand`,
    String.raw`alias\..+`,
    String.raw`trailer\..+\.(?:command|cmd)`,
    String.raw`submodule\..+\.update`,
    String.raw`core\.(?:sshcommand|askpass)`,
    String.raw`remote\..+\.vcs`,
  ].join('|')})$`,
  'su',
);

const CREDENTIALS = /^credential\.(?:.+\.)?helper$/su;
/** For these settings the first value wins, so they cannot be overridden. */
const REMOTE_ENDS = /^remote\..+\.(?:uploadpack|receivepack)$/su;
const GIT_PROXY = 'core.gitproxy';
const PROTOCOLS = 'protocol.allow';
const EXT = 'protocol.ext.allow';
/** By default, git does not fetch submodules from repositories on this machine. */
const FILE = 'protocol.file.allow';

/** Overridden for every command (`processes/environment.ts`); the hooks only for commands that read. */
const ALWAYS_OFF = /^(?:core\.(?:fsmonitor|pager|hookspath)|pager\..+)$/su;

/** Merges texts as git does without a driver. */
const MERGE_TEXTS = 'git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B';

const PROMISOR = /^remote\.(.+)\.promisor$/su;
/** An `ssh` that only selects a key or prints less. */
const SSH = new RegExp(
  `^ssh(?: (?:${[
    String.raw`-[46CTaqvx]+`,
    String.raw`-i ?(?:'[\w~/.:@ +-]+'|"[\w~/.:@ +-]+"|[\w~/.:@+][\w~/.:@+-]*)`,
    String.raw`-p ?\d+`,
    String.raw`-F ?/dev/null`,
    String.raw`-o ?(?:IdentitiesOnly|BatchMode|ConnectTimeout|ServerAliveInterval|ServerAliveCountMax)=\w+`,
  ].join('|')}))*$`,
  'u',
);

/** Values that start only programs of git itself, or the user's `ssh`. */
const HARMLESS: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^core\.sshcommand$/u, SSH],
  [CREDENTIALS, /^(?:cache|store|osxkeychain|wincred|libsecret|manager(?:-core)?)?$/u],
  [/^submodule\..+\.update$/su, /^(?:checkout|rebase|merge|none)$/u],
  [/^protocol\.(?:ext\.)?allow$/u, /^never$/u],
  [/^protocol\.file\.allow$/u, /^(?:never|user)$/u],
  // Keeps the current version.
  [/^merge\..+\.driver$/su, /^true$/u],
  // Git LFS takes programs only from settings that are asked about.
  [
    /^filter\.lfs\.(?:clean|smudge|process)$/u,
    /^git-lfs (?:clean|smudge|filter-process)(?: --skip)?(?: -- %f)?$/u,
  ],
  // Folders in which programs are installed, here or on another machine; no workspace is in them.
  [
    REMOTE_ENDS,
    /^(?:(?:\/(?:usr|opt|bin)|~(?:\/\.local)?\/bin)\/(?:[\w+-][\w.+-]*\/)*)?git[ -](?:upload|receive)-pack$/u,
  ],
];

/** Parses `scope NUL name LF value NUL …`, the output of `git config --list --show-scope -z`. */
export function readSettings(list: string): Omit<GitSettings, 'hasHook'> {
  const own: Setting[] = [];
  const theirs: Setting[] = [];
  for (const [, scope = '', name = '', value = ''] of list.matchAll(/([^\0]*)\0([^\0\n]*)\n?([^\0]*)\0/gu)) {
    (scope === 'local' || scope === 'worktree' ? theirs : own).push([name, value]);
  }
  return { own, theirs };
}

/** Returns the names of settings that may make git start a program. */
export function unknownSettings({ theirs }: GitSettings): readonly string[] {
  const unknown = harmful(theirs).filter(
    ([name, value]) => !isSwitchedOff(name) && !startsNothing(name, value),
  );
  return [...new Set(unknown.map(([name]) => name))];
}

/** Whether we prevent git from starting the program that a setting names. */
export function isSwitchedOff(name: string): boolean {
  if ([GIT_PROXY, PROTOCOLS, EXT, FILE].includes(name)) return true;
  return [PROGRAMS, CREDENTIALS, REMOTE_ENDS, ALWAYS_OFF].some((names) => names.test(name));
}

/** Returns the name of a setting that cannot be overridden, if there is one. */
export function inevitable({ own, theirs }: GitSettings): string | undefined {
  const mine = new Map(own);
  return harmful(theirs).find(([name]) => REMOTE_ENDS.test(name) && !mine.has(name))?.[0];
}

/** Whether parts of the repository are on another machine and git downloads them when needed. */
export function isPartialClone({ theirs }: GitSettings): boolean {
  const remotes = theirs.flatMap(([name, value]) =>
    name === 'extensions.partialclone' ? [value] : (PROMISOR.exec(name)?.slice(1) ?? []),
  );
  const isFar = (remote: string): boolean => {
    const addresses = theirs.filter(([name]) => name === `remote.${remote}.url`);
    return addresses.length > 0 && addresses.every(([, address]) => FAR_ADDRESS.test(address));
  };
  // A `url.` setting may replace an address.
  return remotes.length > 0 && remotes.every(isFar) && !theirs.some(([name]) => name.startsWith('url.'));
}

/** The overrides that need an environment variable, like those of `settingsAgainst`. */
export function variablesAgainst({ theirs }: GitSettings): NodeJS.ProcessEnv {
  return theirs.some(([name]) => name === GIT_PROXY) ? { GIT_PROXY_COMMAND: '' } : {};
}

/** Returns the settings that override those of a repository, so that they start nothing. */
export function settingsAgainst(
  { own, theirs, hasHook }: GitSettings,
  { withHooks }: { readonly withHooks: boolean },
): readonly Setting[] {
  const mine = new Map(own);
  const names = new Set(harmful(theirs).map(([name]) => name));
  const named = [...names].filter((name) => PROGRAMS.test(name));
  if (hasHook || !withHooks) named.push(HOOKS);
  const off = named.flatMap((name) => switchedOff(name, mine.get(name)));
  if (names.has(EXT) || names.has(PROTOCOLS)) off.push([EXT, mine.get(EXT) ?? 'never']);
  if (names.has(FILE) || names.has(PROTOCOLS)) {
    off.push([FILE, mine.get(FILE) ?? mine.get(PROTOCOLS) ?? 'user']);
  }
  if ([...names].some((name) => CREDENTIALS.test(name))) {
    // These settings form a list, and an empty value clears the earlier entries.
    off.push(['credential.helper', ''], ...own.filter(([name]) => CREDENTIALS.test(name)));
  }
  if ([...mine.keys(), ...names].includes(SUBMODULES)) {
    // Only `diff` starts a git in submodules, even in those that are no longer in the index.
    off.push([SUBMODULES, (mine.get(SUBMODULES) ?? 'short') === 'short' ? 'short' : 'log']);
  }
  return off;
}

function harmful(settings: readonly Setting[]): readonly Setting[] {
  return settings.filter(
    ([name, value]) => !HARMLESS.some((known) => known[0].test(name) && known[1].test(value)),
  );
}

/** Overrides a setting: it cannot be unset, but an empty value starts nothing. */
function switchedOff(name: string, own: string | undefined): readonly Setting[] {
  if (own !== undefined) return [[name, own]];
  if (name === HOOKS) return [[name, '/dev/null']];
  // For these, an empty value is not allowed.
  if (name === 'core.sshcommand') return [[name, 'ssh']];
  if (name === 'interactive.difffilter') return [[name, 'cat']];
  // Makes git report that the editor failed. With an empty value, git would execute the file to be edited.
  if (/editor$|defaultkeycommand$/u.test(name)) return [[name, 'false']];
  // With an empty value, git would take one side as the whole result.
  if (name.endsWith('.driver')) return [[name, MERGE_TEXTS]];
  if (name.startsWith('submodule.')) return [[name, 'checkout']];
  // Makes git report that there is no such command.
  if (name.startsWith('alias.')) return [[name, NO_ALIAS]];
  // With an empty value the whole diff would fail; `cat` shows files unchanged.
  if (name.endsWith('.textconv')) return [[name, 'cat']];
  if (!name.startsWith('filter.')) return [[name, '']];
  // Otherwise `git add` would store what the filter should encrypt or remove.
  return [
    [name, ''],
    [name.replace(/[^.]*$/u, 'required'), 'true'],
  ];
}

/**
 * Returns the words of a git command with the user's aliases expanded. An alias for a shell command is returned without
 * `git`.
 */
export function withAliases(words: readonly string[], own: readonly Setting[]): readonly string[] {
  let real = words;
  const mine = new Map(own);
  for (const seen = new Set<string>(); programName(real[0] ?? '') === 'git';) {
    const at = gitSubcommand(real);
    const name = `alias.${(real[at] ?? '').toLowerCase()}`;
    const alias = mine.get(name);
    if (alias === undefined || seen.has(name)) break;
    seen.add(name);
    if (alias.startsWith('!')) return [alias];
    const put = alias.replace(/['"]/gu, '').split(/\s+/u);
    real = [...real.slice(0, at), ...put, ...real.slice(at + 1)];
  }
  return real;
}
