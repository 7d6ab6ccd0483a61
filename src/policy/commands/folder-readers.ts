import { limits } from '../../base/limits';
import { visibleName } from '../../base/text';
import { follow } from '../paths/path-file-system';
import { join } from '../paths/path-text';
import { judgePath, type PathRequest } from '../paths/paths';
import type { RememberedFiles } from '../paths/remembered-files';
import { secretPath, whyContentAsks, whyLinked } from '../paths/secret-files';
import { secretFilter } from '../secrets';
import { rowOf } from './rules';

/** A program that reads, searches or packs everything below a folder. */
interface FolderReader {
  /** Whether it reads the working folder if no other is given: always, or with a word like this. */
  readonly here?: true | RegExp;
  /**
   * Letters of all options that take the next word as their value. They tell which words are a pattern or a place;
   * without them the working folder always counts.
   */
  readonly values?: string;
  /** Before `--` a word may also name something other than a place: a commit. */
  readonly behindDashes?: true;
}

const GREP: FolderReader = { here: /^-[^-]*[rRd]|^--[rd]/u, values: 'efmABCdDX' };
const SEVEN_ZIP: FolderReader = { here: /^[au]$/u };
const NAMED: FolderReader = {};

/** Listing names does not count as reading: `ls`, `find` and `tree` are not here. */
export const folderReaders: Readonly<Record<string, FolderReader>> = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rgrep: { ...GREP, here: true },
  pcregrep: { here: true },
  pcre2grep: { here: true },
  rg: { here: true, values: 'ABCEMTdefgjmrt' },
  ag: { here: true },
  ack: { here: true },
  ugrep: { here: true },
  'git grep': { here: true, values: 'efmABCO', behindDashes: true },
  // It compares two folders without an option, and outside a repository also without `--no-index`.
  'git diff': NAMED,
  diff: NAMED,
  colordiff: NAMED,
  tar: NAMED,
  gtar: NAMED,
  bsdtar: NAMED,
  zip: { here: /^-[^-]*R|^--recurse-p/u },
  '7z': SEVEN_ZIP,
  '7za': SEVEN_ZIP,
  '7zz': SEVEN_ZIP,
  cp: NAMED,
  rsync: NAMED,
  gzip: NAMED,
  gunzip: NAMED,
  zcat: NAMED,
  pigz: NAMED,
  zstd: NAMED,
  // Windows
  copy: NAMED,
  xcopy: NAMED,
  robocopy: NAMED,
  'copy-item': NAMED,
};

/** Whether a command may read the working folder without naming it. `words` begin after the program. */
export function readsHere(reader: FolderReader, words: readonly string[]): boolean {
  const { here, behindDashes } = reader;
  if (here === undefined || (here !== true && !words.some((word) => here.test(word)))) return false;
  if (reader.values === undefined) return true;
  const sure = operands(reader.values, words);
  // The first of these is the pattern.
  const [, ...places] = behindDashes
    ? [-1, ...sure.filter((at) => words.indexOf('--') < at && words.includes('--'))]
    : sure;
  return places.length === 0;
}

/** The index of the pattern, which is not a path; nothing if unsure: the pattern may follow `-e`, or be in a file. */
function patternAt({ values }: FolderReader, words: readonly string[]): number | undefined {
  if (values === undefined) return undefined;
  const isKnown = (word: string): boolean =>
    word.startsWith('--') ? FLAGS.has(word) : !/^-[^-]*[ef]/u.test(word);
  return words.every(isKnown) ? operands(values, words)[0] : undefined;
}

/**
 * The indexes of the words that are neither options nor their values: a word after `--max-count`, `-A` or `-nA` may be
 * one.
 */
function operands(values: string, words: readonly string[]): readonly number[] {
  const takesNext = (word = ''): boolean =>
    word.startsWith('--')
      ? !word.includes('=') && !FLAGS.has(word)
      : word.startsWith('-') && values.includes(word.slice(-1));
  return words.flatMap((word, at) => (!word.startsWith('-') && !takesNext(words[at - 1]) ? [at] : []));
}

/** Long options of searching programs that take no value. */
const FLAGS: ReadonlySet<string> = new Set(
  [
    '--recursive --hidden --no-ignore --ignore-case --case-sensitive --smart-case --fixed-strings --word-regexp',
    '--line-regexp --line-number --no-line-number --column --with-filename --no-filename --heading --no-heading',
    '--files-with-matches --files-without-match --count --only-matching --invert-match --extended-regexp',
    '--perl-regexp --pcre2 --multiline --text --quiet --null --json --stats --trim --no-messages --',
  ]
    .join(' ')
    .split(' '),
);

/** Options whose value is a text, not a file. */
const SAYING: Readonly<Record<string, RegExp>> = {
  'git commit': /^(?:-[a-z]*m|--message)$/u,
  'git tag': /^(?:-[a-z]*m|--message)$/u,
  'git merge': /^(?:-m|--message)$/u,
  'git stash': /^(?:-m|--message)$/u,
  'git notes': /^(?:-m|--message)$/u,
  gh: /^(?:-[tb]|--(?:title|body))$/u,
};

/**
 * The indexes of the words that are never paths: printed text, the message of a commit, the pattern of a search.
 * `start`: where the words after the program and its subcommand begin.
 */
export function plainTextsIn(
  words: readonly string[],
  names: readonly string[],
  start: number,
): ReadonlySet<number> {
  // A program given by a path may be anything, whatever its name.
  if (/[\\/]/u.test(words[0] ?? '')) return new Set();
  if (names.includes('echo')) return new Set(words.keys());
  const saying = rowOf(SAYING, names);
  if (saying) return new Set(words.flatMap((_, at) => (saying.test(words[at - 1] ?? '') ? [at] : [])));
  const reader = rowOf(folderReaders, names);
  const pattern = reader && patternAt(reader, words.slice(start));
  return new Set(pattern === undefined ? [] : [start + pattern]);
}

/**
 * Why reading everything below these places asks, if it does: a secret file, a link that leads outside, or too many
 * files.
 */
export async function whyContentsAsk(
  paths: readonly string[],
  scope: Omit<PathRequest, 'path' | 'use'>,
  files: RememberedFiles,
): Promise<string | undefined> {
  try {
    const name = ['contents from', scope.cwd, ...paths].join('\0');
    return await files.once(name, () => lookThrough(paths, scope, files));
  } catch {
    return 'a folder in it cannot be read';
  }
}

async function lookThrough(
  paths: readonly string[],
  scope: Omit<PathRequest, 'path' | 'use'>,
  files: RememberedFiles,
): Promise<string | undefined> {
  const secrets = { platform: files.platform, added: scope.secretNames ?? [] };
  const queue: Folder[] = [];
  const enter = async (path: string, shown: string): Promise<string | undefined> => {
    const { verdict, resolved } = await judgePath({ ...scope, path, use: 'read' }, files);
    if (verdict.decision !== 'auto' || resolved === undefined) return `${verdict.reason}: ${shown}`;
    queue.push({ path: resolved, shown });
    return undefined;
  };
  for (const path of paths) {
    const problem = await enter(path, path);
    if (problem !== undefined) return problem;
  }
  const isSecret = secretFilter(secrets);
  const seen = new Set<string>();
  const read: string[] = [];
  let entries = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const { path, shown } = at;
    if (seen.has(path) || (await files.kind(path)) !== 'directory') continue;
    seen.add(path);
    const held = (await files.entries(path)) ?? [];
    entries += held.length;
    if (entries > limits.commandFolderEntries)
      return `too many files below ${shown} to check for secret files`;
    for (const { name, kind } of held) {
      const inner = {
        path: join(path, name, files.platform),
        shown: shown === '.' ? visibleName(name) : `${shown.replace(/\/$/u, '')}/${visibleName(name)}`,
      };
      if (kind === 'directory') {
        queue.push(inner);
      } else if (kind === 'link') {
        // Some programs follow links, some only on request; here every link is followed.
        const problem = await enter(inner.path, inner.shown);
        if (problem !== undefined) return problem;
      } else if (isSecret(secretPath(inner.path, files))) {
        return `secret file: ${inner.shown}`;
      } else {
        const problem = await whyContentAsks([inner.path], files);
        if (problem !== undefined) return `${problem}: ${inner.shown}`;
        read.push(inner.path);
      }
    }
  }
  return whyLinked(read, {
    roots: await Promise.all(scope.roots.map((root) => follow(root, files))),
    secrets,
    files,
  });
}

interface Folder {
  /** Absolute, links resolved. */
  readonly path: string;
  /** For people: as the command names it. */
  readonly shown: string;
}
