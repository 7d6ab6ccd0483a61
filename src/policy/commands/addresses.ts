import { gitSubcommand } from './git';
import { rowOf } from './rules';

/** An address of any scheme, alone or as the value of an option, or of a machine as `ssh` takes it. */
const ADDRESS = /(?:^|[=,@+])[a-z][a-z\d+.-]*:\/\/|^[\w.-]+@[\w.-]+:(?!\d+$)/iu;
const LOCAL = /file:[\\/]/iu;

interface Taking {
  /** The options that take no value, so the word after them is not a value. */
  readonly flags?: RegExp;
  /** A word that must come first. */
  readonly behind?: RegExp;
}

/**
 * Programs whose words may be addresses, by name or with their subcommand. Everywhere else a word that looks like an
 * address is a path: a folder may well be called `http:`.
 */
const TAKING: Readonly<Record<string, Taking>> = {
  curl: {
    flags:
      /^(?:-[sSfLkIivgGN46#]+|--(?:silent|show-error|fail|fail-with-body|location|insecure|head|include|verbose|globoff|get|no-buffer|compressed|http[\d.]+|ipv[46]|url|progress-bar))$/u,
  },
  wget: {
    flags:
      /^(?:-[qcNrpkSmxb]+|-n[cvdHp]|--(?:quiet|continue|no-verbose|spider|timestamping|recursive|mirror|page-requisites|no-clobber|no-check-certificate|server-response|https-only|inet[46]-only))$/u,
  },
  aria2c: { flags: /^(?:-[qc]|--(?:quiet|continue))$/u },
  http: { flags: /^(?:-[vhbFI]+|--(?:verbose|headers|body|follow|ignore-stdin))$/u },
  https: { flags: /^(?:-[vhbFI]+|--(?:verbose|headers|body|follow|ignore-stdin))$/u },
  xh: { flags: /^(?:-[vhbFI]+|--(?:verbose|headers|body|follow|ignore-stdin))$/u },
  'git clone': {
    flags:
      /^(?:-[qvnls]+|--(?:quiet|verbose|progress|no-checkout|bare|mirror|single-branch|no-single-branch|no-tags|recursive|recurse-submodules|shallow-submodules|sparse|local|no-hardlinks))$/u,
  },
  'git submodule': { flags: /^(?:-[qf]+|--(?:quiet|force))$/u, behind: /^add$/u },
  'git remote': { flags: /^-f$/u, behind: /^(?:add|set-url)$/u },
  'gh pr': { flags: /^-(?:w|-web|-comments)$/u },
  'gh issue': { flags: /^-(?:w|-web|-comments)$/u },
  'gh repo': { flags: /^-(?:w|-web)$/u },
};

/** Whether the word at a place is or holds an address, of this machine or another one. */
export function isAddress(words: readonly string[], at: number, names: readonly string[]): boolean {
  const word = words[at] ?? '';
  return ADDRESS.test(word) || (rowOf(REMOTE_FIRST, names) === true && isRemoteOfGit(words, at));
}

/** Their first argument is a remote; later ones may have a colon without being an address: `HEAD:main`. */
const REMOTE_FIRST: Readonly<Record<string, true>> = {
  'git fetch': true,
  'git pull': true,
  'git push': true,
  'git ls-remote': true,
  'git remote': true,
  'git archive': true,
};
/** How git recognizes an address of another machine: a colon before any slash. */
const HOST = /^(?:--(?:repo|remote)=)?[^/:]+:/u;
const FLAGS =
  /^(?:-[ufqvndtapP46]+|--(?:set-upstream|force|force-with-lease|force-if-includes|quiet|verbose|dry-run|delete|tags|no-tags|all|prune|no-verify|follow-tags|atomic|progress|rebase|no-rebase|ff|ff-only|no-ff|squash|autostash|no-edit|unshallow|heads|refs|exit-code|symref|porcelain|mirror)|.*=.*)$/su;

function isRemoteOfGit(words: readonly string[], at: number): boolean {
  if (!HOST.test(words[at] ?? '')) return false;
  const subcommand = gitSubcommand(words);
  const remote = words.findIndex((word, index) => {
    const before = words[index - 1] ?? '';
    const isSure = index - 1 === subcommand || !before.startsWith('-') || FLAGS.test(before);
    const isSubcommand = words[subcommand] === 'remote' && index === subcommand + 1;
    return index > subcommand && !word.startsWith('-') && isSure && !isSubcommand;
  });
  return remote === -1 || at <= remote;
}

/** Whether the program takes an address at this place. `names`: with its subcommand, and alone. */
export function takesAddress(words: readonly string[], at: number, names: readonly string[]): boolean {
  const taking = rowOf(TAKING, names);
  const before = words[at - 1] ?? '';
  const word = words[at] ?? '';
  if (taking === undefined || at === 0 || word.startsWith('-') || LOCAL.test(word)) return false;
  const { flags, behind } = taking;
  if (behind && !words.slice(1, at).some((each) => behind.test(each))) return false;
  return !before.startsWith('-') || flags?.test(before) === true;
}
