import { FAR_ADDRESS } from '../../policy/commands/git-reach';
import { gitSubcommand } from '../../policy/commands/git';
import { programName } from '../../policy/commands/programs';
import { startsNothing } from './git-keys';

/** As git lists it: all small, but for what stands between the first and the last dot. */
export type Setting = readonly [name: string, value: string];

/** The settings that git goes by in a folder, in its order: later ones hold. */
export interface GitSettings {
  /** What the user has set for all repositories. */
  readonly own: readonly Setting[];
  /** What the repository has set. */
  readonly theirs: readonly Setting[];
  /** Whether there is a hook that git calls whenever it refreshes the index. */
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
/** Of these the first one counts, so nothing of ours can go before it. */
const REMOTE_ENDS = /^remote\..+\.(?:uploadpack|receivepack)$/su;
const GIT_PROXY = 'core.gitproxy';
const PROTOCOLS = 'protocol.allow';
const EXT = 'protocol.ext.allow';
/** By default submodules are not fetched from repositories on this machine. */
const FILE = 'protocol.file.allow';

/** Every command gets other values for these (`processes/environment.ts`), or for hooks where it only reads. */
const ALWAYS_OFF = /^(?:core\.(?:fsmonitor|pager|hookspath)|pager\..+)$/su;

/** What merges texts as git itself would. */
const MERGE_TEXTS = 'git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B';

const PROMISOR = /^remote\.(.+)\.promisor$/su;
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
  [/^protocol\.file\.allow$/u, /^(?:never|user)$/u],
  // Keeps what is there.
  [/^merge\..+\.driver$/su, /^true$/u],
  // It takes no programs from settings but those that are asked about.
  [
    /^filter\.lfs\.(?:clean|smudge|process)$/u,
    /^git-lfs (?:clean|smudge|filter-process)(?: --skip)?(?: -- %f)?$/u,
  ],
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

/** The names of settings of which it is not known whether git starts a program because of them. */
export function unknownSettings({ theirs }: GitSettings): readonly string[] {
  const unknown = harmful(theirs).filter(
    ([name, value]) => !isSwitchedOff(name) && !startsNothing(name, value),
  );
  return [...new Set(unknown.map(([name]) => name))];
}

/** Whether what a setting would start is not started, or git is not. */
export function isSwitchedOff(name: string): boolean {
  if ([GIT_PROXY, PROTOCOLS, EXT, FILE].includes(name)) return true;
  return [PROGRAMS, CREDENTIALS, REMOTE_ENDS, ALWAYS_OFF].some((names) => names.test(name));
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
    return addresses.length > 0 && addresses.every(([, address]) => FAR_ADDRESS.test(address));
  };
  // Another address may be put into the place of one.
  return remotes.length > 0 && remotes.every(isFar) && !theirs.some(([name]) => name.startsWith('url.'));
}

/** The same as `settingsAgainst`, where it takes a variable. */
export function variablesAgainst({ theirs }: GitSettings): NodeJS.ProcessEnv {
  return theirs.some(([name]) => name === GIT_PROXY) ? { GIT_PROXY_COMMAND: '' } : {};
}

/** What has to go before the settings of a repository, so that they start nothing. */
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
  if (name === 'interactive.difffilter') return [[name, 'cat']];
  // Git says that there was a problem with it; an empty one would start the file that is to be edited.
  if (/editor$|defaultkeycommand$/u.test(name)) return [[name, 'false']];
  // An empty one would take one side as a whole for the result.
  if (name.endsWith('.driver')) return [[name, MERGE_TEXTS]];
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

/** The words of a git command once the aliases of the user are put in. One that is a shell stays as it is, without git. */
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
