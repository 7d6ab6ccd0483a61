import { visibleName } from '../../base/text';
import { isAbsolute, join } from '../paths/path-text';
import type { RememberedFiles } from '../paths/remembered-files';
import { ignoredFilter, isSecretByContent, secretFilter, type SecretName } from '../secrets';
import { gitSubcommand, programName } from './programs';
import { rowOf } from './rules';
import { startedWords } from './started-programs';
import { silentGit } from './tables/silent-git';

/** Which names git should list. */
export interface GitNamesQuestion {
  /**
   * `commits`: what commits changed. `differences`: what differs between two states. `index`: what is tracked below the
   * folder. `tree`: the same of a commit. `none`: nothing, but whether the revision is a commit.
   */
  readonly list: 'commits' | 'differences' | 'index' | 'tree' | 'none';
  /** Options for git that choose or narrow what is listed. */
  readonly options: readonly string[];
  /** Each can only be a commit; git fails for anything else. */
  readonly revisions: readonly string[];
  /** Names of files and folders, without patterns. None: everything. */
  readonly paths: readonly string[];
}

/**
 * The names that git lists in a folder, starting no program of the repository; `undefined` if they are not known soon, or
 * too many, in all lists together. Never throws. Where there is no repository, git prints nothing, so there is no name.
 */
export type GitNames = (
  questions: readonly GitNamesQuestion[],
  cwd: string,
) => Promise<readonly string[] | undefined>;

interface NamesScope {
  /** Absolute. */
  readonly cwd: string;
  readonly secretNames?: readonly SecretName[];
}

/**
 * Why a text asks because of the files whose contents git would print, if it does: one is secret, one may hold a key in
 * some version, or they are not known. `commands`: all of its commands. Only a text that would run otherwise needs this.
 */
export async function whyPrintsSecret(
  commands: readonly (readonly string[])[],
  { cwd, secretNames = [] }: NamesScope,
  { files, gitNames }: { readonly files: RememberedFiles; readonly gitNames?: GitNames },
): Promise<string | undefined> {
  const readings = await Promise.all(
    commands.map(startedWords).map((words) => readGit(words, exists(cwd, files))),
  );
  const printed = readings.filter((reading) => reading !== undefined);
  const names = await namesOf(printed, cwd, gitNames);
  if (names === undefined) {
    const reason = 'it is not known which files git would print';
    return reason;
  }
  const isSecret = secretFilter({ platform: files.platform, added: secretNames });
  const folders = [cwd, ...secretNames.flatMap((name) => (typeof name === 'string' ? [] : name.folders))];
  const isIgnored = ignoredFilter({ platform: files.platform, added: secretNames });
  const secret = names.find(
    (name) =>
      isSecret(name) ||
      isSecretByContent(name) ||
      // Git names files from the root of the repository, which may be any folder above.
      folders.some((folder) => isIgnored(join(folder, name, files.platform))),
  );
  if (secret === undefined) return undefined;
  const reason = `git would print a secret file: ${visibleName(secret)}`;
  return reason;
}

/** The names that the words show, and what git has to be asked besides. */
interface PrintedFiles {
  readonly names: readonly string[];
  readonly questions: readonly GitNamesQuestion[];
}

async function namesOf(
  printed: readonly (PrintedFiles | 'unknown')[],
  cwd: string,
  gitNames: GitNames | undefined,
): Promise<readonly string[] | undefined> {
  const known = printed.filter((reading) => reading !== 'unknown');
  if (known.length < printed.length) return undefined;
  const questions = known.flatMap((reading) => reading.questions);
  const listed = questions.length === 0 ? [] : await gitNames?.(questions, cwd);
  return listed && [...known.flatMap(({ names }) => names), ...listed];
}

/** Nothing if the command prints no contents. */
async function readGit(
  words: readonly string[],
  exists: Exists,
): Promise<PrintedFiles | 'unknown' | undefined> {
  if (programName(words[0] ?? '') !== 'git') return undefined;
  const at = gitSubcommand(words);
  if (at === -1) return undefined;
  const own = words.slice(at + 1);
  const read = READERS.get(words[at] ?? '');
  if (read === undefined) {
    const prints = rowOf(silentGit, [words.slice(at, at + 2).join(' '), words[at] ?? '']);
    return prints === undefined || own.some((word) => prints.test(word)) ? 'unknown' : undefined;
  }
  // Options like `-C` and `--git-dir` lead to another repository.
  if (!words.slice(1, at).every((word) => word === '--no-pager' || word === '-P')) return 'unknown';
  return read(own, exists);
}

function exists(cwd: string, files: RememberedFiles): Exists {
  return async (path) =>
    (await files.kind(isAbsolute(path, files.platform) ? path : join(cwd, path, files.platform))) !==
    undefined;
}

type Exists = (path: string) => Promise<boolean>;
type ReadGit = (
  words: readonly string[],
  exists: Exists,
) => PrintedFiles | 'unknown' | undefined | Promise<PrintedFiles | 'unknown' | undefined>;

const READERS: ReadonlyMap<string, ReadGit> = new Map<string, ReadGit>([
  ['log', (words, exists) => readWalk('log', words, exists)],
  ['whatchanged', (words, exists) => readWalk('show', words, exists)],
  ['show', (words, exists) => readWalk('show', words, exists)],
  ['diff', (words, exists) => readWalk('diff', words, exists)],
  ['grep', readGrep],
  ['blame', readBlame],
  ['annotate', readBlame],
  ['cat-file', readObject],
  ['archive', readArchive],
]);

/** How changes look. None makes git print a file that it would not list by name. */
const LOOKS = new RegExp(
  `^(?:${[
    '-[abcmpqRsuwWz]',
    String.raw`-U\d*`,
    String.raw`-[BCM]\d*%?`,
    '--(?:patch|no-patch|raw|stat|shortstat|numstat|summary|compact-summary|dirstat|patch-with-stat|patch-with-raw)',
    '--(?:oneline|graph|no-graph|reverse|decorate|no-decorate|abbrev|abbrev-commit|no-abbrev-commit|full-index)',
    '--(?:binary|text|minimal|patience|histogram|color|no-color|color-words|word-diff|color-moved|cc|check)',
    '--(?:ignore-(?:space-change|all-space|space-at-eol|blank-lines|cr-at-eol)|function-context|no-prefix)',
    '--(?:exit-code|quiet|no-ext-diff|no-textconv|no-renames|find-renames|name-only|name-status|relative)',
    '--(?:left-right|parents|no-notes|topo-order|date-order|author-date-order|relative-date)',
    '--(?:stat|unified|abbrev|color|word-diff|word-diff-regex|color-words|color-moved|diff-algorithm|anchored)=.*',
    '--(?:inter-hunk-context|src-prefix|dst-prefix|decorate|pretty|format|date|find-renames|encoding)=.*',
  ].join('|')})$`,
  'su',
);

/** Options after which a commit shows its patch. */
const PATCH =
  /^(?:-[cmpuW]|-U\d*|--(?:patch|patch-with-.*|unified.*|function-context|binary|word-diff.*|color-words.*|cc|check))$/su;

/** Instead of the patch. */
const WITHOUT_PATCH =
  /^(?:-s|--(?:no-patch|stat|shortstat|numstat|summary|compact-summary|dirstat|raw|name-only|name-status))(?:=.*)?$/su;

/** Which states are compared, or where a walk starts. They are passed on. */
const CHOICES = /^--(?:all|branches|tags|remotes|cached|staged|merge-base)$/u;

/** Which commits of a walk count. They are passed on together or not at all: a number counts what the others leave. */
const FILTERS =
  /^(?:-\d+|-n\d+|-[iEFPGS].*|--(?:max-count|skip|since|until|after|before|author|committer|grep)=.*|--(?:merges|no-merges|first-parent|regexp-ignore-case|fixed-strings|extended-regexp|perl-regexp|all-match|invert-grep))$/su;

/** Filters whose value may be the next word. */
const VALUED = /^(?:-[nSG]|--(?:max-count|skip|since|until|after|before|author|committer|grep))$/u;

/** How to walk. With a patch, some of them print files under earlier names. */
const WALKS =
  /^(?:-g|--(?:follow|full-history|simplify-merges|simplify-by-decoration|ancestry-path|boundary|children|source|walk-reflogs|cherry|cherry-mark|cherry-pick|left-only|right-only|no-walk|show-signature|notes|no-mailmap|use-mailmap)|--(?:exclude|glob|notes|diff-filter)=.*)$/su;

const REVISION = /^(?!-)\^?[\w.@/~^+-]*(?:@\{[\w. -]+\})?[~^\d]*(?:\.\.\.?[\w.@/~^+-]*)?$/u;

/** `log`, `show` and `diff`: they share how they name commits and paths, and how changes look. */
async function readWalk(
  kind: 'log' | 'show' | 'diff',
  words: readonly string[],
  exists: Exists,
): Promise<PrintedFiles | 'unknown' | undefined> {
  const dashes = words.indexOf('--');
  const paths: string[] = dashes === -1 ? [] : words.slice(dashes + 1).flatMap((word) => word);
  const filters: string[] = [];
  const choices: string[] = [];
  const operands: string[] = [];
  let patch = kind !== 'log' ? undefined : false;
  let walks = false;
  const own = dashes === -1 ? words : words.slice(0, dashes);
  for (let at = 0; at < own.length; at++) {
    const word = own[at] ?? '';
    if (!word.startsWith('-')) operands.push(word);
    else if (VALUED.test(word)) filters.push(word, own[++at] ?? '');
    else if (CHOICES.test(word)) choices.push(word);
    else if (FILTERS.test(word)) filters.push(word);
    else if (WALKS.test(word)) walks = true;
    else if (!LOOKS.test(word)) return 'unknown';
    if (PATCH.test(word)) patch = true;
    if (WITHOUT_PATCH.test(word)) patch ??= false;
  }
  // Whatever its options, `show` prints a file that is named by its number or its path.
  if (patch === false && kind !== 'show') return undefined;
  if (walks) return 'unknown';
  const revisions: string[] = [];
  const names: string[] = [];
  for (const word of operands) {
    if (await exists(word)) paths.push(word);
    else if (kind === 'show' && word.includes(':')) names.push(pathOf(word));
    else if (/[*?[]/u.test(word)) paths.push(word);
    else if (REVISION.test(word)) revisions.push(asCommits(word));
    else return 'unknown';
  }
  if (names.some((name) => name === '')) return 'unknown';
  if (patch === false) return { names, questions: revisions.filter(mayBeFile).map(whetherCommit) };
  // A commit and a file of it.
  if (names.length > 0 && revisions.length === 0 && paths.length === 0) return { names, questions: [] };
  const isPattern = paths.some((path) => /^:|[*?[\\]/u.test(path));
  const options = [...choices, ...(isPattern ? [] : filters), ...(kind === 'show' ? ['--no-walk'] : [])];
  const list = kind === 'diff' ? 'differences' : 'commits';
  return { names, questions: [{ list, options, revisions, paths: isPattern ? [] : paths }] };
}

function mayBeFile(revision: string): boolean {
  return !/^\^?(?:HEAD|@)[~^\d]*\^\{commit\}$/u.test(revision);
}

function whetherCommit(revision: string): GitNamesQuestion {
  return { list: 'none', options: [], revisions: [revision], paths: [] };
}

/** The path of `REV:path` or `:0:path`; empty for a search of messages. */
function pathOf(word: string): string {
  if (word.startsWith(':/')) return '';
  return word.startsWith(':') ? word.replace(/^:(?:\d:)?/u, '') : word.slice(word.indexOf(':') + 1);
}

/** The same range, which git refuses unless it consists of commits: a file by its number has no name. */
function asCommits(word: string): string {
  const [, not = '', from = '', dots = '', to = ''] = /^(\^?)(.*?)(?:(\.\.\.?)(.*))?$/su.exec(word) ?? [];
  const commit = (name: string): string => `${name === '' ? 'HEAD' : name}^{commit}`;
  return `${not}${commit(from)}${dots}${dots === '' ? '' : commit(to)}`;
}

const GREP_LOOKS =
  /^(?:-[nHhiIlLcwvEFPGqopWz]+|-[ABCm]?\d+|--(?:line-number|column|ignore-case|count|files-with-matches|files-without-match|name-only|fixed-strings|extended-regexp|basic-regexp|perl-regexp|word-regexp|invert-match|full-name|cached|color|no-color|heading|break|show-function|function-context|only-matching|quiet|and|or|not|all-match|null)|--(?:color|max-depth|max-count|context|after-context|before-context|threads)=.*)$/su;
const GREP_VALUED = /^(?:-[ABCme]|--(?:max-depth|max-count|context|after-context|before-context))$/u;

async function readGrep(words: readonly string[], exists: Exists): Promise<PrintedFiles | 'unknown'> {
  const dashes = words.indexOf('--');
  const own = dashes === -1 ? words : words.slice(0, dashes);
  const paths = dashes === -1 ? [] : [...words.slice(dashes + 1)];
  const operands: string[] = [];
  let isGiven = false;
  for (let at = 0; at < own.length; at++) {
    const word = own[at] ?? '';
    if (!word.startsWith('-')) operands.push(word);
    else if (GREP_VALUED.test(word)) {
      isGiven ||= word === '-e';
      at += 1;
    } else if (!GREP_LOOKS.test(word)) return 'unknown';
  }
  const revisions: string[] = [];
  for (const word of isGiven ? operands : operands.slice(1)) {
    if ((await exists(word)) || /[*?[]/u.test(word)) paths.push(word);
    else if (REVISION.test(word) && !word.includes('..')) revisions.push(asCommits(word));
    else return 'unknown';
  }
  const isPattern = paths.some((path) => /^:|[*?[\\]/u.test(path));
  // A pattern may reach beyond the working folder.
  if (isPattern && paths.some((path) => /^:|\.\./u.test(path))) return 'unknown';
  const index = { list: 'index', options: [], revisions: [], paths: isPattern ? [] : paths } as const;
  if (revisions.length === 0) return { names: [], questions: [index] };
  if (paths.some((path) => path.includes('..'))) return 'unknown';
  const trees = revisions.map((revision) => ({
    list: 'tree' as const,
    options: [],
    revisions: [revision],
    paths: [],
  }));
  return { names: [], questions: trees };
}

/** It prints one file, which its last operand names. */
function readBlame(words: readonly string[]): PrintedFiles | 'unknown' {
  const names = words.filter((word) => !word.startsWith('-'));
  return { names, questions: [] };
}

function readObject(words: readonly string[]): PrintedFiles | 'unknown' | undefined {
  const [option = '', object = '', ...more] = words;
  if (['-t', '-s', '-e'].includes(option)) return undefined;
  if (!['-p', 'blob', 'commit', 'tag', 'tree'].includes(option) || more.length > 0) return 'unknown';
  const name = object.includes(':') ? pathOf(object) : undefined;
  if (name !== undefined) return name === '' ? 'unknown' : { names: [name], questions: [] };
  if (!REVISION.test(object) || object.includes('..')) return 'unknown';
  return { names: [], questions: [whetherCommit(asCommits(object))] };
}

/** A commit and perhaps paths, packed; `--remote` and options that take files are not read. */
function readArchive(words: readonly string[]): PrintedFiles | 'unknown' {
  const [revision = '', ...paths] = words.filter((word) => !/^--format=[\w.]+$/u.test(word));
  if (!REVISION.test(revision) || paths.some((word) => word.startsWith('-'))) return 'unknown';
  return {
    names: [],
    questions: [{ list: 'tree', options: [], revisions: [asCommits(revision)], paths: [] }],
  };
}
