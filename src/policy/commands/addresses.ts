import { rowOf } from './rules';

/** An address of any scheme, alone or as the value of an option; and one of a machine, as `ssh` takes it. */
const ADDRESS = /(?:^|[=,@+])[a-z][a-z\d+.-]*:\/\/|^[\w.-]+@[\w.-]+:(?!\d+$)/iu;
const LOCAL = /file:[\\/]/iu;

interface Taking {
  /** The options that take no value, so that a word behind them is none of an option. */
  readonly flags?: RegExp;
  /** A word that has to stand in front. */
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

/** Whether a word is or holds an address, of this machine or another one. */
export function isAddress(word: string): boolean {
  return ADDRESS.test(word);
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
