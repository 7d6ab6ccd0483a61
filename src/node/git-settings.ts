/** As git lists it: all small, but for what stands between the first and the last dot. */
export type Setting = readonly [name: string, value: string];

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
    String.raw`alias\..+`,
  ].join('|')})$`,
  'su',
);

/** From `scope NUL name LF value NUL …`, as `git config --list --show-scope -z` prints it. */
export function readSettings(list: string): Omit<GitSettings, 'hasHook'> {
  const own: Setting[] = [];
  const theirs: Setting[] = [];
  for (const [, scope = '', name = '', value = ''] of list.matchAll(/([^\0]*)\0([^\0\n]*)\n?([^\0]*)\0/gu)) {
    (scope === 'local' || scope === 'worktree' ? theirs : own).push([name, value]);
  }
  return { own, theirs };
}

/** What has to go before the settings of a repository, so that they start nothing. */
export function settingsAgainst({ own, theirs, hasHook }: GitSettings): readonly Setting[] {
  const mine = new Map(own);
  const named = new Set(theirs.map(([name]) => name).filter((name) => PROGRAMS.test(name)));
  if (hasHook) named.add(HOOKS);
  const off = [...named].flatMap((name) => switchedOff(name, mine.get(name)));
  // Only `diff` starts a git in submodules, also in those that no index names any more.
  const isSet = [...own, ...theirs].some(([name]) => name === SUBMODULES);
  const shown = (mine.get(SUBMODULES) ?? 'short') === 'short' ? 'short' : 'log';
  return isSet ? [...off, [SUBMODULES, shown]] : off;
}

/** A setting cannot be taken back; one that is empty starts nothing. */
function switchedOff(name: string, own: string | undefined): readonly Setting[] {
  if (own !== undefined) return [[name, own]];
  if (name === HOOKS) return [[name, '/dev/null']];
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
