import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import { linkedToSecret, whyContentAsks } from '../../policy/paths/secret-files';
import { ignoredFilter } from '../../policy/secrets';
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
import type { EncodingSettings } from '../files/guess-encoding';
import { inGroups } from '../files/files';
import { secretNamesOf } from '../files/agent-ignore-files';
import { pathFileSystem, type PlacesOptions } from '../files/path-file-system';
import { searchHome, type AppliedRules } from './ignore-files';
import { createRipgrepEngine, findRipgrep } from './ripgrep';
import { lookAgain } from './second-look';
import type { SearchEnd, SearchEngine } from './search-engine';
import { listedDisk, type WalkStart } from './walk';
import { createWalkEngine } from './walk-engine';

interface SearchOptions extends Pick<PlacesOptions, 'roots' | 'secretNames'> {
  /** Absolute path of a ripgrep to use instead of ours; `false` to search without one. */
  readonly ripgrep?: string | false | undefined;
  /** What the editor's settings say about the encoding of a file, given by its absolute path. */
  readonly encodings?: ((file: string) => EncodingSettings) | undefined;
  /** The folder of VS Code's program, which may contain a ripgrep. */
  readonly vsCodeFolder?: string | undefined;
}

/** Search on this machine with ripgrep. Without one, files are listed by a walk, and their text cannot be searched. */
export function createSearch(options: SearchOptions): Search {
  const search = searchBy({
    engine: () => engineFor(options),
    modified: modifiedOnDisk,
    withheld: () => ignoredFilter({ platform: pathFileSystem.platform, added: secretNamesOf(options) }),
  });
  return {
    ...search,
    text: async (query, signal) => withoutSecret(await search.text(query, signal), query, options),
    lookAgain: async (query, signal) => {
      const program = programFor(options);
      if (program === undefined) return undefined;
      const roots = await resolvedRoots(options);
      const look = await lookAgain(
        { program, roots, secretNames: secretNamesOf(options), encodings: options.encodings },
        query,
        signal,
      );
      return 'place' in query ? { ...look, found: await withoutSecret(look.found, query, options) } : look;
    },
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
      secrets: {
        platform: pathFileSystem.platform,
        added: secretNamesOf({ roots, ...(secretNames && { secretNames }) }),
      },
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
  const secretNames = secretNamesOf({ roots, ...options });
  const program = programFor({ roots, ripgrep, vsCodeFolder });
  const resolved = await resolvedRoots({ roots });
  if (program !== undefined) return createRipgrepEngine({ program, roots: resolved, secretNames });
  const startAt = async (target: string): Promise<WalkStart> => {
    const { home, repository } = searchHome(target, resolved);
    return { top: repository ?? home, target, inRepository: repository !== undefined };
  };
  const walked = createWalkEngine({ startAt, secretNames, files: listedDisk });
  return { ...walked, text: () => Promise.reject(new ToolError(NO_RIPGREP)) };
}

function programFor({
  ripgrep,
  roots,
  vsCodeFolder,
}: Pick<SearchOptions, 'ripgrep' | 'roots' | 'vsCodeFolder'>): string | undefined {
  return ripgrep === false ? undefined : (ripgrep ?? findRipgrep({ roots, vsCodeFolder }));
}

/** Places are resolved, so the roots must be resolved too. A root that does not exist contains no place. */
function resolvedRoots({ roots }: Pick<SearchOptions, 'roots'>): Promise<readonly string[]> {
  return Promise.all(roots.map((root) => realpath(root).catch(() => root)));
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
  /** Asked for each search: whether an ignore file for agents names an absolute path. */
  readonly withheld?: () => (path: string) => boolean;
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
  { engine, modified, withheld }: SearchParts,
  { folder, matches, max, includeIgnored }: FileQuery,
  signal: AbortSignal,
): Promise<FileMatches> {
  signal.throwIfAborted();
  const found: string[] = [];
  let total = 0;
  let seen = 0;
  let left = 0;
  const isWithheld = withheld?.();
  const add = (below: string): void => {
    seen++;
    if (!matches(below)) return;
    if (isWithheld?.(`${folder.resolved}/${below}`)) {
      left++;
      return;
    }
    total++;
    if (found.length < limits.listEntries) found.push(below);
  };
  const list = async (rules: AppliedRules): Promise<SearchEnd> =>
    (await engine()).list({ path: folder.resolved, rules }, add, signal);
  let end = await list(includeIgnored ? 'none' : 'all');
  // A folder that was named is searched, even if rules above hide everything in it.
  if (seen === 0) end = await list('inside');
  const times = new Map<string, number>();
  await inGroups(found, async (below) => {
    times.set(below, await modified(folder, below));
  });
  signal.throwIfAborted();
  const time = (below: string): number => times.get(below) ?? 0;
  const newest = found.sort((a, b) => time(b) - time(a) || (a < b ? -1 : 1));
  return { paths: newest.slice(0, max), total, ...(left > 0 && { withheld: left }), ...end };
}

async function countFiles(
  { engine, withheld }: SearchParts,
  { folder, depth }: { folder: Place; depth: number },
  signal: AbortSignal,
): Promise<Census> {
  signal.throwIfAborted();
  const folders = new Map<string, number>();
  const files = new Set<string>();
  const isWithheld = withheld?.();
  const add = (below: string): void => {
    if (isWithheld?.(`${folder.resolved}/${below}`)) return;
    const names = below.split('/');
    for (let level = 0; level < Math.min(names.length, depth + 1); level++) {
      const parent = names.slice(0, level).join('/');
      folders.set(parent, (folders.get(parent) ?? 0) + 1);
    }
    if (names.length <= depth) files.add(below);
  };
  const end = await (await engine()).list({ path: folder.resolved, rules: 'all' }, add, signal);
  return { folders, files, ...end };
}
