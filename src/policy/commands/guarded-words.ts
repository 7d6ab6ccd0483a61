import { gitBeyondReading, isHarmlessInGit } from './git';

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
  /** Long options that are whole themselves, though a guarded one begins like them. */
  readonly whole?: readonly string[];
  /** Whether a word that looks guarded is harmless at this place. */
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
  // What later runs take for their shell, registry and the like.
  subcommands: ['set', 'delete', 'edit', 'fix', 'rm'].flatMap((word) => [
    ['config', word],
    ['c', word],
  ]),
};
const NPM: GuardedWords = {
  ...NODE_PACKAGES,
  subcommands: [...(NODE_PACKAGES.subcommands ?? []), ['set']],
  // What stands behind it is handed on to the script.
  harmless: (words, at) => words.slice(0, at).includes('--'),
};
/** Once the program is named, all that follows is its own. */
const NPX: GuardedWords = { ...NODE_OPTIONS, harmless: (words) => words[1]?.startsWith('-') === false };

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

/** They start programs that their options name, or lie where those say. */
const COMPILER: GuardedWords = { letters: 'B', options: ['wrapper', 'specs'], beginnings: ['-fplugin', '@'] };
const BACKUPS: GuardedWords = { letters: 'bS', options: ['backup', 'suffix', 'strip-program'] };
const COMPARER: GuardedWords = { options: ['diff-program'] };
const GRADLE: GuardedWords = { letters: 'I', options: ['init-script', 'include-build'] };

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

const FIND: GuardedWords = { beginnings: ['-exec', '-ok', '-delete', '-fprint', '-fls', '-files0-from'] };
const FD: GuardedWords = { letters: 'xX', options: ['exec', 'exec-batch'] };
const SORT: GuardedWords = { letters: 'o', options: ['output', 'compress-program', 'files0-from'] };
const SED: GuardedWords = { last: sedBeyondPrinting };
const TAR: GuardedWords = {
  // `x`: what it unpacks may be any file, and with `P` at any place.
  letters: 'IFTxP',
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
    'extract',
    'get',
    'absolute-names',
  ],
  whole: ['file'],
  // An archive on another machine is fetched by a remote shell.
  patterns: [/^[\w.@-]+:/u],
  bareCluster: true,
};
/** Shows files through a program of its caller's choice. */
const PAGED: GuardedWords = { options: ['pager'] };
const UGREP: GuardedWords = { options: ['pager', 'view', 'filter', 'from', 'config'], beginnings: ['---'] };
const SEVEN_ZIP: GuardedWords = { patterns: [/^@|^-[ix].*@/u], subcommands: [['x'], ['e']] };
/** The first option of an unzip that only tells or prints; one behind another may be its value. */
const UNPACKS_NOTHING = /^-[qC]*[lptvZ]/u;
/** A program for jq, or for what is like it, that reads other files or the environment. */
const READS_MORE = /\b(?:import|include)\b|\b(?:load(?:_\w+)?|env)\s*\(/u;

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
      // What they change stands in a file.
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
  jq: { patterns: [READS_MORE] },
  yq: { letters: 'is', options: ['inplace', 'in-place', 'split-exp'], patterns: [READS_MORE] },
  xmllint: { options: ['noent', 'xinclude', 'loaddtd', 'dtdattr', 'valid', 'postvalid', 'shell', 'output'] },
  sed: SED,
  gsed: SED,
  tar: TAR,
  gtar: TAR,
  bsdtar: TAR,
  rsync: { letters: 'e', options: ['rsh', 'rsync-path', 'files-from'] },
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
  sdiff: COMPARER,
  // `ps eww` shows what other programs were given, keys among it.
  ps: { letters: 'E', patterns: [/^[AaxufgljnrstvwhLSTXeoO]*e[AaxufgljnrstvwhLSTXeoO]*$/u] },
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
    // Every option that takes a text has a twin that fills variables in.
    beginnings: ['--expand-'],
    // Of braces and brackets an address may be made: `{file}:///etc`. Those of JSON have quotes or brackets in them.
    patterns: [/[@<]/u, /%output\{/u, /file:/iu, /^(?!https?:\/\/|\s*[{[]\s*["{[\]}]).*[{[]/isu],
  },
  wget: {
    letters: 'Oe',
    options: [
      ...['output-document', 'execute', 'post-file', 'body-file', 'use-askpass', 'config'],
      // The other side says what the file is called.
      ...['content-disposition', 'trust-server-names'],
    ],
  },
  make: MAKE,
  gmake: MAKE,
  npm: NPM,
  pnpm: NPM,
  yarn: NODE_PACKAGES,
  npx: NPX,
  pip: { subcommands: ['set', 'edit', 'unset'].map((word) => ['config', word]) },
  pylint: { options: ['init-hook', 'load-plugins', 'rcfile'] },
  gradle: GRADLE,
  gradlew: GRADLE,
  gcc: COMPILER,
  'g++': COMPILER,
  cc: COMPILER,
  'c++': COMPILER,
  clang: COMPILER,
  'clang++': COMPILER,
  // `env -w` sets options for every later call.
  go: { options: ['exec', 'toolexec', 'vettool', 'ldflags'], subcommands: [['env', '-w']] },
  cargo: { letters: 'Z', options: ['config'] },
  // The file says how to sign in, by a program too.
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
};

const HARMLESS_OPTIONS: readonly string[] = ['-n', '-E', '-r', '--quiet', '--silent', '--regexp-extended'];
const PRINT = /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/u;
/** Signs that are one byte in every encoding and end no command. */
const DELIMITER = /[!-/:<-@[\]^`{-~]/u;
const FLAGS = /^[gip\d]*$/u;

/** The place of the last word with which sed does more than print lines or substitute text; -1 if there is none. */
function sedBeyondPrinting(words: readonly string[]): number {
  const option = words.findLastIndex(
    (word, at) => at > 0 && word.startsWith('-') && !HARMLESS_OPTIONS.includes(word),
  );
  const script = words.findIndex((word, at) => at > 0 && !word.startsWith('-'));
  const isQuiet = words.some((word) => ['-n', '--quiet', '--silent'].includes(word));
  const isHarmless = script === -1 || isPlain(words[script] ?? '', isQuiet);
  return isHarmless ? option : Math.max(option, script);
}

function isPlain(script: string, isQuiet: boolean): boolean {
  if (isQuiet && PRINT.test(script)) return true;
  const delimiter = script[1];
  if (!script.startsWith('s') || delimiter === undefined || !DELIMITER.test(delimiter)) return false;
  // Behind a line break a second command begins.
  if (script.includes('\n')) return false;
  const parts = splitUnescaped(script.slice(2), delimiter);
  return parts.length === 3 && FLAGS.test(parts[2] ?? '');
}

function splitUnescaped(text: string, delimiter: string): readonly string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === delimiter) parts.push('');
    else parts.push((parts.pop() ?? '') + (character === '\\' ? text.slice(at, ++at + 1) : character));
  }
  return parts;
}
