import { guardedWords } from './guarded-words';
import { programName } from './programs';
import { rowFor } from './rules';
import { namedAt, runners } from './runners';

/** A program that a command runs: by itself, or started by the one in front of it. */
export interface StartedProgram {
  /** The name under which the tables know it. */
  readonly program: string;
  /** The place of its word. */
  readonly at: number;
}

/**
 * Runners whose next word is a program itself, as far as it stands behind one of these words. What is guarded about that
 * program, and what a rule must name of it, holds here too.
 */
const STARTING: Readonly<Record<string, readonly string[] | 'always'>> = {
  npx: 'always',
  bunx: 'always',
  uvx: 'always',
  corepack: 'always',
  pipx: ['run'],
  uv: ['run'],
  poetry: ['run'],
  pipenv: ['run'],
  hatch: ['run'],
  conda: ['run'],
  mamba: ['run'],
  micromamba: ['run'],
  pdm: ['run'],
  rye: ['run'],
  pixi: ['run'],
  bundle: ['exec'],
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx', 'run'],
  bun: ['x'],
  pyenv: ['exec'],
  rbenv: ['exec'],
  nodenv: ['exec'],
  goenv: ['exec'],
  jenv: ['exec'],
  asdf: ['exec'],
  volta: ['run'],
  fnm: ['exec'],
  doppler: ['run'],
  op: ['run'],
  dotenvx: ['run'],
  infisical: ['run'],
  rustup: ['run'],
  lerna: ['exec'],
  composer: ['exec'],
  gem: ['exec'],
  stack: ['exec'],
  cabal: ['exec'],
  python: ['-m'],
  pypy: ['-m'],
  py: ['-m'],
  ipython: ['-m'],
  cprofile: ['-m'],
  profile: ['-m'],
  trace: ['--module'],
  pdb: ['-m'],
  debugpy: ['-m'],
  coverage: ['-m'],
};

/** Of these a bare word is a script of the package or a program. */
const SCRIPT_OR_PROGRAM: readonly string[] = ['pnpm', 'yarn'];

const MOST = 8;

/** Every program of a command that its words tell of, the outermost first. */
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

function startedBy(program: string, words: readonly string[]): number | undefined {
  const at = namedAt(words, program);
  if (at === -1 || words[at]?.startsWith('-') === true) return undefined;
  const starting = rowFor(STARTING, program);
  if (starting === 'always') return at;
  if (starting?.some((word) => words.slice(1, at).includes(word)) === true) return at;
  const name = programName(words[at] ?? '');
  return SCRIPT_OR_PROGRAM.includes(program) && !words.slice(1, at).includes('run') && isKnown(name)
    ? at
    : undefined;
}

function isKnown(name: string): boolean {
  return rowFor(runners, name) !== undefined || rowFor(guardedWords, name) !== undefined;
}

/** `tsx@4`, `ruff==0.4`; the `@` of `@scope/name` stays. */
function withoutVersion(name: string): string {
  return name.replace(/(?<=.)(?:@|[=<>~!]=).*$/su, '');
}
