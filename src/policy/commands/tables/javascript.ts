import type { Arguments, Family } from './arguments';

const TSC = `
  -p --project TSCONFIG: which settings
  --noEmit: writes nothing
  -w --watch: waits for changes
  --pretty: colours
  --incremental: remembers what was checked
  --strict: stricter
  --skipLibCheck: does not check declarations
  --allowJs: JavaScript, too
  --checkJs: checks JavaScript, too
  --esModuleInterop: how modules are imported
  --resolveJsonModule: JSON may be imported
  --isolatedModules: every file by itself
  --noUnusedLocals: fails for unused names
  --noUnusedParameters: fails for unused parameters
  --noImplicitAny: fails for unknown types
  --strictNullChecks: checks for null
  --experimentalDecorators: older decorators
  -t --target ITEM: which edition of JavaScript
  -m --module ITEM: which modules
  --moduleResolution ITEM: how modules are found
  --jsx ITEM: how JSX is written
  --lib ITEMS: which declarations
  --listFiles: names files
  --showConfig: prints its settings
  --traceResolution: prints how modules are found
  --diagnostics: prints times
  --extendedDiagnostics: prints times
`;

const TSC_BUILD: Arguments = {
  runsFolder: true,
  isImplied: true,
  operands: 'TSCONFIG*',
  options: `
    -v --verbose: prints more
    -f --force: all of it
    -d --dry: only says what it would do
    -w --watch: waits for changes
  `,
};

/** Programs that check and format JavaScript and TypeScript. */
const checking: Family = {
  tsc: { runsFolder: true, operands: 'FILE*', options: TSC },
  'tsc -b': TSC_BUILD,
  'tsc --build': TSC_BUILD,
  eslint: {
    runsFolder: true,
    operands: 'PATTERN*',
    dashes: 'operands',
    options: `
      {fix} --fix: repairs what it can
      {fix} --fix-dry-run: only says what it would repair
      --max-warnings NUMBER: how many warnings
      --quiet: only errors
      * --ext EXTENSIONS: which files
      --cache: remembers what was checked
      --cache-strategy metadata|content: how it remembers
      -f --format stylish|json|json-with-metadata|html: how it reports
      --report-unused-disable-directives: names comments without effect
      --no-inline-config: ignores comments
      --no-error-on-unmatched-pattern: succeeds without files
      --pass-on-no-patterns: succeeds without files
      --no-warn-ignored: no warnings for ignored files
      --exit-on-fatal-error: ends at a broken file
      * --ignore-pattern TEXT: no files like this
      --color: colours
      --no-color: no colours
      --debug: prints more
      --stats: prints times
    `,
  },
  prettier: {
    runsFolder: true,
    operands: 'PATTERN*',
    dashes: 'operands',
    options: `
      {mode} -c --check: only checks
      {mode} -l --list-different: only names files
      {mode} -w --write: writes files
      -u --ignore-unknown: skips what it does not know
      --no-error-on-unmatched-pattern: succeeds without files
      --cache: remembers what was checked
      --cache-strategy metadata|content: how it remembers
      --log-level --loglevel silent|error|warn|log|debug: how much it prints
      --no-color: no colours
      --print-width NUMBER: how wide
      --tab-width NUMBER: how far
      --single-quote: which quotes
      --no-semi: no semicolons
      --trailing-comma all|es5|none: which commas
      --end-of-line lf|crlf|cr|auto: which ends of lines
    `,
  },
};

const NODE_TEST = `
  --watch: waits for changes
  --test-only: only marked tests
  --test-name-pattern TEXT: only tests with such a name
  --test-skip-pattern TEXT: no tests with such a name
  --test-reporter spec|tap|dot|junit|lcov: how it reports
  --test-concurrency NUMBER: how many at a time
  --test-timeout NUMBER: how long
  --test-force-exit: ends at once
  --test-update-snapshots: writes what was seen
  --experimental-test-coverage: measures coverage
`;

const VITEST: Arguments = {
  runsFolder: true,
  operands: 'run|watch|bench|FILE FILE*',
  options: `
    --run: does not wait for changes
    --watch[=true|false]: waits for changes
    --no-watch: does not wait for changes
    --coverage: measures coverage
    * --reporter default|verbose|dot|json|tap|tap-flat|basic|tree|github-actions|hanging-process: how it reports
    -t --testNamePattern TEXT: only tests with such a name
    --bail NUMBER: ends after so many failures
    --silent[=true|false|passed-only]: prints less
    --passWithNoTests: succeeds without tests
    --allowOnly: marked tests are allowed
    --changed: only what has changed
    -u --update: writes what was seen
    --globals: tests need no imports
    --environment node|jsdom|happy-dom: where tests think they are
    --pool threads|forks|vmThreads|vmForks: how tests are kept apart
    --no-file-parallelism: one file after the other
    --isolate: tests are kept apart
    --no-isolate: tests are not kept apart
    --maxWorkers NUMBER: how many at a time
    --retry NUMBER: how often
    --testTimeout NUMBER: how long
    --shard SHARD: a part of the tests
    * --project ITEM: which project
    --mode ITEM: which settings
    --typecheck: checks types, too
    --hideSkippedTests: prints less
    --logHeapUsage: prints memory
    --no-color: no colours
  `,
};

/** Programs that run tests of JavaScript. */
const testing: Family = {
  'node --test': { runsFolder: true, operands: 'FILE*', options: NODE_TEST },
  jest: {
    runsFolder: true,
    operands: 'PATH*',
    options: `
      --coverage: measures coverage
      -i --runInBand: one after the other
      --watch[=true|false]: waits for changes
      --watchAll[=true|false]: waits for changes
      --ci[=true|false]: as on a server
      -b --bail[=NUMBER]: ends at the first failure
      --verbose[=true|false]: prints more
      --silent[=true|false]: prints less
      --detectOpenHandles: looks for what stays open
      --forceExit: ends at once
      --passWithNoTests: succeeds without tests
      --no-cache: without a cache
      -o --onlyChanged: only what has changed
      --changedSince ITEM: only what has changed
      --findRelatedTests: tests that need these files
      --listTests: only names of files
      -t --testNamePattern TEXT: only tests with such a name
      --testPathPattern TEXT: only files with such a path
      --testPathPatterns TEXT: only files with such a path
      --testPathIgnorePatterns TEXT: no files with such a path
      -u --updateSnapshot: writes what was seen
      -w --maxWorkers NUMBER: how many at a time
      --testTimeout NUMBER: how long
      --expand: whole differences
      --json: as JSON
      --colors: colours
      --no-colors: no colours
      --logHeapUsage: prints memory
      --errorOnDeprecated: fails for old calls
      --showConfig: prints its settings
      --shard SHARD: a part of the tests
      --randomize: in random order
      --seed NUMBER: in which order
    `,
  },
  vitest: VITEST,
  mocha: {
    runsFolder: true,
    operands: 'FILES*',
    options: `
      -g --grep TEXT: only tests with such a name
      -f --fgrep TEXT: only tests with such a name
      -i --invert: the others
      -b --bail: ends at the first failure
      -t --timeout NUMBER: how long
      -s --slow NUMBER: what is slow
      -R --reporter spec|dot|min|list|tap|json|json-stream|nyan|landing|progress|doc|markdown: how it reports
      -w --watch: waits for changes
      --recursive: what is below folders
      --exit: ends at once
      -p --parallel: several at a time
      -j --jobs NUMBER: how many at a time
      -u --ui bdd|tdd|qunit|exports: how tests are written
      -S --sort: in order
      --forbid-only: fails for marked tests
      --forbid-pending: fails for skipped tests
      --check-leaks: looks for new globals
      --full-trace: prints more
      --inline-diffs: differences on one line
      --retries NUMBER: how often
      --dry-run: only names tests
      --extension EXTENSIONS: which files
      --ignore TEXT: no files like this
      -c --color: colours
      --no-color: no colours
    `,
  },
  'playwright test': {
    runsFolder: true,
    operands: 'TEST*',
    options: `
      * --project ITEM: which project
      --headed: shows the browser
      -g --grep TEXT: only tests with such a name
      --grep-invert TEXT: no tests with such a name
      -j --workers NUMBER: how many at a time
      --reporter list|line|dot|json|junit|github|null|html: how it reports
      --retries NUMBER: how often
      --repeat-each NUMBER: how often
      --max-failures NUMBER: ends after so many failures
      -x: ends at the first failure
      --timeout NUMBER: how long
      --global-timeout NUMBER: how long in all
      --forbid-only: fails for marked tests
      --fully-parallel: several at a time
      --list: only names tests
      --last-failed: only what failed
      -u --update-snapshots: writes what was seen
      --shard SHARD: a part of the tests
      --trace on|off|retain-on-failure|on-first-retry: what is recorded
      --browser chromium|firefox|webkit|all: which browser
      --quiet: prints less
      --pass-with-no-tests: succeeds without tests
      --no-deps: not what it depends on
    `,
  },
  'bun test': {
    runsFolder: true,
    operands: 'FILE*',
    options: `
      --watch: waits for changes
      --coverage: measures coverage
      --bail[=NUMBER]: ends at the first failure
      --timeout NUMBER: how long
      -t --test-name-pattern TEXT: only tests with such a name
      -u --update-snapshots: writes what was seen
      --only: only marked tests
      --todo: also what is to be done
      --rerun-each NUMBER: how often
    `,
  },
  // Not what gives rights.
  'deno test': {
    runsFolder: true,
    operands: 'FILE*',
    options: `
      --watch: waits for changes
      --filter TEXT: only tests with such a name
      --fail-fast[=NUMBER]: ends at the first failure
      --parallel: several at a time
      -q --quiet: prints less
      --doc: tests in comments
      --no-run: only checks
      --reporter pretty|dot|junit|tap: how it reports
    `,
  },
  'deno lint': {
    runsFolder: true,
    operands: 'FILE*',
    options: '--json: as JSON\n--compact: in short\n--fix: repairs what it can',
  },
  'deno fmt': { runsFolder: true, operands: 'FILE*', options: '--check: only checks' },
  'deno check': { runsFolder: true, operands: 'FILE*' },
};

/** The names of the tables of programs that run tests. */
export const testRunners: readonly string[] = Object.keys(testing);

export const javascript: Family = { ...checking, ...testing };
