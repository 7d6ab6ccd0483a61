import { rowFor } from './rules';

/**
 * Interpreters and runners: the rule must name the script, module, target or subcommand. The words listed only
 * announce the name, which follows; behind those with `*` comes another word that is not the name.
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
  python: ['-m', '-c'],
  pypy: ['-m', '-c'],
  py: ['-m', '-c'],
  ipython: ['-m', '-c'],
  node: ['-e', '--eval', '-p', '--print', '--run'],
  nodejs: ['-e', '--eval', '-p', '--print', '--run'],
  deno: ['run', 'task', 'eval', 'serve'],
  bun: ['run', 'x', '-e', '--eval'],
  'ts-node': ['-e'],
  tsx: ['-e'],
  'vite-node': [],
  zx: ['-e', '--eval'],
  ruby: ['-e'],
  irb: [],
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
  npx: [],
  bunx: [],
  uvx: [],
  pipx: ['run'],
  uv: ['run', 'tool'],
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
  npm: ['run', 'run-script', 'rum', 'urn', 'exec', 'x', 'explore'],
  pnpm: ['run', 'exec', 'dlx'],
  yarn: ['run', 'exec', 'dlx', 'node', 'workspace *', 'workspaces', 'foreach'],
  lerna: ['run', 'exec'],
  nx: ['run', 'exec'],
  turbo: ['run'],
  corepack: [],
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
  rustup: ['run *'],
  go: ['run', 'tool'],
  dotnet: ['exec', 'tool'],
  composer: ['run', 'run-script', 'exec'],
  pip: [],
  gem: ['exec'],
  tox: ['run', 'exec'],
  nox: [],
  bazel: ['run'],
  cmake: [],
  swift: ['run'],
  dart: ['run'],
  flutter: ['pub', 'run'],
  zig: ['build', 'run'],
  stack: ['exec', 'run'],
  cabal: ['exec', 'run'],
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

/** What a command by these words runs, as far as they say it; nothing for what is no runner. */
export function namedByRunner(words: readonly string[], program: string): string | undefined {
  const announcing = rowFor(runners, program) ?? [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (announcing.includes(`${word} *`)) at++;
    // `cargo +nightly`: which of the toolchains.
    else if (!announcing.includes(word) && !word.startsWith('+')) return word;
  }
  return undefined;
}

/** Whether the word says that program text follows it in the command itself: `python -c`, `node --eval`. */
export function announcesCode(program: string, word: string): boolean {
  const announcing = rowFor(runners, program);
  return announcing?.includes(word) === true && /^(?:-[ceprE]|--eval|--print|-Command|\/[cCkK])$/u.test(word);
}

/** With one of these and nothing else a runner only says something about itself, or runs what `npm test` would. */
export const plainRunnerOptions: ReadonlySet<string> = new Set([
  '--version',
  '-v',
  '-V',
  '--help',
  '-h',
  '--test',
]);

const MAKE = '-j -l -o -W -I --jobs --load-average'.split(' ');
const GRADLE = '--tests -x --exclude-task -p --project-dir --console --max-workers --warning-mode'.split(' ');
const MAVEN = '-pl --projects -P -f --file -s -gs -t -T --threads -rf -l -D -b'.split(' ');

/** Of runners that take any number of targets: the options that take the next word as their value. */
const targetValues: Readonly<Record<string, readonly string[]>> = {
  make: MAKE,
  gmake: MAKE,
  ninja: '-j -k -l -d -t -w'.split(' '),
  gradle: GRADLE,
  gradlew: GRADLE,
  mvn: MAVEN,
  mvnw: MAVEN,
  ant: '-f -file -buildfile -lib -logger -listener -propertyfile'.split(' '),
  rake: '-f -j -I -r -R -C'.split(' '),
};

/** The place of the last target that a command names; 0 where the program takes one alone, or none. */
export function lastTarget(program: string, words: readonly string[]): number {
  const taking = rowFor(targetValues, program);
  if (taking === undefined) return 0;
  const isTarget = (word: string, at: number): boolean =>
    at > 0 && !/^-|=/u.test(word) && !taking.includes(words[at - 1] ?? '');
  return Math.max(0, words.findLastIndex(isTarget));
}
