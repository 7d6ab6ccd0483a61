import type { Arguments, Family } from './arguments';

const list: Arguments = {
  isWindows: true,
  operands: 'PATH*',
  options: `
    -path PATH: where
    -filter PATTERN: names like this
    -include PATTERN: names like this
    -exclude PATTERN: no names like this
    -recurse: what is below folders, too
    -depth NUMBER: how deep
    -name: only names
    -file: only files
    -directory: only folders
    -force: hidden names, too
    /s: what is below folders, too
    /b: only names
    /a: hidden names, too
    /w: in columns
    /q: with owners
    /ad: only folders
    /on: by name
    /od: by time
  `,
};

const content: Arguments = {
  isWindows: true,
  operands: 'PATH*',
  options: `
    -path PATH: which file
    -totalcount -head -first NUMBER: how many lines
    -tail -last NUMBER: how many of the last lines
    -raw: as one text
    -encoding utf8|ascii|unicode|default: how it is written
  `,
};

const select: Arguments = {
  isWindows: true,
  operands: 'TEXT PATH*',
  options: `
    ^ -pattern TEXT: what is sought
    -path PATH: where
    -casesensitive: upper and lower case differ
    -simplematch: plain texts
    -notmatch: lines that do not match
    -allmatches: all of a line
    -list: only the first of a file
    -quiet: only whether there is something
    -context NUMBER: lines around
  `,
};

/** Commands of PowerShell and cmd. */
export const windows: Family = {
  dir: list,
  'get-childitem': list,
  gci: list,
  'get-content': content,
  gc: content,
  'select-string': select,
  sls: select,
  findstr: {
    isWindows: true,
    operands: 'TEXT PATH*',
    walks: '/s',
    walksHere: true,
    options: `
      /n: numbers of lines
      /i: upper and lower case are equal
      /s: what is below folders, too
      /r: expressions
      /l: plain texts
      /m: only names of files
      /v: lines that do not match
      /x: whole lines
      /b: at the beginning of a line
      /e: at the end of a line
      /p: no binary files
    `,
  },
  'get-location': {},
  'test-path': { isWindows: true, operands: 'PATH', options: '-path PATH: which' },
};
