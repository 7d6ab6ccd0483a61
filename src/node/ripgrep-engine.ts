import path from 'node:path';
import { limits } from '../policy/limits';
import type { TextQuery } from '../tools/workspace';
import { searchBase } from './ignore-rules';
import { KeptMatches } from './kept-matches';
import { spansLines } from './line-pattern';
import { LineReader } from './line-reader';
import { MatchCollector } from './match-collector';
import { pathFileSystem } from './path-file-system';
import { runRipgrep, type RipgrepEnd } from './ripgrep';
import type { FoundText, SearchEnd, SearchEngine } from './search-engine';
import { secretFilter } from './secret-filter';
import { unreadablePattern } from './unreadable-pattern';

export interface RipgrepOptions {
  /** Absolute path of ripgrep. */
  readonly program: string;
  /** The folders of the workspace, absolute, links resolved. */
  readonly roots: readonly string[];
  readonly secretNames: readonly string[];
}

/** Search by ripgrep. */
export function createRipgrepEngine(options: RipgrepOptions): SearchEngine {
  return {
    list: (folder, onFile, signal) => listFiles(options, folder, onFile, signal),
    text: (query, signal) => searchText(options, query, signal),
  };
}

async function searchText(
  { program, roots, secretNames }: RipgrepOptions,
  query: TextQuery,
  signal: AbortSignal,
): Promise<FoundText> {
  const { place, glob } = query;
  const base = searchBase(place.resolved, roots);
  const relative = relativeTo(base.target);
  const isSecret = secretFilter({ platform: pathFileSystem.platform, added: secretNames });
  const kept = new KeptMatches({
    maxPerFile: query.maxPerFile,
    most: limits.searchMatches,
    lineCharacters: limits.searchLineCharacters,
  });
  const collector = new MatchCollector(kept, (found) => {
    const below = relative(found);
    // The searched file itself was asked about already.
    const isWanted =
      below === '' || (!isSecret(path.posix.basename(below)) && (glob?.matches(below) ?? true));
    return isWanted ? below : undefined;
  });
  const lines = new LineReader(limits.searchEventBytes, (line) => collector.add(line));
  const end = await runRipgrep(
    {
      program,
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
  mustHaveRun(end, kept.totalFiles > 0);
  const { files, total, totalFiles } = kept;
  return { files, total, totalFiles, ...cutOf(end) };
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
  throw unreadablePattern(reason);
}

async function listFiles(
  { program, roots }: RipgrepOptions,
  folder: string,
  onFile: (path: string) => void,
  signal: AbortSignal,
): Promise<SearchEnd> {
  const base = searchBase(folder, roots);
  const relative = relativeTo(base.target);
  const lines = new LineReader(limits.pathCharacters * 4, (line) =>
    onFile(relative(toSlashes(line.toString()))),
  );
  const end = await runRipgrep(
    {
      program,
      arguments: ['--files', ...base.arguments, '--', base.target],
      cwd: base.cwd,
      onChunk: (chunk) => lines.push(chunk),
    },
    signal,
  );
  return cutOf(end);
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

function cutOf({ code }: RipgrepEnd): SearchEnd {
  return code === undefined ? { cut: 'time' } : {};
}
