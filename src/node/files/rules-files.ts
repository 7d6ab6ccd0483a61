import { basename, dirname, join, relative, sep } from 'node:path';
import { limits } from '../../base/limits';
import { visibleText } from '../../base/text';
import type { RulesFile } from '../../core/run/instructions';
import type { GivenRules } from '../../core/words/messages';
import { ToolError } from '../../core/words/tool';
import { judgePath } from '../../policy/paths/paths';
import { byteSize, utf8Length } from '../../tools/text/amounts';
import { rememberImports } from './imported-rules';
import { isWithin, pathFileSystem, placesNow, type PlacesOptions } from './path-file-system';
import { openRegularFile } from './regular-file';
import { detectEncoding, firstBytes } from './text-encoding';

/** The first of these that a folder of the workspace has counts; an empty one counts as absent. */
export const rulesNames = [
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
] as const;

interface RulesOptions extends PlacesOptions {
  /** Asked each time; nothing is read from an untrusted workspace. */
  readonly isTrusted: () => boolean;
}

export interface FoundRules {
  readonly files: readonly RulesFile[];
  /** Files that exist but cannot be used. */
  readonly ignored: readonly IgnoredRules[];
}

export interface IgnoredRules {
  readonly name: string;
  /** The name of the folder of the workspace. */
  readonly folder: string;
  /** A clause. */
  readonly problem: string;
}

/** Reads the project's instructions for agents again. The same files give the same texts. */
export async function findRules(options: RulesOptions): Promise<FoundRules> {
  if (!options.isTrusted()) return { files: [], ignored: [] };
  const files: RulesFile[] = [];
  const ignored: IgnoredRules[] = [];
  let left: number = limits.instructionsBytes;
  for (const root of options.roots) {
    for (const name of rulesNames) {
      const read = await readRules(root, name, left, options);
      if (read === undefined) continue;
      if ('problem' in read) {
        ignored.push({ name, folder: basename(root), problem: read.problem });
        continue;
      }
      files.push(read);
      left -= utf8Length(read.text);
      break;
    }
  }
  return { files, ignored };
}

/** Of a folder below one of the workspace: only what agents agree on. */
const folderRulesNames = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const;

/** Folders on the way to a place that are looked at, from the place on. */
const MOST_FOLDERS = 8;
/** Places of one call. */
const MOST_PLACES = 20;

/** Third-party code: it does not speak for the project. */
const FOREIGN = /^(?:node_modules|bower_components|vendor|site-packages|venv|\..*)$/;

interface FolderRulesOptions extends RulesOptions {
  /** Characters that the rules of the folders of the workspace take. */
  readonly taken: number;
}

/**
 * The rules of the folders between the workspace folders and these places, outermost first, without the workspace
 * folders' own rules.
 */
export async function findFolderRules(
  places: readonly string[],
  given: () => readonly GivenRules[],
  { taken, ...options }: FolderRulesOptions,
): Promise<readonly RulesFile[]> {
  if (!options.isTrusted()) return [];
  const there: { readonly root: string; readonly names: readonly string[] }[] = [];
  for (const { root, below } of await foldersTo(places, options)) {
    const names = await namesIn(root, below);
    if (names.length > 0) there.push({ root, names });
  }
  if (there.length === 0) return [];
  const known = given();
  let left = known.reduce((rest, { characters }) => rest - characters, limits.instructionsBytes - taken);
  const files: RulesFile[] = [];
  for (const { root, names } of there) {
    if (names.some((name) => known.some(({ file }) => file === `${basename(root)}/${name}`))) continue;
    for (const name of names) {
      const read = await readRules(root, name, left, options);
      if (read === undefined || 'problem' in read) continue;
      files.push(read);
      left -= utf8Length(read.text);
      break;
    }
  }
  return files;
}

interface FolderBelow {
  /** A folder of the workspace. */
  readonly root: string;
  /** The names on the way from there. */
  readonly below: readonly string[];
}

async function foldersTo(places: readonly string[], options: RulesOptions): Promise<readonly FolderBelow[]> {
  const found = new Map<string, FolderBelow>();
  for (const place of places.slice(0, MOST_PLACES)) {
    const request = { ...placesNow(options), path: place, use: 'read' } as const;
    const { resolved } = await judgePath(request, pathFileSystem).catch(() => ({ resolved: undefined }));
    if (resolved === undefined) continue;
    const isFolder = (await pathFileSystem.kind(resolved).catch(() => undefined)) === 'directory';
    const folder = isFolder ? resolved : dirname(resolved);
    for (const root of options.roots) {
      const real = await pathFileSystem.realpath(root).catch(() => undefined);
      if (real === undefined || !isWithin(folder, real)) continue;
      const names = relative(real, folder).split(sep).filter(Boolean);
      if (names.some((name) => FOREIGN.test(name))) continue;
      for (let depth = Math.max(1, names.length - MOST_FOLDERS + 1); depth <= names.length; depth++) {
        const below = names.slice(0, depth);
        found.set([root, ...below].join('/'), { root, below });
      }
    }
  }
  return [...found.values()];
}

/** The rules files that a folder has, by their paths below the folder of the workspace. */
async function namesIn(root: string, below: readonly string[]): Promise<readonly string[]> {
  const there: string[] = [];
  for (const name of folderRulesNames) {
    const path = [...below, name].join('/');
    const kind = await pathFileSystem.kind(join(root, ...below, name)).catch(() => undefined);
    if (kind !== undefined) there.push(path);
  }
  return there;
}

/** Nothing if there is no file. */
async function readRules(
  root: string,
  name: string,
  left: number,
  options: RulesOptions,
): Promise<RulesFile | { readonly problem: string } | undefined> {
  const request = { ...placesNow(options), roots: [root], path: name, use: 'read' } as const;
  const { verdict, resolved } = await judgePath(request, pathFileSystem);
  if (resolved === undefined) return { problem: verdict.reason };
  const kind = await pathFileSystem.kind(resolved).catch(() => 'other');
  if (kind === undefined) return undefined;
  // A link may lead to another file of this folder, but not out of it and to no secret.
  if (verdict.decision !== 'auto') return { problem: verdict.reason };
  const most = Math.min(limits.instructionFileBytes, left);
  if (most < limits.rulesLeastBytes)
    return { problem: `the rules of the other folders take up all ${inAll()}` };
  try {
    const { text: own, size } = await readRulesText(root, resolved, name, options);
    const shown = visibleText(own).trim();
    const cut = size > limits.instructionFileBytes || utf8Length(shown) > most;
    // An empty file must not hide one with content.
    if (!cut && shown === '') return undefined;
    if (!cut) return { name, folder: basename(root), text: shown };
    const note = `[Cut: ${name} has ${byteSize(size)}; at most ${byteSize(limits.instructionFileBytes)} of a file and ${inAll()} of all are given. Read the file for the rest.]`;
    const kept = firstBytes(shown, most - utf8Length(note) - 1);
    return { name, folder: basename(root), text: `${kept}\n${note}`, isCut: true };
  } catch (error) {
    if (error instanceof TypeError || error instanceof ToolError || isSystemError(error))
      return { problem: 'it cannot be read as text' };
    throw error;
  }
}

/** Rules files by the last part of their paths, as another one may consist of. */
const RULES_NAME = /^(?:agents|claude|gemini|copilot-instructions)\.md$|^\.cursorrules$/i;

/** The text of a rules file, of the one that it consists of, and of those that it imports. */
async function readRulesText(
  root: string,
  resolved: string,
  name: string,
  options: RulesOptions,
): Promise<{ text: string; size: number }> {
  const read = await readHead(resolved, name);
  // Windows makes such a file of a link.
  const only = read.text.trim();
  const isLink = !/\s/.test(only) && RULES_NAME.test(only.split(/[\\/]/).at(-1) ?? '');
  const other = isLink ? await importedFile(root, name, only, options) : undefined;
  const { text, size } = other ? await readHead(other, only) : read;
  const parts: string[] = [text];
  const imports: string[] = [];
  for (const path of importsIn(text)) {
    const file = await importedFile(root, name, path, options);
    if (file === undefined || file === resolved || file === other || imports.includes(file)) continue;
    const imported = await readHead(file, path).catch((error: unknown) => {
      if (error instanceof TypeError || error instanceof ToolError || isSystemError(error)) return undefined;
      throw error;
    });
    if (!imported) continue;
    imports.push(file);
    parts.push(`[Imported by ${name}: ${path}]\n${imported.text}`);
  }
  rememberImports(root, name, other === undefined ? imports : [other, ...imports]);
  return { text: parts.join('\n\n'), size };
}

/** The file of the workspace folder to which a path leads from a rules file; nothing if it may not be read. */
async function importedFile(
  root: string,
  name: string,
  path: string,
  options: RulesOptions,
): Promise<string | undefined> {
  const { verdict, resolved } = await judgePath(
    { ...placesNow(options), roots: [root], cwd: join(root, dirname(name)), path, use: 'read' },
    pathFileSystem,
  );
  if (verdict.decision !== 'auto' || resolved === undefined) return undefined;
  const kind = await pathFileSystem.kind(resolved).catch(() => undefined);
  return kind === 'file' ? resolved : undefined;
}

/** The paths behind `@` in a text, but for code. */
function importsIn(text: string): readonly string[] {
  const prose = text.replace(/^ {0,3}(```|~~~)[^]*?(?:^ {0,3}\1|$(?![^]))/gm, '').replace(/`[^`\n]*`/g, '');
  const found = [...prose.matchAll(/(?<=^|[\s(])@([^\s@`()]+)/g)].map(([, path = '']) =>
    path.replace(/[.,;:!?]+$/, ''),
  );
  return [...new Set(found)].filter((path) => path !== '').slice(0, MOST_IMPORTS);
}

/** Of one rules file. */
const MOST_IMPORTS = 20;

function inAll(): string {
  return byteSize(limits.instructionsBytes);
}

/** As much of a file as may be used. Throws `TypeError` if it is not text. */
async function readHead(path: string, name: string): Promise<{ text: string; size: number }> {
  const { handle, stats } = await openRegularFile(path, name);
  try {
    const buffer = Buffer.alloc(Math.min(stats.size, limits.instructionFileBytes));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const { encoding } = detectEncoding(bytes);
    if (encoding === 'utf-8' && bytes.includes(0)) throw new TypeError('binary');
    // `stream` drops a character that the cut has split.
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: stats.size > bytesRead });
    return { text, size: stats.size };
  } finally {
    await handle.close();
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
