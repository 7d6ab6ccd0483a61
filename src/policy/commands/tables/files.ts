import type { Family } from './arguments';

const MANY = { hasClusters: true, dashes: 'operands', operands: 'PATH*' } as const;

/** Listing, comparing and changing files. */
export const files: Family = {
  ls: {
    ...MANY,
    options: `
      -a --all: shows hidden names, too
      -A --almost-all: the same without this folder and the one around
      -l: one line a file, with more about it
      -h --human-readable: sizes in units
      -r --reverse: in reverse order
      -t: by time
      -S: by size
      -R --recursive: what is below folders, too
      -1: one name a line
      -d --directory: folders themselves, not what is in them
      -F --classify: marks kinds of files
      -i --inode: numbers of files
      -s --size: sizes in blocks
      -n: owners as numbers
      -o: without groups
      -g: without owners
      -p: marks folders
      -C: in columns
      -x: in rows
      -c: by the time of the last change
      -u: by the time of the last access
      -G: other colours or no groups
      -k: in kibibytes
      -m: separated by commas
      -q: hides odd characters
      -L --dereference: what links lead to
      --color[=always|auto|never]: colours
      --group-directories-first: folders first
      --full-time: exact times
    `,
  },
  cat: {
    ...MANY,
    options: `
      -n --number: numbers lines
      -b --number-nonblank: numbers lines that are not empty
      -A --show-all: shows all characters
      -E --show-ends: marks ends of lines
      -T --show-tabs: marks tabs
      -e: marks ends of lines and odd characters
      -t: marks tabs and odd characters
      -v --show-nonprinting: marks odd characters
      -s --squeeze-blank: joins empty lines
      -u: without a buffer
    `,
  },
  head: {
    ...MANY,
    options: `
      -n+ --lines NUMBER: how many lines
      -c+ --bytes NUMBER: how many bytes
      -NUMBER: how many lines
      -q --quiet --silent: without names
      -v --verbose: with names
    `,
  },
  tail: {
    ...MANY,
    options: `
      -n+ --lines NUMBER: how many lines
      -c+ --bytes NUMBER: how many bytes
      -NUMBER: how many lines
      -q --quiet --silent: without names
      -v --verbose: with names
      -f: waits for more
      -F: waits for more, also in a new file of this name
      --follow[=name|descriptor]: waits for more
    `,
  },
  wc: {
    ...MANY,
    options: `
      -l --lines: counts lines
      -w --words: counts words
      -c --bytes: counts bytes
      -m --chars: counts characters
      -L --max-line-length: the longest line
    `,
  },
  du: {
    ...MANY,
    options: `
      -s --summarize: only sums
      -h --human-readable: sizes in units
      -a --all: files, too
      -c --total: a sum of all
      -k: in kibibytes
      -m: in mebibytes
      -d+ --max-depth NUMBER: how deep
      -x --one-file-system: only one file system
      --apparent-size: sizes as files say
      --exclude TEXT: leaves out names
    `,
  },
  df: { ...MANY, options: '-h --human-readable: sizes in units\n-k: in kibibytes\n-T: with types' },
  stat: {
    ...MANY,
    options: `
      -c --format TEXT: what is printed (GNU, busybox)
      --printf TEXT: what is printed (GNU)
      -L --dereference: what links lead to
      -t --terse: on one line
      -x: in words (macOS)
    `,
  },
  file: {
    ...MANY,
    options: `
      -b --brief: without names
      -i --mime: MIME types
      -I: MIME types (macOS)
      --mime-type: MIME types
      --mime-encoding: encodings
      -L --dereference: what links lead to
      -h --no-dereference: links themselves
    `,
  },
  tree: {
    hasClusters: true,
    operands: 'PATH*',
    options: `
      -a: shows hidden names, too
      -d: folders only
      -f: with the path
      -i: without lines
      -p: with rights
      -s: with sizes
      -h: with sizes in units
      -u: with owners
      -g: with groups
      -D: with dates
      -F: marks kinds of files
      -t: by time
      -r: in reverse order
      -C: colours
      -n: no colours
      -J: as JSON
      -L NUMBER: how deep
      -P TEXT: only names like this
      -I TEXT: no names like this
      --dirsfirst: folders first
      --noreport: without a sum
      --prune: no empty folders
      --gitignore: leaves out what git ignores
      --du: with sums of sizes
      --filelimit NUMBER: no folders with more files
    `,
  },
  diff: {
    hasClusters: true,
    dashes: 'operands',
    operands: 'PATH PATH',
    walks: true,
    options: `
      -u: with lines around
      -U+ --unified NUMBER: with so many lines around
      -c: with lines around, in the older form
      -C+ --context NUMBER: with so many lines around, in the older form
      -r --recursive: what is below folders
      -N --new-file: missing files count as empty
      -q --brief: only whether they differ
      -s --report-identical-files: names equal files, too
      -i --ignore-case: upper and lower case are equal
      -w --ignore-all-space: without blanks
      -b --ignore-space-change: blanks are equal
      -B --ignore-blank-lines: without empty lines
      -a --text: as text
      -y --side-by-side: in two columns
      -W+ --width NUMBER: how wide
      --suppress-common-lines: only what differs
      --strip-trailing-cr: without carriage returns
      --color[=always|auto|never]: colours
      * -x --exclude TEXT: leaves out names
    `,
  },
  cut: {
    ...MANY,
    options: `
      -d+ --delimiter TEXT: what separates fields
      -f+ --fields RANGES: which fields
      -c+ --characters RANGES: which characters
      -b+ --bytes RANGES: which bytes
      -s --only-delimited: only lines with fields
      --output-delimiter TEXT: what separates fields in the output
      --complement: the others
    `,
  },
  uniq: {
    hasClusters: true,
    // It writes to the second.
    operands: 'PATH',
    options: `
      -c --count: counts
      -d --repeated: only repeated lines
      -D: all repeated lines
      -u --unique: only lines that occur once
      -i --ignore-case: upper and lower case are equal
      -f+ --skip-fields NUMBER: without the first fields
      -s+ --skip-chars NUMBER: without the first characters
      -w+ --check-chars NUMBER: only the first characters
    `,
  },
  sort: {
    ...MANY,
    options: `
      -u --unique: each line once
      -r --reverse: in reverse order
      -n --numeric-sort: as numbers
      -h --human-numeric-sort: as sizes
      -V --version-sort: as versions
      -g --general-numeric-sort: as numbers with exponents
      -M --month-sort: as months
      -f --ignore-case: upper and lower case are equal
      -b --ignore-leading-blanks: without blanks in front
      -d --dictionary-order: only letters, digits and blanks
      -s --stable: equal lines stay in order
      -c --check: only checks
      -R --random-sort: in random order
      * -k+ --key SORT_KEY: by which fields
      -t+ --field-separator TEXT: what separates fields
    `,
  },
  mkdir: { ...MANY, options: '-p --parents: with the folders around\n-v --verbose: names them' },
  touch: {
    ...MANY,
    options: '-a: the time of access\n-m: the time of change\n-c --no-create: creates nothing',
  },
  cp: {
    ...MANY,
    options: `
      -v --verbose: names files
      -n --no-clobber: overwrites nothing
      -f --force: also if a file is read-only
      -p: keeps times and rights
      -u --update: only newer files
    `,
  },
  mv: {
    ...MANY,
    options: `
      -v --verbose: names files
      -n --no-clobber: overwrites nothing
      -f --force: without a question
      -u --update: only newer files
    `,
  },
  // Not `-r`: what is in a folder is not named.
  rm: { ...MANY, options: '-f --force: without a question\n-v --verbose: names files' },
  find: {
    operands: '!|PATH*',
    options: `
      * -name TEXT: names like this
      * -iname TEXT: names like this, in any case
      * -path TEXT: paths like this
      * -ipath TEXT: paths like this, in any case
      * -wholename TEXT: paths like this
      * -regex TEXT: paths that match
      * -iregex TEXT: paths that match, in any case
      * -type f|d|l|b|c|p|s|f,d|f,l: kinds of files
      -maxdepth NUMBER: how deep
      -mindepth NUMBER: from which depth on
      * -newer PATH: changed after this file
      * -mtime NUMBER: by days since the change
      * -mmin NUMBER: by minutes since the change
      * -ctime NUMBER: by days since the last change of its rights
      * -atime NUMBER: by days since the access
      * -amin NUMBER: by minutes since the access
      * -size NUMBER: by size
      * -user ITEM: by owner
      * -group ITEM: by group
      * -links NUMBER: by the number of names
      * -empty: empty ones
      * -executable: that may be run
      * -readable: that may be read
      * -writable: that may be written
      * -print: prints the name
      * -print0: prints the name, with a zero
      * -ls: prints more
      * -printf TEXT: prints what is asked for (GNU)
      * -prune: not into this folder
      * -not: negation
      * -o -or: or
      * -a -and: and
      * -quit: ends
      -depth: what is in a folder first
      -xdev -mount: only one file system
      -daystart: counts from midnight
      -H: follows the links that are named
      -P: follows no links
    `,
  },
  basename: { operands: 'PATH TEXT' },
  dirname: { operands: 'PATH*' },
  realpath: { operands: 'PATH*' },
};
