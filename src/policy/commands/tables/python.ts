import type { Family } from './arguments';

/** Programs that check and test Python. */
export const python: Family = {
  pytest: {
    runsFolder: true,
    hasClusters: true,
    operands: 'TEST*',
    options: `
      -x --exitfirst: ends at the first failure
      * -v --verbose: prints more
      * -q --quiet: prints less
      -s: prints what tests print
      -k TEXT: only tests that fit an expression
      -m TEXT: only tests with such marks
      --maxfail NUMBER: ends after so many failures
      -l --showlocals: prints variables
      --lf --last-failed: only what failed
      --ff --failed-first: what failed first
      --nf --new-first: new files first
      --sw --stepwise: goes on where it failed
      --tb auto|long|short|line|native|no: how failures are printed
      --durations NUMBER: names slow tests
      --co --collect-only: only names tests
      --cov[=PATH]: measures coverage
      * --cov-report term|term-missing|html|xml|json|lcov|annotate: how coverage is reported
      --cov-branch: also of branches
      --cov-fail-under NUMBER: how much is needed
      --no-cov: measures no coverage
      -n+ --numprocesses NUMBER|auto|logical: how many at a time
      --dist load|loadscope|loadfile|loadgroup|worksteal|no: how tests are spread
      -r+ ITEM: what is summed up
      --color yes|no|auto: colours
      --capture no|sys|fd|tee-sys: what tests print
      --strict-markers: fails for unknown marks
      --strict-config: fails for unknown settings
      --disable-warnings: no warnings
      --no-header: prints less
      --no-summary: prints less
      --setup-show: prints more
      --markers: names marks
      --fixtures: names fixtures
      --timeout NUMBER: how long
      --reruns NUMBER: how often
      --asyncio-mode auto|strict: how tests wait
      * -p+ NO_PLUGIN: without this plugin
      * --ignore PATH: not this path
      * --deselect TEST: not this test
    `,
  },
  'ruff check': {
    runsFolder: true,
    operands: 'PATH*',
    isImplied: true,
    options: `
      --fix: repairs what it can
      --no-fix: repairs nothing
      --unsafe-fixes: repairs more
      --show-fixes: names what it repairs
      --diff: only says what it would repair
      * --select ITEMS: which rules
      * --ignore ITEMS: which rules not
      * --extend-select ITEMS: which rules, too
      --output-format full|concise|json|json-lines|text|grouped|github|gitlab|pylint|junit|sarif: how it reports
      --statistics: counts
      --target-version ITEM: which edition of Python
      --line-length NUMBER: how long a line
      --preview: new rules, too
      --no-cache: without a cache
      --force-exclude: keeps to what is left out
      --exit-zero: always succeeds
      -w --watch: waits for changes
      -q --quiet: prints less
      -v --verbose: prints more
      -s --silent: prints nothing
    `,
  },
  'ruff format': {
    runsFolder: true,
    operands: 'PATH*',
    isImplied: true,
    options:
      '--check: only checks\n--diff: only says what it would change\n-q --quiet: prints less\n--line-length NUMBER: how long a line\n--no-cache: without a cache',
  },
  mypy: {
    runsFolder: true,
    operands: 'PATH*',
    options: `
      --strict: stricter
      --ignore-missing-imports: accepts unknown modules
      --follow-imports normal|silent|skip|error: what is checked, too
      --pretty: prints more
      --show-error-codes: with codes
      --show-column-numbers: with columns
      --show-error-context: with more around
      --no-error-summary: prints less
      --no-color-output: no colours
      --no-incremental: without a cache
      --python-version NUMBER: which edition of Python
      --platform ITEM: for which system
      --explicit-package-bases: how modules are named
      --namespace-packages: how modules are named
      --check-untyped-defs: checks more
      --disallow-untyped-defs: checks more
      --disallow-any-generics: checks more
      --warn-unused-ignores: checks more
      --warn-redundant-casts: checks more
      --warn-return-any: checks more
      --warn-unreachable: checks more
      --no-strict-optional: checks less
      --exclude TEXT: no files like this
      * -p --package ITEM: which package
      * -m --module ITEM: which module
      -v --verbose: prints more
    `,
  },
  black: {
    runsFolder: true,
    operands: 'PATH*',
    options: `
      --check: only checks
      --diff: only says what it would change
      -q --quiet: prints less
      -v --verbose: prints more
      -l --line-length NUMBER: how long a line
      -S --skip-string-normalization: keeps quotes
      -t --target-version ITEM: which edition of Python
      --color: colours
      --no-color: no colours
    `,
  },
  isort: {
    runsFolder: true,
    operands: 'PATH*',
    options: `
      -c --check --check-only: only checks
      --diff: only says what it would change
      -q --quiet: prints less
      -v --verbose: prints more
      --profile black|django|google|pycharm|plone|attrs|hug|wemake|appnexus: which style
    `,
  },
  flake8: {
    runsFolder: true,
    operands: 'PATH*',
    options: `
      --max-line-length NUMBER: how long a line
      --max-complexity NUMBER: how complex a function
      --select ITEMS: which rules
      --ignore ITEMS: which rules not
      --extend-ignore ITEMS: which rules not, too
      --exclude TEXT: no files like this
      --count: counts
      --statistics: counts each rule
      --show-source: prints lines
      --exit-zero: always succeeds
      -q --quiet: prints less
      -v --verbose: prints more
    `,
  },
};
