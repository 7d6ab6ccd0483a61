const NEVER = /(?!)/u;
/** They show changes piece by piece, to choose among them. */
const PIECES = /^(?:-[a-zA-Z]*[pei][a-zA-Z]*|--(?:patc|inter|edit).*)$/u;
const WITH_DIFF = /^(?:-[a-zA-Z]*[vp][a-zA-Z]*|--(?:verb|patc).*)$/u;
/** Options of `git log` that do not show changes. */
const WALK = /^-(?!\d+$|n|-(?:oneline|date|format|all|expire|dry-run)\b)/u;

/**
 * Subcommands of git that print no contents of files, except with a word like this. About any other, which files it would
 * print is unknown or asked: `printed-names.ts`.
 */
export const silentGit: Readonly<Record<string, RegExp>> = {
  ...each(
    'apply branch check-attr check-ignore check-mailmap check-ref-format cherry cherry-pick clean clone commit-graph',
    'commit-tree config count-objects describe fetch flow for-each-ref fsck gc help init lfs ls-files ls-remote ls-tree',
    'maintenance merge merge-base mv name-rev notes pack-refs prune pull push read-tree remote repack replace rev-list',
    'rev-parse revert rm shortlog show-branch show-ref sparse-checkout submodule switch symbolic-ref tag update-index',
    'update-ref var verify-commit verify-tag version worktree write-tree',
  ),
  add: PIECES,
  am: /^--sh/u,
  bisect: /^vi/u,
  checkout: PIECES,
  commit: WITH_DIFF,
  rebase: /^--sh/u,
  reflog: WALK,
  reset: PIECES,
  restore: PIECES,
  stash: PIECES,
  'stash list': WALK,
  'stash show': /^/u,
  status: WITH_DIFF,
};

function each(...lines: readonly string[]): Readonly<Record<string, RegExp>> {
  return Object.fromEntries(
    lines
      .join(' ')
      .split(' ')
      .map((name) => [name, NEVER]),
  );
}
