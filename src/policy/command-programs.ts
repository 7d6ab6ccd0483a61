/** How a launcher's own words end and the command that it starts begins. */
export interface Launcher {
  /** Letters of the options that take the next word as their value. */
  readonly values?: string;
  /** Words of its own before the command: the duration of `timeout`. */
  readonly operands?: number;
  /** What it starts is shell text, to be read as such. */
  readonly shellText?: true;
  /** The beginning of a word behind which shell text begins. */
  readonly textOption?: RegExp;
}

/** Programs that start the command given in their arguments. They always ask. */
export const launchers: Readonly<Record<string, Launcher>> = {
  env: { values: 'uC', textOption: /^(?:-\w*S|--split-string=?)/u },
  sudo: { values: 'ughpCDRrtTU' },
  doas: { values: 'uC' },
  pkexec: {},
  run0: {},
  runuser: { values: 'ugGsc', shellText: true },
  su: { values: 'gGsc', shellText: true },
  xargs: { values: 'EILPadnRsS' },
  parallel: { values: 'jNnIaS', shellText: true },
  nohup: {},
  setsid: {},
  time: { values: 'fo' },
  timeout: { values: 'ks', operands: 1 },
  nice: { values: 'n' },
  ionice: { values: 'cnpPu' },
  taskset: { operands: 1 },
  chrt: { operands: 1 },
  stdbuf: { values: 'ioe' },
  unbuffer: {},
  watch: { values: 'n', shellText: true },
  command: {},
  builtin: {},
  exec: { values: 'a' },
  eval: { shellText: true },
  coproc: {},
  noglob: {},
  nocorrect: {},
  '-': {},
  ssh: { values: 'BbcDEeFIiJLlmOopPQRSWw', operands: 1, shellText: true },
  busybox: {},
  toybox: {},
  script: { values: 'cEImoOBT', operands: 1, shellText: true },
  flock: { values: 'wE', operands: 1, shellText: true },
  chroot: { operands: 1 },
  unshare: {},
  nsenter: { values: 'tSG' },
  strace: { values: 'abeIoOpPsSuUX' },
  ltrace: { values: 'aeFlnosupS' },
  gdb: {},
  valgrind: {},
  fakeroot: {},
  'systemd-run': { values: 'pEuMH' },
  'dbus-run-session': {},
  rlwrap: {},
  entr: {},
  // Windows
  start: {},
  call: {},
  runas: {},
  forfiles: {},
  wsl: {},
  '&': {},
  iex: { shellText: true },
  'invoke-expression': { shellText: true },
};

/** Change what later words mean, run text, or start an editor or pager that can. They always ask. */
const ALWAYS_ASKING: ReadonlySet<string> = new Set(
  [
    'source . trap alias unalias hash enable export declare typeset local readonly unset set shopt setopt unsetopt',
    'read mapfile readarray cd pushd popd dirs let test getopts bind complete compgen compopt history fc jobs fg bg',
    'disown wait umask ulimit exit logout return break continue shift suspend emulate autoload zmodload zstyle',
    // Reserved words: what follows is not an argument.
    'if then elif else fi for while until do done case esac select function in repeat foreach end always ! [ [[ { }',
    'less more most man info vi vim view vimdiff nvim nano pico emacs ed ex awk gawk mawk nawk expect screen tmux',
    'at batch crontab scp sftp ftp telnet open xdg-open osascript',
    // They have a command of their own that starts a shell.
    'sqlite3 psql mysql mariadb dc nc ncat netcat socat',
    // Windows
    'invoke-command icm start-process saps start-job set-alias new-alias set-item for forfiles rundll32 regsvr32',
    'mshta cscript wscript msiexec wmic schtasks set-executionpolicy add-type new-object',
  ]
    .join(' ')
    .split(' '),
);

export function alwaysAsks(program: string, words: readonly string[]): boolean {
  // `printf -v` sets a variable and evaluates its subscript.
  return ALWAYS_ASKING.has(program) || (program === 'printf' && words[1]?.startsWith('-v') === true);
}

/**
 * Interpreters and runners: the rule must name the script, module, target or subcommand. The words listed only
 * announce the name, which follows.
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
  node: ['-e', '--eval', '-p', '--print', '--run'],
  nodejs: ['-e', '--eval', '-p', '--print', '--run'],
  deno: ['run', 'task', 'eval', 'serve'],
  bun: ['run', 'x', '-e', '--eval'],
  'ts-node': ['-e'],
  tsx: ['-e'],
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
  bundle: ['exec'],
  npm: ['run', 'run-script', 'rum', 'urn', 'exec', 'x', 'explore'],
  pnpm: ['run', 'exec', 'dlx'],
  yarn: ['run', 'exec', 'dlx', 'node'],
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
  kubectl: ['exec', 'run', 'debug'],
  helm: [],
};

/** Whether the word says that program text follows it in the command itself: `python -c`, `node --eval`. */
export function announcesCode(program: string, word: string): boolean {
  const announcing = rowFor(runners, program);
  return announcing?.includes(word) === true && /^(?:-[ceprE]|--eval|--print|-Command|\/[cCkK])$/u.test(word);
}

/** Whether a command by this rule runs code of the project: a script, a target, what a package file says. */
export function runsProjectCode(rule: readonly string[]): boolean {
  const [first = '', ...rest] = rule;
  const isPlain = rest.length === 1 && plainRunnerOptions.has(rest[0] ?? '');
  return /[\\/]/u.test(first) || (rowFor(runners, programName(first)) !== undefined && !isPlain);
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

/** Programs whose arguments may be changed, and whether they take all that lies in a folder with it. */
export const writers: Readonly<Record<string, 'write' | 'move' | 'delete'>> = {
  tee: 'write',
  dd: 'write',
  touch: 'write',
  mkdir: 'write',
  truncate: 'write',
  sed: 'write',
  split: 'write',
  shred: 'write',
  patch: 'write',
  uniq: 'write',
  curl: 'write',
  wget: 'write',
  gzip: 'write',
  gunzip: 'write',
  bzip2: 'write',
  xz: 'write',
  cp: 'move',
  mv: 'move',
  ln: 'move',
  install: 'move',
  chmod: 'move',
  chown: 'move',
  chgrp: 'move',
  tar: 'move',
  zip: 'move',
  unzip: 'move',
  rsync: 'move',
  rm: 'delete',
  rmdir: 'delete',
  unlink: 'delete',
  gsed: 'write',
  yq: 'write',
  gtar: 'move',
  bsdtar: 'move',
  'go build': 'write',
  'git mv': 'move',
  'git rm': 'delete',
  'git checkout': 'write',
  'git restore': 'write',
  // Windows
  copy: 'move',
  move: 'move',
  ren: 'move',
  rename: 'move',
  del: 'delete',
  erase: 'delete',
  rd: 'delete',
  md: 'write',
  mklink: 'move',
  'copy-item': 'move',
  'move-item': 'move',
  'rename-item': 'move',
  'remove-item': 'delete',
  'new-item': 'write',
  'set-content': 'write',
  'add-content': 'write',
  'out-file': 'write',
};

/** Programs whose second word says nothing about what they do; a rule for them is the program alone. */
export const plainPrograms: ReadonlySet<string> = new Set(
  [
    'ls dir cat head tail wc grep egrep fgrep rg fd find file stat du df tree sort uniq cut tr nl diff cmp comm echo',
    'printf pwd date whoami id uname which type true false basename dirname realpath readlink jq yq seq sleep',
    'tee cp mv ln mkdir rmdir rm touch chmod chown sed tar zip unzip curl wget md5sum sha1sum sha256sum ps',
  ]
    .join(' ')
    .split(' '),
);

/** The name under which the tables know a program: `/usr/bin/python3.12` is `python`. */
export function programName(word: string): string {
  const name = (word.split(/[\\/]/u).at(-1) ?? word).toLowerCase().replace(/\.(?:exe|com|cmd|bat)$/u, '');
  const bare = name.replace(/[\d.]+$/u, '');
  return Object.hasOwn(runners, bare) ? bare : name;
}

/** A row of one of the tables; a program called `constructor` has none. */
export function rowFor<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
