import { rowFor } from './rules';

const READS: readonly string[] = [
  'get',
  'list',
  '--get',
  '--get-all',
  '--get-regexp',
  '--get-urlmatch',
  '--list',
  '-l',
];
const SCOPES: readonly string[] = [
  '--global',
  '--local',
  '--system',
  '--worktree',
  '--show-origin',
  '--show-scope',
];
const WRITES = /^-(?:e$|-(?:edit|add|unset|replace|rename|remove|append|comment|value|all$))/u;

/** Options before the subcommand that take the next word as their value. */
const VALUES: readonly string[] = ['-c', '-C', '--git-dir', '--work-tree', '--namespace', '--config-env'];

/** The index of the subcommand; -1 if there is none. */
export function gitSubcommand(words: readonly string[]): number {
  return words.findIndex(
    (word, at) => at > 0 && !word.startsWith('-') && !VALUES.includes(words[at - 1] ?? ''),
  );
}

/**
 * The index of the last word that leads git to another repository, whose settings are unchecked, or of a `git config`
 * that may write; -1 if there is none.
 */
export function gitBeyondReading(words: readonly string[]): number {
  const subcommand = gitSubcommand(words);
  const own = subcommand === -1 ? words : words.slice(0, subcommand);
  if (words[subcommand] !== 'config') return own.lastIndexOf('-C');
  const rest = words.slice(subcommand + 1);
  const first = rest.find((word) => !SCOPES.includes(word));
  const reads = first !== undefined && READS.includes(first) && !rest.some((word) => WRITES.test(word));
  return reads ? own.lastIndexOf('-C') : words.length - 1;
}

/** Options of subcommands that look like git's own options for another repository. */
const OWN_OPTIONS: Readonly<Record<string, RegExp>> = {
  log: /^-[pc]$/u,
  show: /^-[pc]$/u,
  diff: /^-[pc]$/u,
  stash: /^-p$/u,
  switch: /^-c$/u,
  branch: /^-c$/u,
  'cherry-pick': /^-x$/u,
  'ls-files': /^-o$/u,
  'rev-parse': /^--git-dir$/u,
};

/** Whether the word is one of these after its subcommand. */
export function isHarmlessInGit(words: readonly string[], at: number): boolean {
  const subcommand = gitSubcommand(words);
  return at > subcommand && rowFor(OWN_OPTIONS, words[subcommand] ?? '')?.test(words[at] ?? '') === true;
}

/** Subcommands whose hooks the user expects to run: they make commits, check them out, or push. */
const WITH_HOOKS: readonly string[] = [
  ...[
    'am',
    'checkout',
    'cherry-pick',
    'commit',
    'merge',
    'pull',
    'push',
    'rebase',
    'revert',
    'switch',
    'worktree',
  ],
  // They make commits for the user, or look up the hooks folder to install hooks.
  ...['flow', 'subtree', 'lfs', 'gui', 'citool', 'send-email'],
];

/** Whether the user expects a git command to run hooks; a command that reads or fetches should not. */
export function meansHooks(words: readonly string[]): boolean {
  return WITH_HOOKS.includes(words[gitSubcommand(words)] ?? '');
}
