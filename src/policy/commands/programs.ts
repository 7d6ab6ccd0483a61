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
