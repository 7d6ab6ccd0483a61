import { createHash } from 'node:crypto';
import { createReadStream, type BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConfiguredServer, NamedFile, StdioDefinition } from './definition';
import { ServerProblem, type McpLimits } from './ports';
import { inputsIn, putIn, type VariableSources } from './variables';

/** A server of the settings must not run in a workspace, which could contain a program of the same name. */
export function programFolder(server: ConfiguredServer, { cwd = '.' }: StdioDefinition): string {
  const base = server.scope === 'workspace' ? server.folder : undefined;
  return path.resolve(base ?? homedir(), putIn(cwd, sourcesOf(server)));
}

export function sourcesOf({ folder }: ConfiguredServer): VariableSources {
  return { folder, env: process.env };
}

type ProgramLimits = Pick<McpLimits, 'mcpProgramBytes' | 'mcpProgramWords'>;

/** Content of programs: the executable, and the files named in a definition. */
export class ProgramFiles {
  /** By path, because reading a program again at every start is too slow. */
  private readonly known = new Map<string, { readonly stamp: string; readonly sha256: string }>();

  constructor(private readonly limits: ProgramLimits) {}

  /** Sorted by path. Missing files are excluded, so that they count once they exist. */
  async of(server: ConfiguredServer, executable: string | undefined): Promise<readonly NamedFile[]> {
    const { definition } = server;
    if (definition.type === 'http' || executable === undefined) return [];
    const paths = [executable, ...(await this.named(server, definition))];
    const files: NamedFile[] = [];
    for (const file of [...new Set(paths)].sort()) {
      const content = await this.contentOf(file);
      if (content !== undefined) files.push({ path: file, sha256: content });
    }
    return files;
  }

  /** Words of the definition that are paths, as the program would find them. */
  private async named(server: ConfiguredServer, definition: StdioDefinition): Promise<readonly string[]> {
    const put = (text: string): readonly string[] => wordsIn(filledIn(text, server));
    const args = definition.args.map(put);
    const words = [...args.flat(), ...Object.values(definition.env).flatMap(put)];
    if (words.length > this.limits.mcpProgramWords)
      throw new ServerProblem('Its definition has too many words to look for files among them. Shorten it.');
    const folder = programFolder(server, definition);
    const folders = [folder];
    const found: string[] = [];
    for (const word of words) {
      const place = path.resolve(folder, word);
      if ((await statsOf(place))?.isDirectory()) folders.push(place);
    }
    const first = args.findIndex(([word]) => word !== undefined && !word.startsWith('-'));
    const main = args[first]?.[0];
    for (const base of new Set(folders.slice(0, MOST_FOLDERS))) {
      // `node server` is `server.js`, or a file in that folder.
      const more = main === undefined ? [] : MAIN_FILES.map((end) => main + end);
      for (const word of [...words, ...more]) {
        const place = path.resolve(base, word);
        const isData = DATA.test(place) && word !== main;
        if (!isData && (await statsOf(place))?.isFile()) found.push(place);
      }
    }
    return found;
  }

  private async contentOf(file: string): Promise<string | undefined> {
    const stats = await statsOf(file);
    if (!stats?.isFile()) return undefined;
    const stamp = stampOf(stats);
    // Changes with every change of the file; a mere touch asks, too.
    if (stats.size > BigInt(this.limits.mcpProgramBytes)) return `not read, ${stamp}`;
    const known = this.known.get(file);
    if (known?.stamp === stamp) return known.sha256;
    const sha256 = await sha256Of(file);
    if (sha256 === undefined) return `not read, ${stamp}`;
    const after = await statsOf(file);
    if (after && stampOf(after) === stamp) this.known.set(file, { stamp, sha256 });
    return sha256;
  }
}

/** Folders among the arguments that may contain other arguments: `uv --directory DIR run server.py`. */
const MOST_FOLDERS = 8;

const MAIN_FILES: readonly string[] = [
  '.js',
  '.cjs',
  '.mjs',
  '.json',
  '.node',
  '/package.json',
  '/index.js',
  '/__main__.py',
];

/** Files that programs write while running would ask at every start. */
const DATA = /\.(?:db|sqlite3?|duckdb|log)$/iu;

/** Nothing if a variable is not known yet: inputs belong to the user, and without the others it does not start. */
function filledIn(text: string, server: ConfiguredServer): string {
  if (!text || inputsIn([text]).length > 0) return '';
  try {
    return putIn(text, sourcesOf(server));
  } catch (error) {
    if (error instanceof ServerProblem) return '';
    throw error;
  }
}

/** An argument, its part after `=`, and the words of a shell line. */
function wordsIn(text: string): readonly string[] {
  const parts = [text, ...text.split(/[\s"'`=;&|()<>]+/u)].filter(
    (word) => word !== '' && !word.includes('\0'),
  );
  return [...new Set(parts)].map((word) => (word.startsWith('file:') ? pathOf(word) : word));
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    // Not an address of a local file, so as a path it leads nowhere.
    return url;
  }
}

/** Nothing if it does not exist or cannot be read. */
async function statsOf(place: string): Promise<BigIntStats | undefined> {
  return stat(place, { bigint: true }).catch(() => undefined);
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join('-');
}

/** In pieces, so that nothing is blocked. Nothing for unreadable files. */
async function sha256Of(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
  return hash.digest('hex');
}
