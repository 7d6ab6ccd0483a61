import { gitBeyondReading, isHarmlessInGit } from './git';
import { guardedRunners, type GuardedWords } from './guarded-runners';
import { sedBeyondPrinting } from './sed';

const CONTAINERS: GuardedWords = {
  letters: 'vH',
  options: [
    'volume',
    'volumes-from',
    'mount',
    'privileged',
    'cap-add',
    'device',
    'security-opt',
    'pid',
    'ipc',
    'host',
    'device-cgroup-rule',
    'group-add',
    'userns',
    'uts',
    'cgroupns',
    'cgroup-parent',
  ],
};

/** Their options name programs to start, or places to write to. */
const COMPILER: GuardedWords = { letters: 'B', options: ['wrapper', 'specs'], beginnings: ['-fplugin', '@'] };
const BACKUPS: GuardedWords = { letters: 'bS', options: ['backup', 'suffix', 'strip-program'] };
const COMPARER: GuardedWords = { options: ['diff-program'] };
/** They write to the second operand. */
const UNIQ: GuardedWords = { last: secondOperand('fsw') };
const FIND: GuardedWords = { beginnings: ['-exec', '-ok', '-delete', '-fprint', '-fls', '-files0-from'] };
const FD: GuardedWords = { letters: 'xX', options: ['exec', 'exec-batch'] };
const SORT: GuardedWords = { letters: 'o', options: ['output', 'compress-program', 'files0-from'] };
const SED: GuardedWords = { last: sedBeyondPrinting };
const TAR: GuardedWords = {
  // `x`: what it unpacks may be any file, and with `P` at any place.
  letters: 'IFTxP',
  options: [
    // What it packs is listed in a file, which is unchecked; so are all options of this kind.
    'files-from',
    'to-command',
    'checkpoint-action',
    'use-compress-program',
    'info-script',
    'new-volume-script',
    'rsh-command',
    'rmt-command',
    'extract',
    'get',
    'absolute-names',
  ],
  whole: ['file'],
  // An archive on another machine is fetched by a remote shell.
  patterns: [/^(?:--[\w-]+=|-?\w*f)?[\w.@-]+:/u],
  bareCluster: true,
};
/** Shows files through a program that the caller chooses. */
const PAGED: GuardedWords = { options: ['pager'] };
const UGREP: GuardedWords = { options: ['pager', 'view', 'filter', 'from', 'config'], beginnings: ['---'] };
const SEVEN_ZIP: GuardedWords = { patterns: [/^@|^-[ix].*@/u], subcommands: [['x'], ['e']] };
/** The first option of an unzip that only lists or prints; a later one may be a value. */
const UNPACKS_NOTHING = /^-[qC]*[lptvZ]/u;
/** A program for jq or a similar tool that reads other files or the environment. */
const READS_MORE =
  /\b(?:import|include)\b|\bload(?:_\w+)?\s*\(|(?<![.\w])(?:str)?env\b(?!\s*:)|envsubst|\$ENV\b/u;

const JQ: GuardedWords = { letters: 'fL', options: ['from-file', 'library-path'], patterns: [READS_MORE] };

/** By program name. A rule lifts a guard only by naming the word itself. */
export const guardedWords: Readonly<Record<string, GuardedWords>> = {
  find: FIND,
  gfind: FIND,
  fd: FD,
  fdfind: FD,
  git: {
    letters: 'cpOx',
    options: [
      'config-env',
      'exec-path',
      'git-dir',
      'work-tree',
      'paginate',
      'output',
      'output-directory',
      'open-files-in-pager',
      'ext-diff',
      'textconv',
      'contents',
      'upload-pack',
      'receive-pack',
      'exec',
      'extcmd',
      // Its hooks are copied into the new repository.
      'template',
    ],
    // `archive -o` writes a file; `status -uno` does not.
    beginnings: ['-o'],
    // `:(top)` leads out of the working folder, to the whole repository.
    patterns: [/ext::/u, /^:\(/u],
    subcommands: [
      ['clone', '-u'],
      ['difftool'],
      ['mergetool'],
      ['bisect', 'run'],
      ['submodule', 'foreach'],
      ['filter-branch'],
      ['for-each-repo'],
      ['hook', 'run'],
      ['credential'],
      // What they change is listed in a file.
      ['apply'],
      ['am'],
    ],
    whole: ['text'],
    harmless: isHarmlessInGit,
    last: gitBeyondReading,
  },
  rg: { letters: 'z', options: ['pre', 'hostname-bin', 'search-zip'] },
  ag: PAGED,
  ack: { letters: 'x', options: ['pager', 'files-from'] },
  ugrep: UGREP,
  bat: PAGED,
  batcat: PAGED,
  sort: SORT,
  gsort: SORT,
  tree: { letters: 'o' },
  file: { letters: 'C', options: ['compile'] },
  jq: JQ,
  gojq: JQ,
  yq: { letters: 'is', options: ['inplace', 'in-place', 'split-exp'], patterns: [READS_MORE] },
  xmllint: { options: ['noent', 'xinclude', 'loaddtd', 'dtdattr', 'valid', 'postvalid', 'shell', 'output'] },
  sed: SED,
  gsed: SED,
  tar: TAR,
  gtar: TAR,
  bsdtar: TAR,
  // A word with a colon is on another machine.
  rsync: { letters: 'e', options: ['rsh', 'rsync-path', 'files-from'], patterns: [/^[\w.@-]+:/u] },
  // `-@`: the names of the files come from its input.
  zip: { letters: 'T@', options: ['unzip-command', 'names-stdin'] },
  unzip: {
    last: (words) => (UNPACKS_NOTHING.test(words[1] ?? '') ? -1 : words.length - 1),
  },
  // The names of the files come from a file.
  du: { options: ['files0-from'] },
  cp: BACKUPS,
  mv: BACKUPS,
  ln: BACKUPS,
  install: BACKUPS,
  split: { options: ['filter'] },
  diff3: COMPARER,
  sdiff: { ...COMPARER, letters: 'o', options: ['diff-program', 'output'] },
  uniq: UNIQ,
  guniq: UNIQ,
  // A module of Python.
  'json.tool': { last: secondOperand('') },
  // `-r` makes a file of its dump.
  xxd: { letters: 'r', options: ['revert'], last: secondOperand('cglnosR') },
  shuf: { letters: 'o', options: ['output'] },
  iconv: { letters: 'o', options: ['output'] },
  cloc: {
    options: [
      ...['vcs', 'config', 'extract-with', 'script-lang', 'force-lang-def', 'read-lang-def', 'sdir'],
      ...[
        'out',
        'report-file',
        'sql',
        'sql-append',
        'sql-project',
        'write-lang-def',
        'write-lang-def-incl-dup',
      ],
      ...['counted', 'ignored', 'found', 'categorized', 'unicode', 'diff-alignment', 'list-file'],
    ],
  },
  // The names of the files come from a file.
  wc: { options: ['files0-from'] },
  // `ps eww` shows the environment of other programs, with keys.
  ps: {
    patterns: [/^(?!-).*[eE]/su, /^-[^-]*E/u, /^-(?=[^-]*e)[^-]*[uxrXSvnhOk]/su, /environ/iu],
    harmless: isValueOfPs,
  },
  '7z': SEVEN_ZIP,
  '7za': SEVEN_ZIP,
  '7zz': SEVEN_ZIP,
  // They show keys.
  gh: {
    subcommands: [
      ['auth', 'token'],
      ['auth', 'status', '-t'],
      ['auth', 'status', '--show-token'],
    ],
  },
  aws: {
    subcommands: [
      ['configure', 'get'],
      ['configure', 'export-credentials'],
    ],
  },
  curl: {
    letters: 'oOTKcDn',
    options: [
      'output',
      'output-dir',
      'remote-name',
      'remote-name-all',
      'upload-file',
      'config',
      // They write files too.
      'cookie-jar',
      'dump-header',
      'trace',
      'trace-ascii',
      'libcurl',
      'stderr',
      'etag-save',
      'hsts',
      'alt-svc',
      // It sends what `.netrc` holds.
      'netrc',
      'netrc-optional',
      'netrc-file',
    ],
    // Every option that takes a text has a twin that fills variables in.
    beginnings: ['--expand-'],
    // Braces and brackets can form an address: `{file}:///etc`. JSON has quotes or brackets inside them.
    patterns: [/[@<]/u, /%output\{/u, /file:/iu, /^(?!https?:\/\/|\s*[{[]\s*["{[\]}]).*[{[]/isu],
  },
  wget: {
    letters: 'Oe',
    options: [
      ...['output-document', 'execute', 'post-file', 'body-file', 'use-askpass', 'config'],
      // The server chooses the name of the file.
      ...['content-disposition', 'trust-server-names'],
    ],
  },
  gcc: COMPILER,
  'g++': COMPILER,
  cc: COMPILER,
  'c++': COMPILER,
  clang: COMPILER,
  'clang++': COMPILER,
  // The file says how to sign in, also with a program.
  kubectl: { options: ['kubeconfig'] },
  helm: { options: ['kubeconfig', 'post-renderer'] },
  hg: { letters: 'R', options: ['config', 'cwd', 'repository'] },
  svn: { options: ['diff-cmd', 'diff3-cmd', 'config-option', 'config-dir', 'editor-cmd'] },
  exiftool: { beginnings: ['-if', '-p', '-@', '-config', '-execute'] },
  aria2c: { options: ['conf-path', 'input-file'], beginnings: ['--on-', '-i'] },
  tcpdump: { letters: 'zwF' },
  docker: CONTAINERS,
  podman: CONTAINERS,
  nerdctl: CONTAINERS,
  ...guardedRunners,
};

/** The index of the second word that is neither an option nor the value of one of these; -1 if there is none. */
function secondOperand(values: string): (words: readonly string[]) => number {
  const isValue = (before = ''): boolean => /^-.$/u.test(before) && values.includes(before.charAt(1));
  return (words) => {
    const operands = words.flatMap((word, at) =>
      at > 0 && !/^[-+]./u.test(word) && !isValue(words[at - 1]) ? [at] : [],
    );
    return operands[1] ?? -1;
  };
}

/** `ps -o pid,etime`, `ps -C node`, `ps axo pid,etime`: the word after these options says what is shown. */
function isValueOfPs(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? '';
  return (
    at > 1 &&
    !/environ/iu.test(words[at] ?? '') &&
    (/^-\w*[oCuUGgptskq]$|^--\w+$/u.test(before) || /^\w*[oOptkq]$/u.test(before))
  );
}
