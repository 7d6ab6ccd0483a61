/** Options before the subcommand that take the next word as their value. */
const VALUES: readonly string[] = ['-c', '-C', '--git-dir', '--work-tree', '--namespace', '--config-env'];

/** The index of the subcommand; -1 if there is none. */
export function gitSubcommand(words: readonly string[]): number {
  return words.findIndex(
    (word, at) => at > 0 && !word.startsWith('-') && !VALUES.includes(words[at - 1] ?? ''),
  );
}
