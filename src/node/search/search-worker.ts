import { parentPort, workerData } from 'node:worker_threads';
import { limits } from '../../base/limits';
import { secretPath } from '../../policy/paths/secret-files';
import { secretFilter, type SecretName } from '../../policy/secrets';
import { parseGlob } from '../../tools/files/glob';
import type { SearchCut } from '../../tools/ports/search';
import { pathFileSystem } from '../files/path-file-system';
import { FileSearch, linePattern, type LinePattern, type PatternOptions } from './file-search';
import { KeptMatches } from './matches';
import { UnreadablePattern } from './regex-syntax';
import type { FoundText, SearchEnd } from './search-engine';
import { askedFiles, createDiskToSearch, type FileSystemTraits, type SearchedFiles } from './searched-files';
import { walk, type WalkedFile, type WalkStart } from './walk';

export interface SearchTask {
  readonly start: WalkStart;
  readonly timeoutMs: number;
  /** Set if the starting thread provides the files; otherwise they are read from disk. */
  readonly asks?: FileSystemTraits;
  /** Absent to list the files. */
  readonly text?: TextTask;
}

interface TextTask extends PatternOptions {
  readonly glob?: string;
  readonly context: number;
  readonly maxPerFile: number;
  readonly secretNames: readonly SecretName[];
}

/** Paths that were found so far, sent before the answer. */
export interface ListedPaths {
  readonly type: 'paths';
  readonly paths: readonly string[];
}

export type SearchAnswer =
  | ({ readonly type: 'end' } & SearchEnd)
  | ({ readonly type: 'found' } & FoundText)
  | { readonly type: 'unreadable'; readonly reason: string };

// SAFETY: only `walk-engine.ts` starts this thread.
const task = workerData as SearchTask;
const deadline = performance.now() + task.timeoutMs;
const isLate = (): boolean => performance.now() > deadline;
const files = task.asks ? askedFiles(task.asks, deadline) : createDiskToSearch();

void answer().then((message) => parentPort?.postMessage(message));

async function answer(): Promise<SearchAnswer> {
  if (!task.text) return { type: 'end', ...(await list()) };
  try {
    return { type: 'found', ...(await search(task.text, linePattern(task.text))) };
  } catch (error) {
    if (error instanceof UnreadablePattern) return { type: 'unreadable', reason: error.message };
    // The engine reports an expression that is too large only when it is used.
    if (error instanceof SyntaxError) return { type: 'unreadable', reason: 'it is too large for JavaScript' };
    throw error;
  }
}

async function list(): Promise<SearchEnd> {
  let paths: string[] = [];
  let sentAt = performance.now();
  const send = (): void => {
    const message: ListedPaths = { type: 'paths', paths };
    parentPort?.postMessage(message);
    paths = [];
    sentAt = performance.now();
  };
  for await (const found of walk(files, task.start)) {
    for (const { below } of found) paths.push(below);
    const isDue = performance.now() > sentAt + limits.searchPathsEveryMs;
    if (isDue || paths.length >= limits.searchPathsAtOnce) send();
    if (isLate()) break;
  }
  send();
  return isLate() ? { cut: 'time' } : {};
}

async function search(text: TextTask, pattern: LinePattern): Promise<FoundText> {
  const { glob, context, maxPerFile, secretNames } = text;
  const kept = new KeptMatches({
    maxPerFile,
    most: limits.searchMatches,
    lineCharacters: limits.searchLineCharacters,
  });
  let cut: SearchCut | undefined;
  const look = async (file: Pick<WalkedFile, 'path' | 'below'>): Promise<void> => {
    const looking = new FileSearch(pattern, context, kept.file(file.below));
    const left = await files.read(file.path, (piece, isLast) => looking.add(piece, isLast) && !isLate());
    looking.end();
    if (left || looking.isTooLarge) cut = 'size';
  };
  const filter = glob === undefined ? undefined : parseGlob(glob);
  const isSecret = secretFilter({ platform: pathFileSystem.platform, added: secretNames });
  const isWanted = ({ path, below }: WalkedFile): boolean =>
    !isSecret(secretPath(path, pathFileSystem)) && (filter?.matches(below) ?? true);
  // The target may be a file, to which access was checked before. Reading a folder yields nothing.
  await look({ path: task.start.target, below: '' });
  for await (const found of walk(files, task.start)) {
    for (const group of groups(found.filter(isWanted), files)) {
      await Promise.all(group.map(look));
      if (isLate()) break;
    }
    if (isLate()) break;
  }
  if (isLate()) cut = 'time';
  const { files: withMatches, total, totalFiles } = kept;
  return { files: withMatches, total, totalFiles, ...(cut && { cut }) };
}

function groups<T>(items: readonly T[], { atOnce }: SearchedFiles): readonly T[][] {
  return Array.from({ length: Math.ceil(items.length / atOnce) }, (_, index) =>
    items.slice(index * atOnce, (index + 1) * atOnce),
  );
}
