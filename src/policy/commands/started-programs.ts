import { programName } from './programs';
import { rowFor } from './rules';
import { namedAt } from './started-code';
import { runners } from './tables/starters';
import { tables } from './tables';

/** A program that a command runs directly, or that the program before it starts. */
export interface StartedProgram {
  /** Its name in the tables. */
  readonly program: string;
  /** The index of its word. */
  readonly at: number;
}

/** For these, a bare word is a script of the package or a program. */
const SCRIPT_OR_PROGRAM: readonly string[] = ['pnpm', 'yarn'];

const MOST = 8;

/** `node node_modules/.bin/eslint` */
const INSTALLED = /^(?:\.\/)?node_modules\/\.bin\/[\w.-]+$/u;

/** Every program of a command that its words name, the outermost first. */
export function startedPrograms(words: readonly string[]): readonly StartedProgram[] {
  let last: StartedProgram = { program: programName(words[0] ?? ''), at: 0 };
  const found = [last];
  while (found.length < MOST) {
    const next = startedBy(last.program, words.slice(last.at));
    if (next === undefined) break;
    last = { program: programName(withoutVersion(words[last.at + next] ?? '')), at: last.at + next };
    found.push(last);
  }
  return found;
}

/** The words of the program that runs in the end: of `uv run git log` the last two. */
export function startedWords(words: readonly string[]): readonly string[] {
  return words.slice(startedPrograms(words).at(-1)?.at);
}

function startedBy(program: string, words: readonly string[]): number | undefined {
  const { at, isProgram } = namedAt(words, program);
  if (at === -1 || words[at]?.startsWith('-') === true) return undefined;
  if (isProgram || (program === 'node' && INSTALLED.test(words[at] ?? ''))) return at;
  const name = programName(words[at] ?? '');
  return SCRIPT_OR_PROGRAM.includes(program) && !words.slice(1, at).includes('run') && isKnown(name)
    ? at
    : undefined;
}

function isKnown(name: string): boolean {
  return rowFor(runners, name) !== undefined || DEVELOPMENT.has(name);
}

/** Programs that a package installs, not those of the system. */
const DEVELOPMENT: ReadonlySet<string> = new Set(
  Object.entries(tables)
    .filter(([, { runsFolder }]) => runsFolder === true)
    .map(([name]) => name.split(' ')[0] ?? ''),
);

/** `tsx@4`, `ruff==0.4`; the `@` of `@scope/name` stays. */
function withoutVersion(name: string): string {
  return name.replace(/(?<=.)(?:@|[=<>~!]=).*$/su, '');
}
