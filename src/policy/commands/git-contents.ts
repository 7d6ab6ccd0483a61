import { isSecret } from '../secrets';
import type { FoundTable } from './find-table';
import { gitSubcommand } from './git';
import type { ReadArguments } from './read-arguments';

/** A command of git that prints contents of files. */
interface PrintingCommand {
  /** From `git` on. */
  readonly words: readonly string[];
  /** Where it would run, absolute. */
  readonly cwd: string;
}

/**
 * The names of all files whose contents the command may print, below the top of the repository, with `/`; `undefined` if
 * they are not known.
 */
export type PrintedNames = (command: PrintingCommand) => Promise<readonly string[] | undefined>;

/** They print contents of files, or may with options that no table knows. */
const PRINTING: ReadonlySet<string> = new Set(
  'show diff log grep blame annotate cat-file whatchanged diff-tree diff-index diff-files format-patch range-diff archive reflog'.split(
    ' ',
  ),
);

/** Whether a command of git may print contents of files. */
export function printsContents(
  words: readonly string[],
  known: { readonly found: FoundTable; readonly read: ReadArguments } | undefined,
): boolean {
  const at = gitSubcommand(words);
  const subcommand = words[at] ?? '';
  if (known?.read.unknown.size !== 0)
    return PRINTING.has(subcommand) || (subcommand === 'stash' && words[at + 1] === 'show');
  const { contents } = known.found.table;
  if (contents === undefined) return false;
  const has = (options: string | undefined): boolean =>
    options?.split(' ').some((option) => known.read.options.has(option)) === true;
  if (has(contents.with)) return true;
  if (contents.unless === undefined) return contents.with === undefined;
  // `HEAD:src/a.ts` is printed whatever is said of changes.
  return !has(contents.unless) || words.some((word, index) => index > at && /^[^-:][^:]*:/u.test(word));
}

/** Why a command that prints contents of files asks, if it does. */
export async function whyPrintingAsks(
  command: PrintingCommand,
  names: PrintedNames | undefined,
  secrets: Parameters<typeof isSecret>[1],
): Promise<string | undefined> {
  const found = await names?.(command).catch(() => undefined);
  if (found === undefined) return 'it is not known which files git would print';
  const secret = found.find((name) => isSecret(name, secrets));
  return secret === undefined ? undefined : `secret file: ${secret}`;
}
