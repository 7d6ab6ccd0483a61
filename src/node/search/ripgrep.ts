import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { secretPath } from '../../policy/paths/secret-files';
import { secretFilter, type SecretName } from '../../policy/secrets';
import type { TextQuery } from '../../tools/ports/search';
import { pathFileSystem } from '../files/path-file-system';
import { commandEnvironment, searchPath } from '../processes/environment';
import { startProgram } from '../processes/start-program';
import { searchBase, type AppliedRules, type SearchBase } from './ignore-files';
import { KeptMatches, MatchCollector } from './matches';
import type { FoundText, ListedFolder, SearchEnd, SearchEngine } from './search-engine';

interface RipgrepRun {
  /** Absolute path of the program. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly onChunk: (chunk: Buffer) => void;
}

interface RipgrepEnd {
  /** 0: found something, 1: nothing, 2: an error, perhaps with results; absent if it was ended after the timeout. */
  readonly code?: number;
  readonly errors: string;
}

/**
 * Finds the ripgrep beside our bundle, or on the PATH outside the workspace folders, or in the folder of VS Code's
 * program.
 */
export function findRipgrep({
  roots,
  vsCodeFolder,
}: {
  readonly roots: readonly string[];
  readonly vsCodeFolder?: string | undefined;
}): string | undefined {
  const folders = [
    path.join(__dirname, 'bin'),
    ...searchPath(process.env['PATH'] ?? '', roots).split(path.delimiter),
    ...(vsCodeFolder === undefined ? [] : IN_VSCODE.map((folder) => path.join(vsCodeFolder, folder))),
  ];
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, name))
    .find(isProgram);
}

/** Where VS Code has its ripgrep: newer versions for every platform, older ones for theirs. */
const IN_VSCODE = ['node_modules.asar.unpacked', 'node_modules'].flatMap((modules) => [
  `${modules}/@vscode/ripgrep-universal/bin/${process.platform}-${process.arch}`,
  `${modules}/@vscode/ripgrep/bin`,
]);

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Not there, or not ours to run.
    return false;
  }
}

/** Starts ripgrep and emits its output; ends it after the timeout. */
export async function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<RipgrepEnd> {
  signal.throwIfAborted();
  const child = await startProgram(
    () =>
      spawn(run.program, ['--no-config', '--no-messages', ...run.arguments], {
        cwd: run.cwd,
        env: commandEnvironment(process.env, { roots: [] }),
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      }),
    (cause) =>
      new ToolError(`The search could not start: ${cause.message}. Try again, or use read_folder.`, {
        cause,
      }),
  );
  return new Promise((resolve, reject) => {
    let errors = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, limits.searchTimeoutMs);
    const abort = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    child.stdout.on('data', run.onChunk);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(0, limits.searchErrorCharacters);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(asError(signal.reason));
      else resolve({ errors, ...(!late && { code: code ?? 2 }) });
    });
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('Stopped', { cause: reason });
}

export interface RipgrepOptions {
  /** Absolute path of ripgrep. */
  readonly program: string;
  /** The folders of the workspace, absolute, links resolved. */
  readonly roots: readonly string[];
  readonly secretNames: readonly SecretName[];
}

/** Creates a search engine that uses ripgrep. */
export function createRipgrepEngine(options: RipgrepOptions): SearchEngine {
  return {
    list: (folder, onFile, signal) => listFiles(options, folder, onFile, signal),
    text: (query, signal) =>
      searchText(options, { ...query, rules: query.includeIgnored ? 'none' : 'all' }, signal),
  };
}

export interface RipgrepQuery extends TextQuery {
  readonly rules: AppliedRules;
  /** Only these files, relative to the place, in this encoding. */
  readonly only?: { readonly files: readonly string[]; readonly encoding: string };
}

export async function searchText(
  { program, roots, secretNames }: RipgrepOptions,
  query: RipgrepQuery,
  signal: AbortSignal,
): Promise<FoundText> {
  const { place, glob, only } = query;
  const base = searchBase(place.resolved, roots, query.rules);
  const relative = relativeTo(base.target);
  const isSecret = secretFilter({ platform: pathFileSystem.platform, added: secretNames });
  const kept = new KeptMatches({
    maxPerFile: query.maxPerFile,
    most: limits.searchMatches,
    lineCharacters: limits.searchLineCharacters,
  });
  const collector = new MatchCollector(kept, (found) => {
    const below = relative(found);
    // Access to the searched file itself was checked before.
    const isWanted =
      below === '' ||
      (!isSecret(secretPath(path.join(place.resolved, below), pathFileSystem)) &&
        (glob?.matches(below) ?? true));
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
        ...(only ? ['--encoding', only.encoding] : nameFilter(glob?.names ?? [])),
        ...base.arguments,
        '--regexp',
        query.query,
        '--',
        ...(only?.files.map((file) => (file === '' ? base.target : path.join(base.target, file))) ?? [
          base.target,
        ]),
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

/** Narrows the files to search by name. `--glob` would match whole paths, but it also includes ignored files. */
function nameFilter(names: readonly string[]): string[] {
  return names.length === 0
    ? []
    : [...names.flatMap((name) => ['--type-add', `wanted:${name}`]), '--type', 'wanted'];
}

function spansLines({ query, isRegex }: Pick<TextQuery, 'query' | 'isRegex'>): boolean {
  return query.includes('\n') || (isRegex && query.includes('\\n'));
}

function mustHaveRun({ code, errors }: RipgrepEnd, found: boolean): void {
  if (code !== 2 || found || errors === '') return;
  const reason = /^(?:rg: )?error: (.*)$/m.exec(errors)?.[1] ?? errors.trim().split('\n').at(-1) ?? '';
  throw new ToolError(
    `The pattern cannot be read: ${reason}. Correct it, or search for the text itself with is_regex=false.`,
  );
}

async function listFiles(
  { program, roots }: RipgrepOptions,
  folder: ListedFolder,
  onFile: (path: string) => void,
  signal: AbortSignal,
): Promise<SearchEnd> {
  return listPaths(
    { program, base: searchBase(folder.path, roots, folder.rules) },
    ['--files'],
    onFile,
    signal,
  );
}

interface PathListing {
  readonly program: string;
  readonly base: SearchBase;
}

/** Emits the paths that ripgrep prints with these arguments, relative to the target. */
export async function listPaths(
  { program, base }: PathListing,
  wanted: readonly string[],
  onFile: (path: string) => void,
  signal: AbortSignal,
): Promise<SearchEnd> {
  const relative = relativeTo(base.target);
  // A name may contain a line break.
  const names = new LineReader(
    limits.pathCharacters * 4,
    (name) => onFile(relative(toSlashes(name.toString()))),
    '\0',
  );
  const end = await runRipgrep(
    {
      program,
      arguments: [...wanted, '--null', ...base.arguments, '--', base.target],
      cwd: base.cwd,
      onChunk: (chunk) => names.push(chunk),
    },
    signal,
  );
  return cutOf(end);
}

/** ripgrep prints paths the way the target was given: `./a` or `src/a`. */
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

/** Splits a stream at each `end` and emits the lines; drops lines that are longer than `most` bytes. */
export class LineReader {
  private readonly open: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly most: number,
    private readonly onLine: (line: Buffer) => void,
    private readonly end = '\n',
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(this.end); end >= 0; end = chunk.indexOf(this.end, start)) {
      const part = chunk.subarray(start, end);
      start = end + 1;
      if (this.size === 0) this.onLine(part);
      else {
        this.keep(part);
        const whole = this.size <= this.most;
        const line = whole ? Buffer.concat(this.open) : undefined;
        this.open.length = 0;
        this.size = 0;
        if (line) this.onLine(line);
      }
    }
    if (start < chunk.length) this.keep(chunk.subarray(start));
  }

  private keep(part: Buffer): void {
    this.size += part.length;
    if (this.size <= this.most) this.open.push(part);
    else this.open.length = 0;
  }
}
