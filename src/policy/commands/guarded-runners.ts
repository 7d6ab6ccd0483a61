/** Words that turn a harmless program into one that runs, writes or reads something else. */
export interface GuardedWords {
  /** Single letters, alone, in a cluster (`-no`) or with a glued value (`-ofile`). */
  readonly letters?: string;
  /** Long options: with one dash or two, with `=value`, abbreviated. */
  readonly options?: readonly string[];
  /** Words that begin so. */
  readonly beginnings?: readonly string[];
  /** Words that hold this. */
  readonly patterns?: readonly RegExp[];
  /** Words that follow one another, with any words between them; an option also with its value attached. */
  readonly subcommands?: readonly (readonly string[])[];
  /** The index of the last harmful word, for a program with its own language; -1: none. */
  readonly last?: (words: readonly string[]) => number;
  /** The first argument is a cluster of letters even without a dash: `tar xf`. */
  readonly bareCluster?: true;
  /** Complete long options that are harmless, although a guarded one begins like them. */
  readonly whole?: readonly string[];
  /** Whether a word that looks guarded is harmless here. */
  readonly harmless?: (words: readonly string[], at: number) => boolean;
}

const NODE_OPTIONS: GuardedWords = {
  letters: 'cC',
  options: [
    'script-shell',
    'node-options',
    'call',
    'prefix',
    'dir',
    'cwd',
    'config',
    'userconfig',
    'globalconfig',
  ],
  beginnings: ['--config.'],
};
const NODE_PACKAGES: GuardedWords = {
  ...NODE_OPTIONS,
  // What later runs use as their shell, registry and the like.
  subcommands: ['set', 'delete', 'edit', 'fix', 'rm'].flatMap((word) => [
    ['config', word],
    ['c', word],
  ]),
};
/** With them another package's script runs. */
const OTHER_PACKAGES = ['workspace', 'workspaces', 'filter', 'recursive'];
const NPM: GuardedWords = {
  ...NODE_PACKAGES,
  letters: `${NODE_OPTIONS.letters ?? ''}wFr`,
  options: [...(NODE_OPTIONS.options ?? []), ...OTHER_PACKAGES],
  subcommands: [...(NODE_PACKAGES.subcommands ?? []), ['set']],
  // What follows it is passed to the script.
  harmless: (words, at) => words.slice(0, at).includes('--'),
};
/** After the program, everything belongs to it. */
const NPX: GuardedWords = { ...NODE_OPTIONS, harmless: (words) => words[1]?.startsWith('-') === false };

const GRADLE: GuardedWords = {
  letters: 'I',
  beginnings: ['-p', '-g', '-b', '-c'],
  options: ['init-script', 'include-build', 'project-dir', 'gradle-user-home', 'build-file', 'settings-file'],
  // `-Dorg.gradle.jvmargs=-XX:OnOutOfMemoryError=…`
  patterns: [
    /^-D(?!org\.gradle\.(?:daemon|parallel|caching|warning\.mode)=\w+$)/u,
    /^-P.*[\s/;:|<>`$(){}]/su,
  ],
};

const MAVEN: GuardedWords = {
  options: ['file', 'settings', 'global-settings', 'toolchains', 'global-toolchains', 'define', 'gs', 'gt'],
  // `-DargLine=…` decides how tests are started, like many properties that plugins read.
  patterns: [
    /^-(?:f|s|t|gs|gt)$/u,
    /^-D(?!(?:skipTests|skipITs|test|it\.test|maven\.test\.skip|maven\.javadoc\.skip|failIfNoTests|surefire\.failIfNoSpecifiedTests|checkstyle\.skip|style\.color)(?:=[\w.,#*!+$-]*)?$)/u,
  ],
};

/** Properties of a build; most name what is run or loaded. */
const MSBUILD: GuardedWords = {
  options: ['test-adapter-path', 'settings'],
  patterns: [
    /^[-/]{1,2}p(?:roperty)?(?:$|:(?!(?:Configuration|Platform|Version|AssemblyVersion|WarningLevel|TreatWarningsAsErrors|TargetFramework|RuntimeIdentifier|Deterministic|ContinuousIntegrationBuild|CollectCoverage)=[\w.,-]*$))/iu,
    /^@/u,
    /^[-/]{1,2}(?:dl|distributedlogger|l|logger|t|target):/iu,
  ],
};

/** What jest loads, and what it writes. */
const JEST: GuardedWords = {
  options: [
    ...[
      'transform',
      'setupFiles',
      'setupFilesAfterEnv',
      'globalSetup',
      'globalTeardown',
      'resolver',
      'runner',
    ],
    ...['testRunner', 'testSequencer', 'snapshotSerializers', 'watchPlugins', 'moduleNameMapper', 'haste'],
    ...['globals', 'cacheDirectory', 'clearCache', 'outputFile', 'coverageDirectory', 'rootDir', 'roots'],
  ],
  whole: ['coverage', 'cache', 'runInBand', 'run'],
};

const PYTEST: GuardedWords = {
  letters: 'pco',
  options: [
    ...['rootdir', 'confcutdir', 'override-ini', 'config-file', 'cov-config'],
    // They write, and the first clears a folder.
    ...['basetemp', 'junitxml', 'junit-xml', 'log-file', 'report-log', 'result-log', 'pastebin', 'debug'],
  ],
  whole: ['co', 'collect-only', 'cov'],
  harmless: (words, at) =>
    (words[at] === '-p' && words[at + 1]?.startsWith('no:') === true) ||
    /^-(?:pno:|r)/u.test(words[at] ?? ''),
};

const UV: GuardedWords = { options: ['directory', 'project', 'config-file', 'python'] };

const MAKE: GuardedWords = {
  letters: 'fCE',
  options: ['file', 'makefile', 'directory', 'eval'],
  patterns: [
    /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES)[\s:?+]*=/u,
    // `X!=command` and `$(shell command)` run in variables too.
    /!=/u,
    /\$/u,
    // `CC=./evil` and `CC="sh -c id"`: recipes run what their variables say.
    /^[\w.-]+[\s:?+]*=.*[\s/;&|<>`(){}]/u,
    // What programs take from their environment: `PATH`, `NODE_OPTIONS`, `LD_PRELOAD`, `GIT_SSH`.
    /^(?:\w*(?:PATH|OPTIONS|OPTS?|PRELOAD|HOME|STARTUP|WRAPPER|LAUNCHER|EDITOR|PAGER|ASKPASS|COMMAND|PROXY|RC)|IFS|ENV|BASH_ENV|CDPATH|VISUAL|BROWSER|CLASSPATH|TMPDIR|DESTDIR|\w*FLAGS(?=[^=]*=(?!-[OgW]\w*$)))[\s:?+]*=|^(?:LD|DYLD|GIT|SSH|NPM_CONFIG|CARGO|RUSTC|PERL5|RUBY|PIP|UV|DOCKER|npm_config)_?\w*[\s:?+]*=/iu,
  ],
};

/** Of interpreters, package managers, builders and what runs tests. */
export const guardedRunners: Readonly<Record<string, GuardedWords>> = {
  make: MAKE,
  gmake: MAKE,
  npm: NPM,
  pnpm: NPM,
  yarn: NODE_PACKAGES,
  npx: NPX,
  bun: { options: ['cwd', 'config', 'preload', 'filter'] },
  pip: {
    letters: 'i',
    options: [
      'index-url',
      'extra-index-url',
      'find-links',
      'proxy',
      'trusted-host',
      'target',
      'prefix',
      'root',
      'python',
    ],
    whole: ['pre'],
    subcommands: ['set', 'edit', 'unset'].map((word) => ['config', word]),
  },
  pylint: { options: ['init-hook', 'load-plugins', 'rcfile'] },
  uv: UV,
  uvx: UV,
  poetry: { letters: 'CP', options: ['directory', 'project'] },
  composer: { letters: 'd', options: ['working-dir'] },
  bundle: { options: ['gemfile'] },
  dotnet: MSBUILD,
  msbuild: MSBUILD,
  gradle: GRADLE,
  gradlew: GRADLE,
  mvn: MAVEN,
  mvnw: MAVEN,
  just: {
    letters: 'fd',
    options: ['justfile', 'working-directory', 'set', 'shell', 'shell-arg', 'dotenv-path', 'command'],
  },
  task: { letters: 'td', options: ['taskfile', 'dir'] },
  turbo: { options: ['cwd', 'root-turbo-json'] },
  rake: {
    letters: 'eEpfrRIC',
    options: ['execute', 'execute-print', 'execute-continue', 'rakefile', 'require', 'libdir'],
  },
  ctest: {
    letters: 'SDMT',
    options: [
      'build-and-test',
      'test-command',
      'build-generator',
      'build-makeprogram',
      'script',
      'script-new-process',
      'dashboard',
    ],
  },
  meson: { options: ['wrapper', 'gdb', 'gdb-path', 'native-file', 'cross-file'] },
  ninja: { letters: 't' },
  // What runs tests, or looks at code
  jest: JEST,
  vitest: { options: ['globalSetup', 'setupFiles', 'runner', 'root', 'dir', 'outputFile'], whole: ['run'] },
  mocha: {
    letters: 'r',
    options: ['require', 'loader', 'import', 'config', 'package', 'opts', 'reporter-option'],
  },
  ava: { options: ['require', 'config'] },
  pytest: PYTEST,
  'py.test': PYTEST,
  phpunit: { options: ['bootstrap', 'extension', 'log-junit', 'log-teamcity'] },
  rspec: { letters: 'rIO', options: ['require', 'options'] },
  eslint: {
    letters: 'o',
    options: [
      'plugin',
      'rulesdir',
      'resolve-plugins-relative-to',
      'init',
      'cache-location',
      'cache-file',
      'output-file',
    ],
    whole: ['cache'],
  },
  prettier: { options: ['plugin', 'plugin-search-dir', 'cache-location'], whole: ['cache'] },
  mypy: { options: ['python-executable', 'cache-dir', 'junit-xml'] },
  // `env -w` sets options for every later call.
  go: {
    options: ['exec', 'toolexec', 'vettool', 'ldflags', 'overlay', 'modfile', 'C'],
    subcommands: [['env', '-w']],
  },
  cargo: { letters: 'ZC', options: ['config', 'manifest-path'] },
};
