import type { Family } from './arguments';
import { grepRows } from './search';

const PATHS = { operands: 'PATHSPEC*' };

/** What is shown of a change. */
const DIFF = `
  --stat[=NUMBER]: how much
  --shortstat: how much in all
  --numstat: how much, as numbers
  --summary: what was created or deleted
  --name-only: only names
  --name-status: only names and kinds
  --raw: only names and hashes
  -p -u --patch: the change itself
  -U+ --unified NUMBER: lines around
  -W --function-context: whole functions
  -w --ignore-all-space: without blanks
  -b --ignore-space-change: blanks are equal
  --ignore-blank-lines: without empty lines
  --color[=always|auto|never]: colours
  --word-diff[=color|plain|porcelain|none]: by words
  --color-words: by words
  -M --find-renames: finds renames
  --no-renames: finds none
  --diff-filter ITEM: only these kinds
  --relative: paths from here
  --no-prefix: without a/ and b/
  -R: the other way round
  -a --text: as text
  --minimal: as short as possible
  --patience: another way to compare
  --histogram: another way to compare
  --no-ext-diff: without other programs
  --no-textconv: without other programs
  --full-index: long hashes
  --abbrev[=NUMBER]: short hashes
  -S+ TEXT: only changes of this text
  -G+ TEXT: only changes of lines that match
  -z: zeros instead of ends of lines
`;
/** Which commits. */
const COMMITS = `
  -NUMBER: how many
  --skip NUMBER: without the first
  --since --after TEXT: not older
  --until --before TEXT: not newer
  * --author TEXT: by whom
  * --committer TEXT: by whom
  * --grep TEXT: with this in the message
  -i --regexp-ignore-case: upper and lower case are equal
  -E --extended-regexp: extended expressions
  -F --fixed-strings: plain texts
  --all: of all branches
  --branches: of all branches
  --tags: of all tags
  --remotes: of all remote branches
  --merges: only merges
  --no-merges: no merges
  --first-parent: only first parents
  --reverse: in reverse order
  --topo-order: by parents
  --date-order: by dates
  --left-right: says of which side
  --cherry-pick: not what both sides have
`;
const COUNT = '-n+ --max-count NUMBER: how many';
const LOG = `${DIFF}${COMMITS}
  ${COUNT}
  -s --no-patch: not the change
  --oneline: one line a commit
  --format --pretty TEXT: what is printed of a commit
  --graph: as a graph
  --decorate[=short|full|auto|no]: with names of branches
  --abbrev-commit: short hashes
  --date TEXT: how dates are printed
  --follow: also before a rename
  --parents: with parents
  --no-notes: without notes
`;
const REFS = `
  --contains REVISION: with this commit
  --no-contains REVISION: without this commit
  --merged REVISION: merged into this one
  --no-merged REVISION: not merged into this one
  --points-at REVISION: of this commit
  --sort TEXT: in which order
  --format TEXT: what is printed
  -i --ignore-case: upper and lower case are equal
  --column: in columns
  --color[=always|auto|never]: colours
`;
const CONFIG = `
  --global: of the user
  --local: of the repository
  --system: of the machine
  --show-origin: with the file
  --show-scope: with whose it is
  --name-only: only names
  -z --null: zeros instead of ends of lines
`;
const LISTS = { options: CONFIG, isImplied: true } as const;
const GETS = { options: CONFIG, operands: 'ITEM', isImplied: true } as const;
const BRANCHES = {
  hasClusters: true,
  isImplied: true,
  isOfferedWhole: true,
  options: `${REFS}
    -a --all: remote ones, too
    -r --remotes: remote ones
    * -v --verbose: with commits
    --list -l: lists
    --show-current: the current one
  `,
} as const;
const TAGS = {
  isImplied: true,
  isOfferedWhole: true,
  options: `${REFS}
    -l --list: lists
    -n: with messages
  `,
} as const;

/** Everything else that git can do is covered by its exact words only. */
export const git: Family = {
  'git status': {
    ...PATHS,
    hasClusters: true,
    dashes: 'operands',
    isImplied: true,
    options: `
      -s --short: in short
      -b --branch: with the branch
      --porcelain[=v1|v2|1|2]: for scripts
      --long: in words
      -uno: no new files
      -unormal: new files and folders
      -uall: all new files
      --untracked-files[=no|normal|all]: new files
      --ignored[=traditional|no|matching]: ignored files, too
      -z: zeros instead of ends of lines
      --show-stash: how many stashes
      --ahead-behind: compares with the remote branch
      --no-renames: finds no renames
      --column: in columns
    `,
  },
  'git diff': {
    operands: 'REVISION|PATHSPEC*',
    dashes: PATHS,
    isImplied: true,
    options: `${DIFF}
      --cached --staged: what is staged
      --merge-base: since the branches parted
      --check: looks for blanks at ends of lines
      --quiet: only whether there is something
      --exit-code: says whether there is something
      --no-color: no colours
    `,
  },
  'git log': {
    operands: 'REVISION|PATHSPEC*',
    dashes: PATHS,
    isImplied: true,
    options: LOG,
  },
  'git show': {
    operands: 'REVISION*',
    dashes: PATHS,
    isImplied: true,
    options: LOG,
  },
  'git blame': {
    operands: 'REVISION|PATHSPEC REVISION|PATHSPEC',
    dashes: PATHS,
    isImplied: true,
    options: `
      * -L+ LINES: which lines
      -w: without blanks
      -e --show-email: with addresses
      -s: without authors
      -l: long hashes
      -t: times as numbers
      -f --show-name: with names of files
      -n --show-number: with numbers of lines
      -M: finds moved lines
      --porcelain: for scripts
      --line-porcelain: for scripts
      --date TEXT: how dates are printed
    `,
  },
  'git grep': {
    hasClusters: true,
    operands: 'TEXT REVISION|PATHSPEC*',
    dashes: PATHS,
    isImplied: true,
    walks: true,
    walksHere: true,
    options: `${grepRows}
      --name-only: only names of files
      --cached: what is staged
      --untracked: new files, too
      --heading: names above lines
      --break: empty lines between files
      --full-name: whole paths
      --all-match: files with all of them
      * --and: and
      * --or: or
      * --not: negation
      -p --show-function: with the name of the function
      -W --function-context: whole functions
    `,
  },
  'git ls-files': {
    ...PATHS,
    hasClusters: true,
    dashes: 'operands',
    isImplied: true,
    options: `
      -c --cached: known files
      -d --deleted: deleted files
      -m --modified: changed files
      -o --others: other files
      -i --ignored: ignored files
      -s --stage: with hashes
      -u --unmerged: files in conflict
      -t: with a mark of the kind
      -z: zeros instead of ends of lines
      --exclude-standard: leaves out what git ignores
      --directory: only folders
      --full-name: whole paths
      --error-unmatch: fails for unknown files
    `,
  },
  'git ls-tree': {
    hasClusters: true,
    operands: 'REVISION PATHSPEC*',
    dashes: PATHS,
    isImplied: true,
    options: `
      -r: what is below folders
      -t: folders, too
      -d: only folders
      -l --long: with sizes
      -z: zeros instead of ends of lines
      --name-only: only names
      --name-status: only names
      --full-name: whole paths
      --full-tree: from the top
      --abbrev[=NUMBER]: short hashes
    `,
  },
  'git rev-parse': {
    operands: 'REVISION*',
    isImplied: true,
    options: `
      --show-toplevel: the top of the repository
      --show-prefix: where this folder is
      --show-cdup: how to get to the top
      --abbrev-ref: the name of the branch
      --symbolic-full-name: its whole name
      --short[=NUMBER]: short hashes
      --verify: exactly one
      -q --quiet: no errors
      --git-dir: where git keeps its data
      --absolute-git-dir: the same from the root
      --git-common-dir: the same for all working trees
      --is-inside-work-tree: whether this is one
      --is-inside-git-dir: whether this is one
      --is-bare-repository: whether this is one
      --is-shallow-repository: whether this is one
      --all: all of them
      --branches: all branches
      --tags: all tags
    `,
  },
  'git rev-list': {
    operands: 'REVISION*',
    dashes: PATHS,
    isImplied: true,
    options: `${COMMITS}
      ${COUNT}
      --count: counts
      --oneline: one line a commit
      --abbrev-commit: short hashes
      --parents: with parents
    `,
  },
  'git describe': {
    operands: 'REVISION*',
    isImplied: true,
    options: `
      --tags: all tags
      --all: all names
      --always: a hash if there is none
      --long: always in full
      --abbrev[=NUMBER]: short hashes
      --dirty[=TEXT]: marks changes
      --exact-match: only of this commit
      --contains: of later commits
      --first-parent: only first parents
      * --match TEXT: names like this
      * --exclude TEXT: no names like this
    `,
  },
  'git shortlog': {
    operands: 'REVISION*',
    hasClusters: true,
    dashes: PATHS,
    isImplied: true,
    options: `${COMMITS}
      -s --summary: only numbers
      -n --numbered: by number
      --max-count NUMBER: how many
      -e --email: with addresses
      -c: by committers
    `,
  },
  'git cat-file': {
    operands: 'REVISION',
    isImplied: true,
    options: `
      {what} -t: its type
      {what} -s: its size
      {what} -e: whether it exists
      {what} -p: its contents
    `,
  },
  'git branch': BRANCHES,
  'git branch --list': { ...BRANCHES, operands: 'TEXT*' },
  'git tag': TAGS,
  'git tag -l': { ...TAGS, operands: 'TEXT*' },
  'git tag --list': { ...TAGS, operands: 'TEXT*' },
  'git remote': { isImplied: true, isOfferedWhole: true, options: '-v --verbose: with addresses' },
  'git remote show': { operands: 'REMOTE' },
  'git remote get-url': { operands: 'REMOTE', isImplied: true, options: '--push: for pushing\n--all: all' },
  'git stash list': {
    isImplied: true,
    options: '-NUMBER: how many\n--format TEXT: what is printed\n--date TEXT: how dates are printed',
  },
  'git worktree list': { isImplied: true, options: '--porcelain: for scripts\n-v --verbose: with reasons' },
  'git config --list': LISTS,
  'git config -l': LISTS,
  'git config list': LISTS,
  'git config --get': GETS,
  'git config --get-all': GETS,
  'git config get': GETS,
  'git add': {
    ...PATHS,
    hasClusters: true,
    dashes: 'operands',
    options: `
      -A --all: all changes
      -u --update: all changes of known files
      -v --verbose: names them
      -n --dry-run: only says what it would do
      -N --intent-to-add: only notes new files
    `,
  },
  'git commit': {
    hasClusters: true,
    options: `
      * -m --message TEXT: the message
      -a --all: all changes of known files
      --amend: replaces the last commit
      --no-edit: keeps its message
      -q --quiet: prints less
      -s --signoff: says who signs off
      --allow-empty: also without a change
    `,
  },
  'git fetch': {
    operands: 'REMOTE REFSPEC*',
    hasClusters: true,
    options: `
      -p --prune: forgets deleted branches
      --all: of all remotes
      -t --tags: all tags
      --no-tags: no tags
      --depth NUMBER: how many commits
      --deepen NUMBER: how many more commits
      --unshallow: all commits
      -q --quiet: prints less
      -v --verbose: prints more
      --dry-run: only says what it would do
    `,
  },
  'git push': {
    operands: 'REMOTE REFSPEC',
    options: `
      -u --set-upstream: remembers the remote branch
      -q --quiet: prints less
      -v --verbose: prints more
      -n --dry-run: only says what it would do
    `,
  },
};
