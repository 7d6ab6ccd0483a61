import type { Arguments, Family } from './arguments';

/** Of `grep` and `git grep`. */
export const grepRows = `
  -n --line-number: numbers of lines
  -i --ignore-case: upper and lower case are equal
  -v --invert-match: lines that do not match
  -c --count: counts
  -l --files-with-matches: only names of files
  -L --files-without-match: only names of the others
  -o --only-matching: only what matches
  -w --word-regexp: whole words
  -q --quiet: prints nothing
  -h --no-filename: without names of files
  -H --with-filename: with names of files
  -E --extended-regexp: extended expressions
  -F --fixed-strings: plain texts
  -G --basic-regexp: basic expressions
  -P --perl-regexp: expressions as in Perl
  -a --text: as text
  -I: no binary files
  -A+ --after-context NUMBER: lines behind
  -B+ --before-context NUMBER: lines in front
  -C+ --context NUMBER: lines around
  -NUMBER: lines around
  -m+ --max-count NUMBER: how many at most
  --color[=always|auto|never]: colours
  ^* -e --regexp TEXT: what is sought
`;

const grep: Arguments = {
  hasClusters: true,
  dashes: 'operands',
  operands: 'TEXT PATH*',
  walks: '-r -R',
  walksHere: true,
  options: `${grepRows}
    -r -R --recursive: what is below folders
    -s --no-messages: no errors
    -x --line-regexp: whole lines
    -b --byte-offset: with places in bytes
    -Z --null: a zero behind names
    --line-buffered: prints at once
    * --include PATTERN: only files with names like this
    * --exclude TEXT: leaves out files
    * --exclude-dir TEXT: leaves out folders
  `,
};

const sedRows = `
  -E -r --regexp-extended: extended expressions
`;

/** Looking for text, and picking parts of it. */
export const search: Family = {
  grep,
  egrep: grep,
  fgrep: grep,
  rg: {
    hasClusters: true,
    dashes: 'operands',
    operands: 'TEXT PATH*',
    walks: true,
    walksHere: true,
    options: `
      -n --line-number: numbers of lines
      -N --no-line-number: no numbers of lines
      -i --ignore-case: upper and lower case are equal
      -s --case-sensitive: upper and lower case differ
      -S --smart-case: they are equal for a text in lower case
      -l --files-with-matches: only names of files
      --files-without-match: only names of the others
      -c --count: counts lines
      --count-matches: counts
      -o --only-matching: only what matches
      -w --word-regexp: whole words
      -x --line-regexp: whole lines
      -v --invert-match: lines that do not match
      -F --fixed-strings: plain texts
      -U --multiline: over several lines
      --multiline-dotall: a dot matches ends of lines
      -P --pcre2: expressions as in Perl
      -q --quiet: prints nothing
      -H --with-filename: with names of files
      -I --no-filename: without names of files
      -a --text: as text
      -p --pretty: for people
      -0 --null: a zero behind names
      -L --follow: follows links
      * -u --unrestricted: ignores less
      --hidden: hidden files, too
      --no-ignore: ignored files, too
      --no-ignore-vcs: files that git ignores, too
      * -g+ --glob PATTERN: only files with names like this
      * --iglob PATTERN: the same in any case
      * -t+ --type ITEM: only files of this type
      * -T+ --type-not ITEM: no files of this type
      ^ --type-list: names the types
      ^ --files: names the files that would be searched
      ^* -e --regexp TEXT: what is sought
      -A+ --after-context NUMBER: lines behind
      -B+ --before-context NUMBER: lines in front
      -C+ --context NUMBER: lines around
      -m+ --max-count NUMBER: how many at most
      -d+ --max-depth NUMBER: how deep
      -M+ --max-columns NUMBER: how long a line
      -j+ --threads NUMBER: how many at a time
      -r+ --replace TEXT: prints this instead
      --max-filesize NUMBER: no larger files
      --sort path|modified|accessed|created|none: in which order
      --sortr path|modified|accessed|created|none: in which order
      --color always|never|auto|ansi: colours
      --heading: names above lines
      --no-heading: names beside lines
      --column: with columns
      --trim: without blanks in front
      --vimgrep: one match a line
      --json: as JSON
      --stats: with sums
      --passthru: other lines, too
      --no-messages: no errors
      --no-config: without a file of settings
    `,
  },
  jq: {
    hasClusters: true,
    operands: 'JQ PATH*',
    options: `
      -r --raw-output: texts without quotes
      -j --join-output: without ends of lines
      -c --compact-output: on one line
      -e --exit-status: says whether there is something
      -S --sort-keys: in order
      -s --slurp: all as one list
      -n --null-input: reads nothing
      -a --ascii-output: only ASCII
      -C --color-output: colours
      -M --monochrome-output: no colours
      --tab: with tabs
      --indent NUMBER: how far
    `,
  },
  sed: { operands: 'SED PATH*', options: sedRows },
  'sed -n': { operands: 'SED_LINES|SED PATH*', options: sedRows, isImplied: true },
};
