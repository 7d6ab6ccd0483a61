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

/** With only one of these, a runner prints information about itself, or runs what `npm test` would. */
export const plainRunnerOptions: ReadonlySet<string> = new Set([
  '--version',
  '-v',
  '-V',
  '--help',
  '-h',
  '--test',
]);
