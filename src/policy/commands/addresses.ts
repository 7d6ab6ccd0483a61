import { rowOf } from './rules';

/** An address of any scheme, alone or as the value of an option; and one of a machine, as `ssh` takes it. */
const ADDRESS = /(?:^|[=,@+])[a-z][a-z\d+.-]*:\/\/|^[\w.-]+@[\w.-]+:(?!\d+$)/iu;
const LOCAL = /file:[\\/]/iu;

/**
 * Programs whose words may be addresses, by name or with their subcommand; of each the options that take no value, so
 * that a word behind them is none of an option. Everywhere else a word that looks like an address is a path: a folder
 * may well be called `http:`.
 */
const TAKING: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[sSfLkIivgGN46#]+|--(?:silent|show-error|fail|fail-with-body|location|insecure|head|include|verbose|globoff|get|no-buffer|compressed|http[\d.]+|ipv[46]|url|progress-bar))$/u,
  wget: /^(?:-[qcNrpkSmxb]+|-n[cvdHp]|--(?:quiet|continue|no-verbose|spider|timestamping|recursive|mirror|page-requisites|no-clobber|no-check-certificate|server-response|https-only|inet[46]-only))$/u,
  aria2c: /^(?:-[qc]|--(?:quiet|continue))$/u,
  http: /^(?:-[vhbFI]+|--(?:verbose|headers|body|follow|ignore-stdin))$/u,
  https: /^(?:-[vhbFI]+|--(?:verbose|headers|body|follow|ignore-stdin))$/u,
  xh: /^(?:-[vhbFI]+|--(?:verbose|headers|body|follow|ignore-stdin))$/u,
  'git clone':
    /^(?:-[qvnls]+|--(?:quiet|verbose|progress|no-checkout|bare|mirror|single-branch|no-single-branch|no-tags|recursive|recurse-submodules|shallow-submodules|sparse|local|no-hardlinks))$/u,
  'git submodule': /^(?:-[qf]+|--(?:quiet|force)|add)$/u,
  'gh pr': /^-(?:w|-web|-comments)$/u,
  'gh issue': /^-(?:w|-web|-comments)$/u,
  'gh repo': /^-(?:w|-web)$/u,
};

/** Whether a word is or holds an address, of this machine or another one. */
export function isAddress(word: string): boolean {
  return ADDRESS.test(word);
}

/** Whether the program takes an address at this place. `names`: with its subcommand, and alone. */
export function takesAddress(words: readonly string[], at: number, names: readonly string[]): boolean {
  const flags = rowOf(TAKING, names);
  const before = words[at - 1] ?? '';
  const word = words[at] ?? '';
  if (flags === undefined || word.startsWith('-') || LOCAL.test(word)) return false;
  return at > 0 && (!before.startsWith('-') || flags.test(before));
}
