import { gitSubcommand } from '../../policy/commands/git';

/** Subcommands whose hooks the user expects to run: they make commits, check them out, or push. */
const WITH_HOOKS: readonly string[] = [
  ...['am', 'checkout', 'cherry-pick', 'commit', 'merge', 'pull', 'push', 'rebase', 'revert', 'switch'],
  'worktree',
  // They make commits for the user, or look up the hooks folder to install hooks.
  ...['flow', 'subtree', 'lfs', 'gui', 'citool', 'send-email'],
];

/** Whether the user expects a git command to run hooks; a command that reads or fetches should not. */
export function meansHooks(words: readonly string[]): boolean {
  return WITH_HOOKS.includes(words[gitSubcommand(words)] ?? '');
}
