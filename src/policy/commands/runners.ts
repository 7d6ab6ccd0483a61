import { rowFor } from './rules';

/** They allow or forbid fetching. */
const YES = ['--yes', '-y', '--no', '--no-install', '--offline', '--quiet', '-q'];
const UV = ['--frozen', '--locked', '--no-sync', '--offline', '--isolated', '--quiet', '-q'];

/**
 * Interpreters and runners: the rule must name the script, module, target or subcommand. The listed words precede the
 * name and do not change its meaning. A word with `*` is followed by another word that is not the name. With `>` the
 * name is a program, with its guards and what a rule must name. A `>` alone: the name is always a program.
 */
export const runners: Readonly<Record<string, readonly string[]>> = {
  // Shells
  sh: ['-c'],
  bash: ['-c'],
  dash: ['-c'],
  zsh: ['-c'],
  ksh: ['-c'],
  ash: ['-c'],
  fish: ['-c'],
  csh: ['-c'],
  tcsh: ['-c'],
  pwsh: ['-c', '-Command', '-File', '-f'],
  powershell: ['-c', '-Command', '-File', '-f'],
  cmd: ['/c', '/C', '/k', '/K'],
  // Languages
  python: ['-m >', '-c'],
  pypy: ['-m >', '-c'],
  py: ['-m >', '-c'],
  ipython: ['-m >', '-c'],
  node: ['-e', '--eval', '-p', '--print', '--run'],
  nodejs: ['-e', '--eval', '-p', '--print', '--run'],
  deno: ['run', 'task', 'eval', 'serve'],
  bun: ['run', 'x >', '-e', '--eval'],
  'ts-node': ['-e'],
  tsx: ['-e'],
  'vite-node': [],
  zx: ['-e', '--eval'],
  ruby: ['-e'],
  irb: [],
  // Modules of Python that run another one, or a script
  cprofile: ['-m >'],
  profile: ['-m >'],
  trace: ['-t', '--trace', '-c', '--count', '--module >'],
  pdb: ['-m >'],
  debugpy: ['-m >'],
  runpy: [],
  timeit: [],
  doctest: [],
  coverage: ['run', '-m >'],
  perl: ['-e', '-E'],
  php: ['-r', '-f'],
  lua: ['-e'],
  luajit: ['-e'],
  r: ['-e'],
  rscript: ['-e'],
  julia: ['-e'],
  java: ['-jar'],
  groovy: ['-e'],
  scala: ['-e'],
  tclsh: [],
  // Runners
  npx: ['>', '--', ...YES],
  bunx: ['>', '--bun'],
  uvx: ['>', ...UV],
  pipx: ['run >'],
  uv: ['run >', 'tool', '--', ...UV],
  poetry: ['run >'],
  pipenv: ['run >'],
  hatch: ['run >'],
  conda: ['run >'],
  mamba: ['run >'],
  micromamba: ['run >'],
  pdm: ['run >'],
  rye: ['run >'],
  pixi: ['run >'],
  bundle: ['exec >'],
  // Versions of a language, and keys, for the command behind them
  pyenv: ['exec >'],
  rbenv: ['exec >'],
  nodenv: ['exec >'],
  goenv: ['exec >'],
  jenv: ['exec >'],
  asdf: ['exec >'],
  volta: ['run >'],
  fnm: ['exec >', '--'],
  doppler: ['run >', '--'],
  op: ['run >', '--'],
  dotenvx: ['run >', '--'],
  infisical: ['run >', '--'],
  npm: ['run', 'run-script', 'rum', 'urn', 'exec >', 'x >', 'explore', '--', '--silent', '-s', ...YES],
  pnpm: ['run', 'exec >', 'dlx >', '--silent', '-s'],
  yarn: ['run >', 'exec >', 'dlx >', 'node', 'workspace *', 'workspaces', 'foreach'],
  lerna: ['run', 'exec >'],
  nx: ['run', 'exec'],
  turbo: ['run'],
  corepack: ['>'],
  gulp: [],
  grunt: [],
  invoke: [],
  inv: [],
  doit: [],
  poe: [],
  mage: [],
  make: [],
  gmake: [],
  ninja: [],
  just: [],
  rake: [],
  task: [],
  gradle: [],
  gradlew: [],
  mvn: [],
  mvnw: [],
  ant: [],
  cargo: [],
  rustup: ['run * >'],
  go: ['run', 'tool'],
  dotnet: ['exec', 'tool'],
  composer: ['run', 'run-script', 'exec >'],
  pip: [],
  gem: ['exec >'],
  tox: ['run', 'exec'],
  nox: [],
  bazel: ['run'],
  cmake: [],
  swift: ['run'],
  dart: ['run'],
  flutter: ['pub', 'run'],
  zig: ['build', 'run'],
  stack: ['exec >', 'run'],
  cabal: ['exec >', 'run'],
  sbt: [],
  mix: ['run'],
  elixir: ['-e'],
  erl: ['-eval'],
  runghc: ['-e'],
  nix: ['run', 'develop', 'shell'],
  docker: ['run', 'exec', 'compose', 'container', 'image'],
  podman: ['run', 'exec', 'compose', 'container', 'image'],
  nerdctl: ['run', 'exec', 'compose', 'container', 'image'],
  'docker-compose': ['run', 'exec'],
  'podman-compose': ['run', 'exec'],
  kubectl: ['exec', 'run', 'debug'],
  helm: [],
};

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

/** Whether the word says that program text follows it in the command itself: `python -c`, `node --eval`. */
export function announcesCode(program: string, word: string): boolean {
  return (
    announcement(program, word) !== undefined && /^(?:-[ceprE]|--eval|--print|-Command|\/[cCkK])$/u.test(word)
  );
}

/** With only one of these, a runner prints information about itself, or runs what `npm test` would. */
export const plainRunnerOptions: ReadonlySet<string> = new Set([
  '--version',
  '-v',
  '-V',
  '--help',
  '-h',
  '--test',
]);

/** For make, which takes only a number after the first ones. */
const MAKE = { numbers: '-j -l --jobs --load-average --max-load'.split(' '), values: '-o -W -I'.split(' ') };
const GRADLE = '--tests -x --exclude-task -p --project-dir --console --max-workers --warning-mode'.split(' ');
const MAVEN = '-pl --projects -P -f --file -s -gs -t -T --threads -rf -l -D -b'.split(' ');

interface Targets {
  /** The options that take the next word as their value, whatever it is. */
  readonly values?: readonly string[];
  /** Options that take it only if it is a number. */
  readonly numbers?: readonly string[];
  /** After `--` come words for the target. */
  readonly dashes?: true;
}

/** Runners that take any number of targets, or are not known to take only one. */
const targets: Readonly<Record<string, Targets>> = {
  make: MAKE,
  gmake: MAKE,
  ninja: { values: '-j -k -l -d -t -w'.split(' ') },
  gradle: { values: GRADLE },
  gradlew: { values: GRADLE },
  mvn: { values: MAVEN },
  mvnw: { values: MAVEN },
  ant: { values: '-f -file -buildfile -lib -logger -listener -propertyfile'.split(' ') },
  rake: { values: '-f -j -I -r -R -C'.split(' ') },
  // Only the file says whether the next word is an argument or another recipe.
  just: {},
  task: { dashes: true },
  turbo: { dashes: true },
  nx: { dashes: true },
  gulp: {},
  grunt: {},
  invoke: {},
  inv: {},
  doit: {},
  mage: {},
  // `sbt test 'eval 1'`
  sbt: {},
};

/** The index of the last target that a command names; 0 if the program takes at most one. */
export function lastTarget(program: string, words: readonly string[]): number {
  const row = rowFor(targets, program);
  if (row === undefined) return 0;
  const { values = [], numbers = [], dashes } = row;
  const end = dashes && words.includes('--') ? words.indexOf('--') : words.length;
  const isTarget = (word: string, at: number): boolean => {
    const before = words[at - 1] ?? '';
    const isValue = values.includes(before) || (numbers.includes(before) && /^\d+(?:\.\d+)?$/u.test(word));
    return at > 0 && at < end && !/^-|^[\w.-]+=/u.test(word) && !isValue;
  };
  return Math.max(0, words.findLastIndex(isTarget));
}
