import { limits } from '../../base/limits';
import type { PathUse } from '../../core/words/verdict';
import { fitsPattern, isAbsolute, join, withoutSets } from '../paths/path-text';
import { judgePath, type PathRequest } from '../paths/paths';
import type { RememberedFiles } from '../paths/remembered-files';
import { aimsAtSecret } from '../secrets';
import { isAddress, takesAddress } from './addresses';
import { folderReaders, plainTextsIn, readsHere, whyContentsAsk } from './folder-readers';
import { gitSubcommand } from './git';
import { rowOf } from './rules';
import type { SimpleCommand } from './simple-commands';
import type { StartedProgram } from './started-programs';

type ArgumentScope = Omit<PathRequest, 'path' | 'use'> & { readonly cwd: string };

/** Why an argument makes a command ask: where it may lead, or what it may change there. */
export async function whyArgumentAsks(
  programs: readonly StartedProgram[],
  words: SimpleCommand,
  scope: ArgumentScope,
  files: RememberedFiles,
): Promise<string | undefined> {
  const program = programs[0]?.program ?? '';
  const texts = words.map((word) => word.text);
  const at = program === 'git' ? gitSubcommand(texts) : 1;
  const names = [`${program} ${texts[at] ?? ''}`, program];
  const start = program === 'git' ? at + 1 : 1;
  const use = rowOf(uses, names) ?? 'write';
  const mayBeRead = rowOf(uses, names) === undefined;
  const isSaved = names.some((name) => savesByAddress.has(name));
  const plain = plainTextsIn(texts, names, start);
  const named = new Set<string>();
  // A text may contain the same word a thousand times.
  const known = new Set<string>();
  for (const [index, word] of words.entries()) {
    if (index === 0 || (plain.has(index) && !word.isGlob)) continue;
    const isOne = isAddress(texts, index, names);
    const isTaken = isOne && takesAddress(texts, index, names);
    if (isOne && !isTaken) return `it names an address: ${word.text}`;
    if (known.has(`${isTaken}${word.isGlob}${word.text}`)) continue;
    known.add(`${isTaken}${word.isGlob}${word.text}`);
    const inWord = isTaken ? [] : pathsIn(word.text);
    const paths = word.isGlob && !isTaken ? await filesLike(word.text, scope, files) : inWord;
    if (paths === undefined) return `${word.text} may match secret files or too many files`;
    for (const path of isSaved ? [...paths, ...namesIn(word.text)] : paths) {
      if (named.has(path)) continue;
      if (path.split('/').length > MOST_LEVELS) return `it names too many levels: ${path.slice(0, 80)}…`;
      files.spend(PATH_STEPS);
      const { verdict } = await judgePath({ ...scope, path, use, mayBeRead }, files);
      if (verdict.decision !== 'auto') return `${verdict.reason}: ${path}`;
      named.add(path);
    }
  }
  const reader = rowOf(folderReaders, names);
  if (reader === undefined) return undefined;
  return whyContentsAsk(readsHere(reader, texts.slice(start)) ? [...named, '.'] : [...named], scope, files);
}

/** Each level is looked up; no workspace is deeper than this. */
const MOST_LEVELS = 100;

/** The cost of judging a path, besides looking at files. */
const PATH_STEPS = 100;

/** Everything in an argument that a program could take as a path: the word, and what follows `=`, `-f` and the like. */
function pathsIn(word: string): readonly string[] {
  const parts = [word, ...word.split(/[=:,@<]/u)].filter((part) => !part.startsWith('-'));
  // `-I/usr`, `-vf.env`, `-rfcredentials`: where the value begins is not known.
  const starts = /^-[^-]/su.test(word) ? [2, 3, 4, Math.max(2, word.search(/[/~.\\]/u))] : [];
  const glued = starts.map((start) => word.slice(start));
  // A quoted pattern aims at the name without the `*`: `--include='*.env'`.
  const aimed = parts
    .filter((part) => /[*?[]/u.test(part))
    .map((part) => part.slice(part.lastIndexOf('/') + 1).replace(/[*?[\]]/gu, ''));
  return unique([...parts, ...glued, ...aimed]);
}

/** They save what they fetch under names from the address. */
const savesByAddress: ReadonlySet<string> = new Set(['wget', 'git clone', 'git submodule']);

function namesIn(word: string): readonly string[] {
  const names = word.includes('/') ? word.split(/[/?#]/u) : [];
  return names.map((name) => name.replace(/(?<=.)\.git$/u, '')).filter((name) => name !== '');
}

async function filesLike(
  pattern: string,
  scope: ArgumentScope,
  files: RememberedFiles,
): Promise<readonly string[] | undefined> {
  try {
    return await expand(pattern, scope, files);
  } catch {
    // The contents of an unreadable folder are unknown, so the command asks.
    return undefined;
  }
}

/** The files that a pattern matches now; `undefined` if it could name a secret, or if there are too many. */
async function expand(
  pattern: string,
  scope: ArgumentScope,
  files: RememberedFiles,
): Promise<readonly string[] | undefined> {
  const names = pattern.split('/');
  if (names.length > limits.pathLevels) return undefined;
  let found: readonly string[] = [];
  for (const [index, name] of names.entries()) {
    const starts = index === 0 ? [''] : found.map((start) => `${start}/`);
    if (!/[*?[]/u.test(name)) {
      found = starts.map((start) => start + name);
      continue;
    }
    if (name.length > LONGEST_NAME) return undefined;
    // A bare `*` aims at nothing in particular; its matches are judged file by file.
    const secrets = { platform: files.platform, added: scope.secretNames ?? [] };
    if (name !== '*' && aimsAtSecret(name, secrets)) return undefined;
    const pattern = withoutSets(name);
    const matching: string[] = [];
    for (const start of starts) {
      const folder = isAbsolute(start, files.platform) ? start : join(scope.cwd, start, files.platform);
      const held = (await files.entries(folder)) ?? [];
      files.spend(held.length);
      // Shells before bash 5.2 also match `..` with `.?`.
      const inside = [...(name.startsWith('.') ? ['.', '..'] : []), ...held.map((entry) => entry.name)];
      matching.push(...inside.filter((entry) => fits(pattern, entry)).map((entry) => start + entry));
      if (matching.length > limits.commandPatternFiles) return undefined;
    }
    found = matching;
  }
  return unique([...found, ...pathsIn(pattern)]);
}

/** May say yes too often. */
function fits(pattern: string, entry: string): boolean {
  if (entry.startsWith('.') && !pattern.startsWith('.')) return false;
  return fitsPattern(pattern, entry);
}

/** No file system has longer names, so what a longer pattern aims at is unknown. */
const LONGEST_NAME = 255;

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}

const words = (text: string, use: PathUse): Readonly<Record<string, PathUse>> =>
  Object.fromEntries(text.split(' ').map((word) => [word, use]));

/**
 * What a program does with the places in its arguments, by its name with a subcommand or alone. A program that is not
 * listed may write there. `move` and `delete` affect everything in a folder.
 */
const uses: Readonly<Record<string, PathUse>> = {
  ...words('ls stat du find gfind basename dirname realpath readlink', 'read'),
  ...words(
    'cat head tail tac wc nl rev cut tr fold fmt pr paste join column expand unexpand strings',
    'read',
  ),
  ...words('grep egrep fgrep rgrep pcregrep pcre2grep zgrep rg ag ack ugrep fd fdfind jq', 'read'),
  ...words('diff cmp comm diff3 sdiff colordiff zdiff zcat bat batcat tokei', 'read'),
  ...words('md5sum sha1sum sha256sum cksum sum b2sum', 'read'),
  ...words('echo printf pwd date whoami id uname which type true false seq sleep df ps', 'read'),
  ...words('cp mv ln install chmod chown chgrp tar gtar bsdtar zip unzip rsync', 'move'),
  ...words('rm rmdir unlink', 'delete'),
  ...words('tee dd touch mkdir truncate sed patch', 'write'),
  git: 'read',
  ...Object.fromEntries(
    ['checkout', 'restore', 'clone', 'init', 'submodule', 'worktree'].map((name) => [`git ${name}`, 'write']),
  ),
  'git mv': 'move',
  'git rm': 'delete',
  // Windows
  ...words('dir get-content gc get-childitem gci get-item gi select-string sls findstr test-path', 'read'),
  ...words('copy move ren mklink xcopy robocopy copy-item move-item rename-item', 'move'),
  ...words('del erase rd ri remove-item', 'delete'),
};
