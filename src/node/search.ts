import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '../core/tool';
import { limits } from '../policy/limits';
import type {
  Census,
  FileMatches,
  FileQuery,
  Place,
  Search,
  TextMatches,
  TextQuery,
} from '../tools/workspace';
import { inGroups } from './files';
import { searchBase } from './ignore-rules';
import { LineReader } from './line-reader';
import { MatchCollector } from './match-collector';
import { pathFileSystem } from './path-file-system';
import { secretFilter } from './secret-filter';
import { findRipgrep, runRipgrep, type RipgrepEnd } from './ripgrep';

export interface SearchOptions {
  /** The folders of the workspace, absolute. */
  readonly roots: readonly string[];
  /** Absolute path of a ripgrep to use instead of ours. */
  readonly ripgrep?: string | undefined;
  /** File name patterns that the user added to the secret ones. */
  readonly secretNames?: readonly string[];
}

/** Search by ripgrep. */
export function createSearch(options: SearchOptions): Search {
  return {
    files: (query, signal) => findFiles(options, query, signal),
    text: (query, signal) => searchText(options, query, signal),
    census: (folder, depth, signal) => countFiles(options, { folder, depth }, signal),
  };
}

async function searchText(
  options: SearchOptions,
  query: TextQuery,
  signal: AbortSignal,
): Promise<TextMatches> {
  const { place, glob } = query;
  const base = searchBase(place.resolved, await resolvedRoots(options));
  const relative = relativeTo(base.target);
  const isSecret = secretFilter({ platform: pathFileSystem.platform, added: options.secretNames ?? [] });
  const collector = new MatchCollector({
    accepts: (found) => {
      const below = relative(found);
      // The searched file itself was asked about already.
      if (below === '') return true;
      return !isSecret(path.posix.basename(below)) && (glob?.matches(below) ?? true);
    },
    maxPerFile: query.maxPerFile,
    most: limits.searchMatches,
    lineCharacters: limits.searchLineCharacters,
  });
  const lines = new LineReader(limits.searchEventBytes, (line) => collector.add(line));
  const end = await runRipgrep(
    {
      program: findRipgrep(options.ripgrep),
      arguments: [
        '--json',
        '--crlf',
        query.caseSensitive ? '--case-sensitive' : '--ignore-case',
        ...(query.isRegex ? [] : ['--fixed-strings']),
        ...(spansLines(query) ? ['--multiline'] : []),
        ...(query.context > 0 ? ['--context', String(query.context)] : []),
        ...nameFilter(glob?.names ?? []),
        ...base.arguments,
        '--regexp',
        query.query,
        '--',
        base.target,
      ],
      cwd: base.cwd,
      onChunk: (chunk) => lines.push(chunk),
    },
    signal,
  );
  mustHaveRun(end, collector.totalFiles > 0);
  const files = collector.files
    .map((file) => ({ ...file, path: relative(file.path) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const { total, totalFiles } = collector;
  return { files: firstMatches(files, query.max), total, totalFiles, ...cutOf(end) };
}

function spansLines({ query, isRegex }: TextQuery): boolean {
  return query.includes('\n') || (isRegex && query.includes('\\n'));
}

/** Reads fewer files. `--glob` would do it for whole paths, but it also brings back what ignore files hide. */
function nameFilter(names: readonly string[]): string[] {
  return names.length === 0
    ? []
    : [...names.flatMap((name) => ['--type-add', `wanted:${name}`]), '--type', 'wanted'];
}

function mustHaveRun({ code, errors }: RipgrepEnd, found: boolean): void {
  if (code !== 2 || found || errors === '') return;
  const reason = /^(?:rg: )?error: (.*)$/m.exec(errors)?.[1] ?? errors.trim().split('\n').at(-1) ?? '';
  throw new ToolError(
    `The pattern cannot be read: ${reason}. Correct it, or search for the text itself with is_regex=false.`,
  );
}

/** Files keep the lines up to the last match that may be shown. */
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
  options: SearchOptions,
  query: FileQuery,
  signal: AbortSignal,
): Promise<FileMatches> {
  const { folder, matches, max } = query;
  const found: string[] = [];
  let total = 0;
  const end = await listFiles(options, folder, signal, (below) => {
    if (!matches(below)) return;
    total++;
    if (found.length < limits.listEntries) found.push(below);
  });
  const modified = new Map<string, number>();
  await inGroups(found, async (below) => {
    // One that is gone by now counts as oldest.
    const stats = await lstat(path.join(folder.resolved, below)).catch(() => undefined);
    modified.set(below, stats?.mtimeMs ?? 0);
  });
  signal.throwIfAborted();
  const time = (below: string): number => modified.get(below) ?? 0;
  const newest = found.sort((a, b) => time(b) - time(a) || (a < b ? -1 : 1));
  return { paths: newest.slice(0, max), total, ...cutOf(end) };
}

async function countFiles(
  options: SearchOptions,
  { folder, depth }: { folder: Place; depth: number },
  signal: AbortSignal,
): Promise<Census> {
  const folders = new Map<string, number>();
  const files = new Set<string>();
  const end = await listFiles(options, folder, signal, (below) => {
    const names = below.split('/');
    for (let level = 0; level < Math.min(names.length, depth + 1); level++) {
      const parent = names.slice(0, level).join('/');
      folders.set(parent, (folders.get(parent) ?? 0) + 1);
    }
    if (names.length <= depth) files.add(below);
  });
  return { folders, files, ...cutOf(end) };
}

/** Hands out every file under a folder that no ignore file hides, relative to it. */
async function listFiles(
  options: SearchOptions,
  folder: Place,
  signal: AbortSignal,
  onFile: (path: string) => void,
): Promise<RipgrepEnd> {
  const base = searchBase(folder.resolved, await resolvedRoots(options));
  const relative = relativeTo(base.target);
  const lines = new LineReader(limits.pathCharacters * 4, (line) =>
    onFile(relative(toSlashes(line.toString()))),
  );
  return runRipgrep(
    {
      program: findRipgrep(options.ripgrep),
      arguments: ['--files', ...base.arguments, '--', base.target],
      cwd: base.cwd,
      onChunk: (chunk) => lines.push(chunk),
    },
    signal,
  );
}

/** Places are resolved, so their roots must be. One that does not exist holds no place. */
async function resolvedRoots({ roots }: SearchOptions): Promise<string[]> {
  return Promise.all(roots.map((root) => realpath(root).catch(() => root)));
}

/** ripgrep prints paths as it was given the target: `./a`, or `src/a`. */
function relativeTo(target: string): (found: string) => string {
  const prefix = target === '.' ? '' : toSlashes(target);
  return (found) => {
    const bare = toSlashes(found).replace(/^\.\//, '');
    if (bare === prefix) return '';
    return prefix !== '' && bare.startsWith(`${prefix}/`) ? bare.slice(prefix.length + 1) : bare;
  };
}

function toSlashes(file: string): string {
  return path.sep === '\\' ? file.replaceAll('\\', '/') : file;
}

function cutOf({ code }: RipgrepEnd): { cut?: 'time' } {
  return code === undefined ? { cut: 'time' } : {};
}
