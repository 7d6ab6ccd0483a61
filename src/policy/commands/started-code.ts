import { rowFor } from './rules';
import { runners } from './tables/starters';

/** What a command with these words runs, as far as they say; nothing if the program is not a runner. */
export function namedByRunner(words: readonly string[], program: string): string | undefined {
  return words[namedAt(words, program).at];
}

interface Named {
  /** The index of the word; -1 if the words do not say it. */
  readonly at: number;
  readonly isProgram: boolean;
}

/** What a command with these words runs. */
export function namedAt(words: readonly string[], program: string): Named {
  let isProgram = rowFor(runners, program)?.includes('>') === true;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    const row = announcement(program, word);
    // `cargo +nightly`: which of the toolchains.
    if (row === undefined && !word.startsWith('+')) return { at, isProgram };
    if (row?.includes(' >')) isProgram = true;
    if (row?.includes(' *')) at++;
  }
  return { at: -1, isProgram };
}

function announcement(program: string, word: string): string | undefined {
  if (word === '>' || /\s/u.test(word)) return undefined;
  return rowFor(runners, program)?.find((each) => each === word || each.startsWith(`${word} `));
}

/**
 * The index of the word that says that program text follows it in the command itself: `python -c`, `bash -lc`; -1 if there
 * is none. For git it is a setting, which may be a program.
 */
export function codeAt(program: string, words: readonly string[]): number {
  const letters =
    program === 'git' ? ['-c'] : (rowFor(runners, program) ?? []).filter((row) => LETTER.test(row));
  if (letters.length === 0) return -1;
  const own = words.findIndex((word, at) => at > 0 && !/^[-/]/u.test(word));
  const options = own === -1 ? words : words.slice(0, own);
  return options.findIndex(
    (word, at) =>
      at > 0 && (LONG.test(word) || (/^-[A-Za-z]+$/u.test(word) && letters.includes(`-${word.slice(-1)}`))),
  );
}

/** Options whose value is program text, alone or at the end of a cluster. */
const LETTER = /^(?:-[ceprE]|\/c)$/u;
const LONG = /^(?:--?(?:eval|print|com\w*|enc\w*|config-env)(?:=.*)?|\/[ck])$/isu;
