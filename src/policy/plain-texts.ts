import { rowOf } from './rows';
import { folderReaders, patternAt } from './folder-readers';

/** Options whose value is said, not opened. */
const SAYING: Readonly<Record<string, RegExp>> = {
  'git commit': /^(?:-[a-z]*m|--message)$/u,
  'git tag': /^(?:-[a-z]*m|--message)$/u,
  'git merge': /^(?:-m|--message)$/u,
  'git stash': /^(?:-m|--message)$/u,
  'git notes': /^(?:-m|--message)$/u,
  gh: /^(?:-[tb]|--(?:title|body))$/u,
};

/**
 * The places of the words that are no paths, whatever is in them: what is printed, the message of a commit, the pattern
 * of a search. `start`: where the words behind the program and its subcommand begin.
 */
export function plainTextsIn(
  words: readonly string[],
  names: readonly string[],
  start: number,
): ReadonlySet<number> {
  // A program at a place of its own may be anything, whatever it is called.
  if (/[\\/]/u.test(words[0] ?? '')) return new Set();
  if (names.includes('echo')) return new Set(words.keys());
  const saying = rowOf(SAYING, names);
  if (saying) return new Set(words.flatMap((_, at) => (saying.test(words[at - 1] ?? '') ? [at] : [])));
  const reader = rowOf(folderReaders, names);
  const pattern = reader && patternAt(reader, words.slice(start));
  return new Set(pattern === undefined ? [] : [start + pattern]);
}
