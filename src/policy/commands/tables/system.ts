import type { Arguments, Family } from './arguments';

/**
 * `-E`, and `e` in a word without a dash, show the environment of other programs. So does `-e` beside such a word, as GNU
 * then may read all letters in that way.
 */
const PROCESSES: Arguments = {
  hasClusters: true,
  options: `
    -A: all processes
    -f: more about each
    -F: still more
    -l: the long form
    -j: the form for jobs
    -L: threads, too
    -o COLUMNS: which columns
    -p --pid NUMBERS: these processes
    -C ITEM: by name
    --no-headers: without a first line
    --sort PS_KEY: by which columns
  `,
};
const EVERY: Arguments = { ...PROCESSES, isImplied: true };

/** Printing, and looking at the machine. */
export const system: Family = {
  echo: { operands: 'TEXT*', hasNoOptions: true },
  // `-v` and `%n` always ask.
  printf: { operands: 'TEXT*', hasNoOptions: true },
  pwd: { options: '-L: with links\n-P: without links' },
  true: {},
  false: {},
  sleep: { operands: 'NUMBER' },
  seq: { operands: 'NUMBER*', options: '-w: of equal width\n-s TEXT: between the numbers' },
  whoami: {},
  id: { options: '-u: the number of the user\n-g: the number of the group\n-n: names', hasClusters: true },
  uname: {
    hasClusters: true,
    options:
      '-a: all\n-s: the system\n-r: its release\n-m: the machine\n-n: its name\n-p: the processor\n-v: its version',
  },
  date: {
    operands: 'DATE',
    options: `
      -u --utc: in UTC
      -R --rfc-email: as in mails
      -I --iso-8601[=date|hours|minutes|seconds|ns]: as in ISO 8601
      --date TEXT: another time (GNU)
    `,
  },
  which: { operands: 'ITEM*', options: '-a: all of them' },
  // For Windows shells, which print files with it.
  type: { operands: 'PATH*', options: '-a: all of them\n-t: only the kind' },
  ps: { ...PROCESSES, operands: 'aux|ax|axu|auxw|auxww|axuww|auxf|axf|x|u|a' },
  'ps -e': EVERY,
  'ps -ef': EVERY,
  'ps -eF': EVERY,
  'ps -elf': EVERY,
  'ps -eLf': EVERY,
  'ps -eo': { ...EVERY, operands: 'COLUMNS' },
};
