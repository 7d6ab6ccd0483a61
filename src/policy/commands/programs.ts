import { alwaysAsking } from './tables/launchers';
import { runners } from './tables/starters';

export function alwaysAsks(program: string, words: readonly string[]): boolean {
  if (alwaysAsking.has(program)) return true;
  // `printf -v` sets a variable and evaluates its subscript, and `%n` sets the one that is named.
  return (
    program === 'printf' && (words[1]?.startsWith('-v') === true || words.some((word) => SETS.test(word)))
  );
}

const SETS = /%[-+ #0'*\d.]*[hjlLtqz]*n/u;

/** The name of a program in the tables: `/usr/bin/python3.12` is `python`. */
export function programName(word: string): string {
  const name = (word.split(/[\\/]/u).at(-1) ?? word).toLowerCase().replace(/\.(?:exe|com|cmd|bat)$/u, '');
  const bare = name.replace(/[\d.]+$/u, '');
  return Object.hasOwn(runners, bare) ? bare : name;
}

/** Options before the subcommand that take the next word as their value. */
const VALUES: readonly string[] = ['-c', '-C', '--git-dir', '--work-tree', '--namespace', '--config-env'];

/** The index of the subcommand; -1 if there is none. */
export function gitSubcommand(words: readonly string[]): number {
  return words.findIndex(
    (word, at) => at > 0 && !word.startsWith('-') && !VALUES.includes(words[at - 1] ?? ''),
  );
}
