import { gitSubcommand } from './programs';
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
 * The index of the word that says that program text follows it in the command itself, or holds it: `python -c`, `bash
 * -lc`, `perl -eprint`, `deno eval`; -1 if there is none. For git it is a setting, which may be a program.
 */
export function codeAt(program: string, words: readonly string[]): number {
  const rows = program === 'git' ? ['-c'] : (rowFor(runners, program) ?? []);
  const letters = rows.filter((row) => LETTER.test(row)).map((row) => row.slice(1));
  if (letters.length === 0 && !rows.some((row) => LONG.test(row))) return -1;
  const own = program === 'git' ? gitSubcommand(words) : ownEnd(program, words);
  const options = own === -1 ? words : words.slice(0, own);
  return options.findIndex((word, at) => at > 0 && (LONG.test(word) || hasLetter(word, letters)));
}

/** The index of the first word that is neither an option, its value, nor a word that announces what runs. */
function ownEnd(program: string, words: readonly string[]): number {
  return words.findIndex(
    (word, at) =>
      at > 0 &&
      !/^[-+/]/u.test(word) &&
      !VALUED.test(words[at - 1] ?? '') &&
      announcement(program, word) === undefined,
  );
}

/** `-c`, `-lc`; or with the text behind it: `-eprint`, `-neprint`. */
function hasLetter(word: string, letters: readonly string[]): boolean {
  const [start = ''] = /^-[abBdElnOpPqsStTuUvwx\d]*[A-Za-z]/u.exec(word) ?? [];
  const isCluster = /^-[A-Za-z]+$/u.test(word);
  return letters.some((letter) => start.slice(1).includes(letter) || (isCluster && word.endsWith(letter)));
}

/** Options whose value is program text, alone or in a cluster. */
const LETTER = /^-[ceprBRE]$/u;
const LONG = /^(?:eval|repl|--?(?:eval|print|call|shell-mode|com\w*|enc\w*|config-env)(?:=.*)?|\/[ck].*)$/isu;
/** Options of interpreters whose value is the next word. */
const VALUED =
  /^(?:[-+][OoWXQrICdDlzA]|--(?:require|import|loader|experimental-loader|rcfile|init-file|env-file|conditions|preload|config|prefix|package|workspace))$/u;
