import type { Arguments, Family } from './arguments';

/** Which packages and settings, for most subcommands of cargo. */
const CARGO = `
  -r --release: optimized
  --all --workspace: all packages
  * -p --package ITEM: which package
  * --exclude ITEM: which package not
  --lib: the library
  --bins: all programs
  * --bin ITEM: which program
  --tests: all tests
  * --test ITEM: which tests
  --examples: all examples
  * --example ITEM: which example
  --benches: all measurements
  --all-targets: all of these
  --all-features: all features
  --no-default-features: without features
  * -F --features ITEMS: which features
  --profile ITEM: which profile
  --target PACKAGE: for which system, not a file that describes one
  -j --jobs NUMBER: how many at a time
  --keep-going: goes on after a failure
  --locked: exactly what the lock file says
  --frozen: exactly what is there
  --offline: only what is there
  * -v --verbose: prints more
  -q --quiet: prints less
  --color always|auto|never: colours
  --message-format human|short|json: how it reports
`;

const cargo = (more: Arguments = {}): Arguments => ({
  runsFolder: true,
  ...more,
  options: `${CARGO}${more.options ?? ''}`,
});

const LINTS =
  '* -D --deny ITEM: fails for it\n* -W --warn ITEM: warns of it\n* -A --allow ITEM: allows it\n* -F --forbid ITEM: fails for it';

const GO = `
  -v: prints more
  -race: looks for races
  -tags ITEMS: which tags
  -mod readonly|vendor|mod: where modules come from
  -p NUMBER: how many at a time
  -trimpath: without paths
`;

const GRADLE: Arguments = {
  runsFolder: true,
  options: `
    -i --info: prints more
    -d --debug: prints still more
    -q --quiet: prints less
    -w --warn: prints less
    -s --stacktrace: prints where it failed
    -S --full-stacktrace: prints where it failed
    * --tests TESTS: which tests
    * -x --exclude-task ITEM: which task not
    --parallel: several at a time
    --no-parallel: one after the other
    --max-workers NUMBER: how many at a time
    --daemon: with a process that stays
    --no-daemon: without a process that stays
    --console plain|auto|rich|verbose: how it prints
    --warning-mode all|fail|none|summary: which warnings
    --continue: goes on after a failure
    --offline: only what is there
    --rerun-tasks: all tasks
    --build-cache: with a cache
    --no-build-cache: without a cache
    --configuration-cache: with a cache
    --no-configuration-cache: without a cache
    -m --dry-run: only says what it would do
  `,
};

const MAVEN: Arguments = {
  runsFolder: true,
  options: `
    -q --quiet: prints less
    -e --errors: prints where it failed
    -X --debug: prints more
    -B --batch-mode: asks nothing
    -o --offline: only what is there
    -U --update-snapshots: looks for newer packages
    -ntp --no-transfer-progress: prints less
    -V --show-version: prints its version
    -T+ --threads NUMBER: how many at a time
    -fae --fail-at-end: goes on after a failure
    -ff --fail-fast: ends at the first failure
    -fn --fail-never: always succeeds
    -DskipTests[=true|false]: runs no tests
    -DskipITs[=true|false]: runs no integration tests
    -Dmaven.test.skip[=true|false]: runs no tests
    -Dmaven.javadoc.skip[=true|false]: writes no documentation
    -Dcheckstyle.skip[=true|false]: does not check the style
    -DfailIfNoTests[=true|false]: fails without tests
    -Dsurefire.failIfNoSpecifiedTests[=true|false]: fails without such tests
    -Dstyle.color[=always|never|auto]: colours
    -Dtest[=TESTS]: which tests
    -Dit.test[=TESTS]: which integration tests
  `,
};

/** Values of properties of a build that name nothing to run or to load. */
const MSBUILD = `
  -c --configuration ITEM: which configuration
  -f --framework ITEM: which framework
  -v --verbosity q|quiet|m|minimal|n|normal|d|detailed|diag|diagnostic: how much it prints
  --no-restore: fetches no packages
  --nologo: prints less
  -p:Configuration[=ITEM]: which configuration
  -p:Platform[=ITEM]: for which processor
  -p:TreatWarningsAsErrors[=true|false]: fails for warnings
  -p:WarningLevel[=NUMBER]: which warnings
  -p:TargetFramework[=ITEM]: which framework
  -p:Deterministic[=true|false]: always the same bytes
  -p:ContinuousIntegrationBuild[=true|false]: as on a server
`;

const CMAKE_BUILD: Arguments = {
  runsFolder: true,
  options: `
    --config Release|Debug|RelWithDebInfo|MinSizeRel: which configuration
    -j+ --parallel NUMBER: how many at a time
    -v --verbose: prints more
    --clean-first: all of it
  `,
};

/** Programs that build and test other languages. A target has to be named by the rule. */
export const builders: Family = {
  'cargo test': cargo({
    operands: 'PACKAGE',
    options: '--doc: only tests in comments\n--no-run: only builds\n--no-fail-fast: goes on after a failure',
    dashes: {
      operands: 'PACKAGE*',
      options: `
        --nocapture --no-capture: prints what tests print
        --show-output: prints what tests print
        --test-threads NUMBER: how many at a time
        --ignored: only ignored tests
        --include-ignored: ignored tests, too
        --exact: exactly these names
        --list: only names tests
        * --skip PACKAGE: not these tests
        -q --quiet: prints less
      `,
    },
  }),
  'cargo build': cargo({}),
  'cargo b': cargo({}),
  'cargo check': cargo({}),
  'cargo clippy': cargo({ options: '--no-deps: not what it depends on', dashes: { options: LINTS } }),
  'cargo doc': cargo({ options: '--no-deps: not what it depends on\n--document-private-items: more of it' }),
  'cargo bench': cargo({ operands: 'PACKAGE', options: '--no-run: only builds' }),
  'cargo fmt': {
    runsFolder: true,
    options:
      '--all: all packages\n--check: only checks\n* -p --package ITEM: which package\n-v --verbose: prints more\n-q --quiet: prints less',
    dashes: { options: '--check: only checks' },
  },
  'cargo tree': {
    runsFolder: true,
    options:
      '-d --duplicates: only what is there twice\n--depth NUMBER: how deep\n-p --package ITEM: which package\n-i --invert ITEM: what needs this package\n--all-features: all features',
  },
  'cargo metadata': {
    runsFolder: true,
    options:
      '--no-deps: not what it depends on\n--format-version NUMBER: which format\n--offline: only what is there\n--locked: exactly what the lock file says',
  },
  'go test': {
    runsFolder: true,
    operands: 'PACKAGES*',
    options: `${GO}
      -run TEXT: only tests with such a name
      -skip TEXT: no tests with such a name
      -bench TEXT: which measurements
      -benchmem: measures memory, too
      -benchtime NUMBER: how long
      -count NUMBER: how often
      -cover: measures coverage
      -covermode set|count|atomic: how it is measured
      -cpu NUMBERS: how many processors
      -failfast: ends at the first failure
      -parallel NUMBER: how many at a time
      -short: only short tests
      -shuffle on|off: in random order
      -timeout NUMBER: how long
      -list TEXT: only names tests
      -json: as JSON
    `,
  },
  'go build': { runsFolder: true, operands: 'PACKAGES*', options: GO },
  'go vet': {
    runsFolder: true,
    operands: 'PACKAGES*',
    options: '-v: prints more\n-tags ITEMS: which tags\n-json: as JSON',
  },
  'go fmt': {
    runsFolder: true,
    operands: 'PACKAGES*',
    options: '-n: only says what it would do\n-x: prints what it does',
  },
  'go list': {
    runsFolder: true,
    operands: 'all|PACKAGES*',
    options:
      '-m: modules\n-json: as JSON\n-deps: what it depends on, too\n-test: tests, too\n-f TEXT: what is printed',
  },
  'go env': { operands: 'ITEM*', options: '-json: as JSON' },
  'go doc': {
    runsFolder: true,
    operands: 'ITEM*',
    options: '-all: all of it\n-short: in short\n-src: with the source',
  },
  'go version': { runsFolder: true },
  'golangci-lint run': {
    runsFolder: true,
    operands: 'PACKAGES*',
    options:
      '-v --verbose: prints more\n--timeout NUMBER: how long\n--fix: repairs what it can\n--new: only what has changed',
  },
  'dotnet build': {
    runsFolder: true,
    options: `${MSBUILD}--no-incremental: all of it\n--no-dependencies: not what it depends on`,
  },
  'dotnet test': {
    runsFolder: true,
    options: `${MSBUILD}
      --no-build: does not build
      --filter TEXT: only tests that fit an expression
      -t --list-tests: only names tests
      --blame: names the test that broke
      -p:CollectCoverage[=true|false]: measures coverage
      * -l --logger console;verbosity=quiet|console;verbosity=minimal|console;verbosity=normal|console;verbosity=detailed|trx|html: how it reports
    `,
  },
  'dotnet restore': {
    runsFolder: true,
    options:
      '--locked-mode: exactly what the lock file says\n-v --verbosity q|quiet|m|minimal|n|normal|d|detailed: how much it prints',
  },
  'dotnet format': {
    runsFolder: true,
    options:
      '--verify-no-changes: only checks\n--no-restore: fetches no packages\n-v --verbosity q|quiet|m|minimal|n|normal|d|detailed: how much it prints',
  },
  'dotnet publish': { runsFolder: true, options: `${MSBUILD}--no-build: does not build` },
  'mvn *': MAVEN,
  'mvnw *': MAVEN,
  'gradle *': GRADLE,
  'gradlew *': GRADLE,
  'make *': {
    runsFolder: true,
    hasClusters: true,
    options: `
      -j+ --jobs NUMBER: how many at a time
      -l+ NUMBER: how much load
      -k --keep-going: goes on after a failure
      -s --silent --quiet: prints less
      -B --always-make: all of it
      -i --ignore-errors: always succeeds
      -n --dry-run: only says what it would do
      -w --print-directory: prints folders
      --no-print-directory: prints less
    `,
  },
  'cmake --build *': CMAKE_BUILD,
  ctest: {
    runsFolder: true,
    options: `
      --output-on-failure: prints what failed
      -j+ --parallel NUMBER: how many at a time
      -R --tests-regex TEXT: only tests with such a name
      -E --exclude-regex TEXT: no tests with such a name
      -L --label-regex TEXT: only tests with such a label
      -C --build-config ITEM: which configuration
      -N --show-only: only names tests
      -V --verbose: prints more
      -VV --extra-verbose: prints still more
      -Q --quiet: prints nothing
      --progress: prints less
      --timeout NUMBER: how long
      --rerun-failed: only what failed
      --stop-on-failure: ends at the first failure
      --schedule-random: in random order
      --no-tests error|ignore: whether it fails without tests
    `,
  },
  rspec: {
    runsFolder: true,
    operands: 'TEST*',
    options: `
      -f --format progress|documentation|json|failures|p|d|j: how it reports
      --fail-fast[=NUMBER]: ends at the first failure
      --seed NUMBER: in which order
      --order rand|random|defined: in which order
      -e --example TEXT: only tests with such a name
      * -t --tag ITEM: only tests with such a mark
      --only-failures: only what failed
      -n --next-failure: the next that failed
      -b --backtrace: prints where it failed
      --profile: names slow tests
      --dry-run: only names tests
      --color: colours
      --no-color: no colours
    `,
  },
};
