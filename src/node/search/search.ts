import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import { linkedToSecret, whyContentAsks } from '../../policy/paths/secret-files';
import { ToolError } from '../../core/words/tool';
import type { Place } from '../../tools/ports/files';
import type {
  Census,
  FileMatches,
  FileQuery,
  Search,
  TextMatches,
  TextQuery,
} from '../../tools/ports/search';
import { inGroups } from '../files/files';
import { pathFileSystem, type PlacesOptions } from '../files/path-file-system';
import { searchHome } from './ignore-files';
import { createRipgrepEngine, findRipgrep } from './ripgrep';
import type { SearchEngine } from './search-engine';
import { listedDisk, type WalkStart } from './walk';
import { createWalkEngine } from './walk-engine';

interface SearchOptions extends Pick<PlacesOptions, 'roots' | 'secretNames'> {
  /** Absolute path of a ripgrep to use instead of ours; `false` to search without one. */
  readonly ripgrep?: string | false | undefined;
  /** The folder of VS Code's program, which may contain a ripgrep. */
  readonly vsCodeFolder?: string | undefined;
}

/** Search on this machine with ripgrep. Without one, files are listed by a walk, and their text cannot be searched. */
export function createSearch(options: SearchOptions): Search {
  const search = searchBy({ engine: () => engineFor(options), modified: modifiedOnDisk });
  return {
    ...search,
    text: async (query, signal) => withoutSecret(await search.text(query, signal), query, options),
  };
}

/** Removes files that are links to secret ones, or hold a key. */
async function withoutSecret(
  found: TextMatches,
  { place }: TextQuery,
  { roots, secretNames }: SearchOptions,
): Promise<TextMatches> {
  const at = (below: string): string => path.join(place.resolved, below);
  const { linked } = await linkedToSecret(
    // If a single file is searched, its access was already approved.
    found.files.filter((file) => file.path !== '').map((file) => at(file.path)),
    {
      roots,
      secrets: { platform: pathFileSystem.platform, added: secretNames?.() ?? [] },
      files: pathFileSystem,
    },
  );
  const asking = await Promise.all(
    found.files.map(
      async (file) => file.path !== '' && (await whyContentAsks([at(file.path)], pathFileSystem)),
    ),
  );
  const files = found.files.filter(
    (file, index) => linked.get(at(file.path)) === undefined && !asking[index],
  );
  const left = found.files.filter((file) => !files.includes(file));
  const total = found.total - left.reduce((sum, file) => sum + file.total, 0);
  return { ...found, files, total, totalFiles: found.totalFiles - left.length };
}

async function engineFor({ roots, ripgrep, vsCodeFolder, ...options }: SearchOptions): Promise<SearchEngine> {
  const secretNames = options.secretNames?.() ?? [];
  const program = ripgrep === false ? undefined : (ripgrep ?? findRipgrep({ roots, vsCodeFolder }));
  // Places are resolved, so the roots must be resolved too. A root that does not exist contains no place.
  const resolved = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  if (program !== undefined) return createRipgrepEngine({ program, roots: resolved, secretNames });
  const startAt = async (target: string): Promise<WalkStart> => {
    const { home, repository } = searchHome(target, resolved);
    return { top: repository ?? home, target, inRepository: repository !== undefined };
  };
  const walked = createWalkEngine({ startAt, secretNames, files: listedDisk });
  return { ...walked, text: () => Promise.reject(new ToolError(NO_RIPGREP)) };
}

const NO_RIPGREP =
  'Files cannot be searched: there is no ripgrep on this machine. Tell the user to install it (https://github.com/BurntSushi/ripgrep#installation, `rg` must be on the PATH) or the package of Parley for this platform, which contains it. Until then, use find_files and read_file.';

/** A deleted file counts as the oldest. */
async function modifiedOnDisk(folder: Place, below: string): Promise<number> {
  const stats = await lstat(path.join(folder.resolved, below)).catch(() => undefined);
  return stats?.mtimeMs ?? 0;
}

interface SearchParts {
  /** Called for each search. */
  readonly engine: () => Promise<SearchEngine>;
  /** When a file below a folder was last changed, in milliseconds. Never rejects. */
  readonly modified: (folder: Place, below: string) => Promise<number>;
}

export function searchBy(parts: SearchParts): Search {
  return {
    files: (query, signal) => findFiles(parts, query, signal),
    text: (query, signal) => searchText(parts, query, signal),
    census: (folder, depth, signal) => countFiles(parts, { folder, depth }, signal),
  };
}

async function searchText(
  { engine }: SearchParts,
  query: TextQuery,
  signal: AbortSignal,
): Promise<TextMatches> {
  signal.throwIfAborted();
  const found = await (await engine()).text(query, signal);
  const files = found.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { ...found, files: firstMatches(files, query.max) };
}

/** Keeps the lines of each file up to the last match that may be shown. */
function firstMatches(files: TextMatches['files'], max: number): TextMatches['files'] {
  let left = max;
  return files.flatMap((file) => {
    if (left <= 0) return [];
    const matches = file.lines.filter((line) => line.isMatch);
    left -= matches.length;
    const next = left < 0 ? matches.at(left) : undefined;
    return [next ? { ...file, lines: file.lines.slice(0, file.lines.indexOf(next)) } : file];
  });
}

async function findFiles(
  { engine, modified }: SearchParts,
  { folder, matches, max }: FileQuery,
  signal: AbortSignal,
): Promise<FileMatches> {
  signal.throwIfAborted();
  const found: string[] = [];
  let total = 0;
  const add = (below: string): void => {
    if (!matches(below)) return;
    total++;
    if (found.length < limits.listEntries) found.push(below);
  };
  const end = await (await engine()).list(folder.resolved, add, signal);
  const times = new Map<string, number>();
  await inGroups(found, async (below) => {
    times.set(below, await modified(folder, below));
  });
  signal.throwIfAborted();
  const time = (below: string): number => times.get(below) ?? 0;
  const newest = found.sort((a, b) => time(b) - time(a) || (a < b ? -1 : 1));
  return { paths: newest.slice(0, max), total, ...end };
}

async function countFiles(
  { engine }: SearchParts,
  { folder, depth }: { folder: Place; depth: number },
  signal: AbortSignal,
): Promise<Census> {
  signal.throwIfAborted();
  const folders = new Map<string, number>();
  const files = new Set<string>();
  const add = (below: string): void => {
    const names = below.split('/');
    for (let level = 0; level < Math.min(names.length, depth + 1); level++) {
      const parent = names.slice(0, level).join('/');
      folders.set(parent, (folders.get(parent) ?? 0) + 1);
    }
    if (names.length <= depth) files.add(below);
  };
  const end = await (await engine()).list(folder.resolved, add, signal);
  return { folders, files, ...end };
}
