import { rowFor } from './command-programs';
import { gitBeyondReading } from './git-config';
import { sedBeyondPrinting } from './sed-script';

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
  /** Words that follow one another, other words between them; an option also with its value glued to it. */
  readonly subcommands?: readonly (readonly string[])[];
  /** The place of the last word that is not harmless, where the program has a language of its own; -1: none. */
  readonly last?: (words: readonly string[]) => number;
  /** The first argument is a cluster of letters even without a dash: `tar xf`. */
  readonly bareCluster?: true;
}

const NODE_PACKAGES: GuardedWords = {
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
  ],
};

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
  ],
};

const FIND: GuardedWords = { beginnings: ['-exec', '-ok', '-delete', '-fprint', '-fls'] };
const FD: GuardedWords = { letters: 'xX', options: ['exec', 'exec-batch'] };
const SORT: GuardedWords = { letters: 'o', options: ['output', 'compress-program', 'files0-from'] };
const SED: GuardedWords = { last: sedBeyondPrinting };
const TAR: GuardedWords = {
  letters: 'IFT',
  options: [
    // What it packs stands in a file, which nobody has looked at. So it is with all options of this kind.
    'files-from',
    'to-command',
    'checkpoint-action',
    'use-compress-program',
    'info-script',
    'new-volume-script',
    'rsh-command',
    'rmt-command',
  ],
  // An archive on another machine is fetched by a remote shell.
  patterns: [/^[\w.@-]+:/u],
  bareCluster: true,
};
/** Shows files through a program of its caller's choice. */
const PAGED: GuardedWords = { options: ['pager'] };
const UGREP: GuardedWords = { options: ['pager', 'view', 'filter', 'from'] };
const SEVEN_ZIP: GuardedWords = { patterns: [/^@/u] };

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
      // Its hooks come to lie in the new repository.
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
    ],
    last: gitBeyondReading,
  },
  rg: { letters: 'z', options: ['pre', 'hostname-bin', 'search-zip'] },
  ag: PAGED,
  ack: { letters: 'x', options: ['pager', 'files-from'] },
  ug: UGREP,
  ugrep: UGREP,
  bat: PAGED,
  batcat: PAGED,
  sort: SORT,
  gsort: SORT,
  tree: { letters: 'o' },
  file: { letters: 'C', options: ['compile'] },
  yq: { letters: 'is', options: ['inplace', 'in-place', 'split-exp'] },
  sed: SED,
  gsed: SED,
  tar: TAR,
  gtar: TAR,
  bsdtar: TAR,
  rsync: { letters: 'e', options: ['rsh', 'rsync-path', 'files-from'] },
  // `-@`: the names of the files come from its input.
  zip: { letters: 'T@', options: ['unzip-command', 'names-stdin'] },
  '7z': SEVEN_ZIP,
  '7za': SEVEN_ZIP,
  '7zz': SEVEN_ZIP,
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
    patterns: [/[@<]/u, /%output\{/u],
  },
  wget: {
    letters: 'Oe',
    options: ['output-document', 'execute', 'post-file', 'body-file', 'use-askpass', 'config'],
  },
  make: MAKE,
  gmake: MAKE,
  npm: NODE_PACKAGES,
  pnpm: NODE_PACKAGES,
  yarn: NODE_PACKAGES,
  npx: NODE_PACKAGES,
  // `env -w` sets options for every later call.
  go: { options: ['exec', 'toolexec', 'vettool', 'ldflags'], subcommands: [['env', '-w']] },
  cargo: { letters: 'Z', options: ['config'] },
  docker: CONTAINERS,
  podman: CONTAINERS,
  nerdctl: CONTAINERS,
};

/** The place of the last guarded word of a command; 0 when there is none. */
export function lastGuardedWord(program: string, words: readonly string[]): number {
  const guarded = rowFor(guardedWords, program);
  if (guarded === undefined) return 0;
  const single = words.findLastIndex((word, index) => index > 0 && isGuarded({ word, index }, guarded));
  const several = (guarded.subcommands ?? []).map((row) => endOfRow(row, words));
  return Math.max(0, single, ...several, guarded.last?.(words) ?? 0);
}

function isGuarded({ word, index }: { word: string; index: number }, guarded: GuardedWords): boolean {
  if (guarded.beginnings?.some((beginning) => word.startsWith(beginning)) === true) return true;
  if (guarded.patterns?.some((pattern) => pattern.test(word)) === true) return true;
  if (guarded.bareCluster === true && index === 1 && hasLetter(word, guarded.letters)) return true;
  if (!/^-./su.test(word)) return false;
  if (/^-[^-]/su.test(word) && hasLetter(word.slice(1), guarded.letters)) return true;
  return guarded.options?.some((option) => names(word, option)) === true;
}

function hasLetter(word: string, letters = ''): boolean {
  return Array.from(word).some((letter) => letters.includes(letter));
}

/** Whether a word is this long option. Option readers take any beginning of a name that fits only one. */
function names(word: string, option: string): boolean {
  const [, dashes = '', name = ''] = /^(-+)([^=]*)/u.exec(word) ?? [];
  // With one dash a short beginning is a letter or a cluster; those are in `letters`.
  return name === option || (name.length >= (dashes === '-' ? 4 : 1) && option.startsWith(name));
}

function endOfRow(row: readonly string[], words: readonly string[]): number {
  let at = 0;
  for (const part of row) {
    const before = at;
    at = words.findIndex(
      (word, index) => index > before && (part.startsWith('-') ? word.startsWith(part) : word === part),
    );
    if (at === -1) return 0;
  }
  return at;
}
