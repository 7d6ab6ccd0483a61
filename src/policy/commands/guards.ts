import type { GuardedWords } from './guarded-runners';
import { guardedWords } from './guarded-words';
import { rowFor } from './rules';

/** The index of the last guarded word of a command; 0 if there is none. */
export function lastGuardedWord(program: string, words: readonly string[]): number {
  const guarded = rowFor(guardedWords, program);
  if (guarded === undefined) return 0;
  const single = words.findLastIndex(
    (word, index) =>
      index > 0 && isGuarded({ word, index }, guarded) && guarded.harmless?.(words, index) !== true,
  );
  const several = (guarded.subcommands ?? []).map((row) => endOfRow(row, words));
  return Math.max(0, single, ...several, guarded.last?.(words) ?? 0);
}

function isGuarded({ word, index }: { word: string; index: number }, guarded: GuardedWords): boolean {
  if (guarded.beginnings?.some((beginning) => word.startsWith(beginning)) === true) return true;
  if (guarded.patterns?.some((pattern) => pattern.test(word)) === true) return true;
  if (guarded.bareCluster === true && index === 1 && hasLetter(word, guarded.letters)) return true;
  if (!/^-./su.test(word)) return false;
  if (/^-[^-]/su.test(word) && hasLetter(word.slice(1), guarded.letters)) return true;
  const [, name = ''] = /^--([^=]*)/u.exec(word) ?? [];
  if (guarded.whole?.includes(name) === true) return false;
  return guarded.options?.some((option) => names(word, option)) === true;
}

function hasLetter(word: string, letters = ''): boolean {
  return Array.from(word).some((letter) => letters.includes(letter));
}

/** Whether a word is this long option. Option parsers accept any unambiguous beginning of a name. */
function names(word: string, option: string): boolean {
  const [, dashes = '', name = ''] = /^(-+)([^=]*)/u.exec(word) ?? [];
  // With one dash a short beginning is a letter or a cluster; those are in `letters`.
  return name === option || (name.length >= (dashes === '-' ? 4 : 1) && option.startsWith(name));
}

function endOfRow(row: readonly string[], words: readonly string[]): number {
  let at = 0;
  for (const part of row) {
    const before = at;
    at = words.findIndex(
      (word, index) => index > before && (part.startsWith('-') ? word.startsWith(part) : word === part),
    );
    if (at === -1) return 0;
  }
  return at;
}
