import { rowFor } from './rules';
import { startedPrograms } from './started-programs';
import { tables } from './tables';
import type { Arguments } from './tables/arguments';

/** The table for a command, and where it begins. */
export interface FoundTable {
  readonly table: Arguments;
  /** The words of its name: `git log`. */
  readonly name: string;
  /** How many words of the command belong to the program and to what starts it, up to the end of the name. */
  readonly named: number;
}

/** Programs that are given by a path and have a table all the same. */
const KNOWN_PLACES =
  /^(?:\.[\\/])?(?:gradlew|mvnw|node_modules[\\/]\.bin[\\/][\w.-]+|\.venv[\\/](?:bin|Scripts)[\\/][\w.-]+)(?:\.(?:cmd|bat|exe))?$/u;

/** Words that may stand between a program and its subcommand, without changing what it does. */
const BETWEEN: Readonly<Record<string, RegExp>> = {
  git: /^--no-pager$/u,
  cargo: /^\+(?:stable|beta|nightly|\d[\d.]*)$/u,
  npm: /^(?:--silent|-s)$/u,
  pnpm: /^(?:--silent|-s)$/u,
};

/** A script or a target. */
const NAME = /^[A-Za-z:][\w:-]*$/u;

/** The most words in the name of a table. */
const MOST_WORDS = 4;

/** The table of the program that a command runs in the end; nothing if there is none. */
export function findTable(texts: readonly string[]): FoundTable | undefined {
  const { program, at } = startedPrograms(texts).at(-1) ?? { program: '', at: 0 };
  const first = texts[at] ?? '';
  if (/[\\/]/u.test(first) && !KNOWN_PLACES.test(first)) return undefined;
  const between = rowFor(BETWEEN, program);
  let start = at + 1;
  while (between?.test(texts[start] ?? '') === true) start++;
  for (let length = MOST_WORDS - 1; length >= 0; length--) {
    const rest = texts.slice(start, start + length);
    if (rest.length < length) continue;
    const exact = [program, ...rest].join(' ');
    const table = rowFor(tables, exact);
    if (table !== undefined) return { table, name: exact, named: length === 0 ? at + 1 : start + length };
    const open = [program, ...rest.slice(0, -1), '*'].join(' ');
    const any = length > 0 && NAME.test(rest.at(-1) ?? '') ? rowFor(tables, open) : undefined;
    if (any !== undefined) return { table: any, name: exact, named: start + length };
  }
  return undefined;
}
