import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** As git lists it: all small, but for what stands between the first and the last dot. */
type Setting = readonly [name: string, value: string];

/** The settings that git goes by in a folder, in its order: later ones hold. */
export interface GitSettings {
  /** What the user has set for all repositories. */
  readonly own: readonly Setting[];
  /** What the repository has set. */
  readonly theirs: readonly Setting[];
  /** Whether there is a hook that git calls while it only reads. */
  readonly hasHook: boolean;
}

const HOOKS = 'core.hookspath';
/** How a diff shows them. */
const SUBMODULES = 'diff.submodule';

/** An alias would hide from rules what git is to do, be it a shell or `-c` with a setting. */
const NO_ALIAS = 'alias-of-the-repository-which-parley-does-not-use';

/** Settings that name a program which git starts while it reads, or to reach a remote. */
const PROGRAMS = new RegExp(
  `^(?:${[
    String.raw`diff\.external`,
    String.raw`diff\..+\.(?:command|textconv)`,
    String.raw`filter\..+\.(?:clean|smudge|process)`,
    String.raw`gpg\.(?:.+\.)?program`,
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
/** Of these the first one counts, so nothing of ours can go before it. */
const REMOTE_ENDS = /^remote\..+\.(?:uploadpack|receivepack)$/su;
const GIT_PROXY = 'core.gitproxy';
const EXT = 'protocol.ext.allow';

const PROMISOR = /^remote\.(.+)\.promisor$/su;
/** A single letter is a drive of Windows, and two colons name a program. */
const FAR = /^(?:(?:https?|ssh):\/\/|[\w.@-]{2,}:(?!:|\/\/))/u;

/** An `ssh` that takes a key of its own, or says less. */
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

/** Values that start no more than what belongs to git, or the `ssh` of the user. */
const HARMLESS: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^core\.sshcommand$/u, SSH],
  [CREDENTIALS, /^(?:cache|store|osxkeychain|wincred|libsecret|manager(?:-core)?)?$/u],
  [/^submodule\..+\.update$/su, /^(?:checkout|rebase|merge|none)$/u],
  [/^protocol\.(?:ext\.)?allow$/u, /^never$/u],
  // Where programs lie, here or on another machine, and no workspace does.
  [
    REMOTE_ENDS,
    /^(?:(?:\/(?:usr|opt|bin)|~(?:\/\.local)?\/bin)\/(?:[\w+-][\w.+-]*\/)*)?git[ -](?:upload|receive)-pack$/u,
  ],
];

/** From `scope NUL name LF value NUL …`, as `git config --list --show-scope -z` prints it. */
export function readSettings(list: string): Omit<GitSettings, 'hasHook'> {
  const own: Setting[] = [];
  const theirs: Setting[] = [];
  for (const [, scope = '', name = '', value = ''] of list.matchAll(/([^\0]*)\0([^\0\n]*)\n?([^\0]*)\0/gu)) {
    (scope === 'local' || scope === 'worktree' ? theirs : own).push([name, value]);
  }
  return { own, theirs };
}

/** The name of a setting against which nothing helps. */
export function inevitable({ own, theirs }: GitSettings): string | undefined {
  const mine = new Map(own);
  return harmful(theirs).find(([name]) => REMOTE_ENDS.test(name) && !mine.has(name))?.[0];
}

/** Whether parts of a repository lie on another machine, from where git gets them as it needs them. */
export function isPartialClone({ theirs }: GitSettings): boolean {
  const remotes = theirs.flatMap(([name, value]) =>
    name === 'extensions.partialclone' ? [value] : (PROMISOR.exec(name)?.slice(1) ?? []),
  );
  const isFar = (remote: string): boolean => {
    const addresses = theirs.filter(([name]) => name === `remote.${remote}.url`);
    return addresses.length > 0 && addresses.every(([, address]) => FAR.test(address));
  };
  // Another address may be put into the place of one.
  return remotes.length > 0 && remotes.every(isFar) && !theirs.some(([name]) => name.startsWith('url.'));
}

/** The same as `settingsAgainst`, where it takes a variable. */
export function variablesAgainst({ theirs }: GitSettings): NodeJS.ProcessEnv {
  return theirs.some(([name]) => name === GIT_PROXY) ? { GIT_PROXY_COMMAND: '' } : {};
}

/** What has to go before the settings of a repository, so that they start nothing. */
export function settingsAgainst({ own, theirs, hasHook }: GitSettings): readonly Setting[] {
  const mine = new Map(own);
  const names = new Set(harmful(theirs).map(([name]) => name));
  const named = [...names].filter((name) => PROGRAMS.test(name));
  if (hasHook) named.push(HOOKS);
  const off = named.flatMap((name) => switchedOff(name, mine.get(name)));
  if (names.has(EXT) || names.has('protocol.allow')) off.push([EXT, mine.get(EXT) ?? 'never']);
  if ([...names].some((name) => CREDENTIALS.test(name))) {
    // They are a list, and an empty one ends what stands before it.
    off.push(['credential.helper', ''], ...own.filter(([name]) => CREDENTIALS.test(name)));
  }
  if ([...mine.keys(), ...names].includes(SUBMODULES)) {
    // Only `diff` starts a git in submodules, also in those that no index names any more.
    off.push([SUBMODULES, (mine.get(SUBMODULES) ?? 'short') === 'short' ? 'short' : 'log']);
  }
  return off;
}

function harmful(settings: readonly Setting[]): readonly Setting[] {
  return settings.filter(
    ([name, value]) => !HARMLESS.some((known) => known[0].test(name) && known[1].test(value)),
  );
}

/** A setting cannot be taken back; one that is empty starts nothing. */
function switchedOff(name: string, own: string | undefined): readonly Setting[] {
  if (own !== undefined) return [[name, own]];
  if (name === HOOKS) return [[name, '/dev/null']];
  // These have no empty value.
  if (name === 'core.sshcommand') return [[name, 'ssh']];
  if (name.startsWith('submodule.')) return [[name, 'checkout']];
  // Git says that it is no command of git.
  if (name.startsWith('alias.')) return [[name, NO_ALIAS]];
  // An empty one would end the whole diff; this one shows files as they are.
  if (name.endsWith('.textconv')) return [[name, 'cat']];
  if (!name.startsWith('filter.')) return [[name, '']];
  // Without this `git add` would store what the filter was to encrypt or to leave out.
  return [
    [name, ''],
    [name.replace(/[^.]*$/u, 'required'), 'true'],
  ];
}

/**
 * The folders in and below some folders that are a repository or hold its `.git`, submodules that are put away too, and
 * whatever no index names. Links are not followed.
 */
export async function nestedRepositories(
  tops: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [...tops];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const entries = await listed(folder);
    const names = new Set(entries.map(({ name }) => name.toLowerCase()));
    if (names.has('.git') || (names.has('head') && names.has('objects'))) found.push(folder);
    for (const entry of entries) {
      const inner = path.join(folder, entry.name);
      if (entry.name.toLowerCase() === '.git') folders.push(path.join(inner, 'modules'));
      else if (entry.isDirectory()) folders.push(inner);
    }
  }
  return found;
}

/** Nothing where there is no folder. */
async function listed(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return [];
    throw error;
  }
}
