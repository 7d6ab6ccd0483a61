import { posix } from 'node:path';
import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import { visibleName } from '../../../base/text';
import { ToolError } from '../../../core/words/tool';
import { inGroups, mustStillResolve, staleError } from '../../../node/files/files';
import { imageFile } from '../../../node/files/images';
import type { PlacesOptions } from '../../../node/files/path-file-system';
import { decodeText, encodeText } from '../../../node/files/text-encoding';
import type { FileKind, PathFileSystem } from '../../../policy/paths/path-file-system';
import { judgeMove, judgePath, type JudgedPath, type PathRequest } from '../../../policy/paths/paths';
import type { Entry, FileCount, FileInfo, Files, Place, Snapshot } from '../../../tools/ports/files';
import { byteSize } from '../../../tools/text/amounts';
import type { Resources } from './resources';

/** Its `roots` are the workspace folders in that system, as resource paths. Not empty. */
export interface VirtualFolders extends Pick<PlacesOptions, 'roots' | 'secretNames'> {
  readonly system: VirtualSystem;
}

/** Ignore files for agents are read on this machine only. */
function placesIn({ roots, secretNames }: VirtualFolders): Pick<PathRequest, 'roots' | 'secretNames'> {
  return { roots, ...(secretNames && { secretNames: secretNames() }) };
}

/**
 * Files of virtual folders, through their provider. Nothing outside of these folders is accessible, and nothing
 * behind a link, because no provider reports link targets.
 */
export function createVirtualFiles(folders: VirtualFolders): Files {
  const paths = pathFileSystem(folders);
  const files: Files = {
    resolve: async (asked, use) => {
      const request = { ...placesIn(folders), path: insideOf(folders, asked), use, knowsFolderNames: true };
      return usable(folders, await judgePath(request, paths), asked);
    },
    resolveMove: async (from, to) => {
      const inside = { from: insideOf(folders, from), to: insideOf(folders, to) };
      const request = { ...placesIn(folders), ...inside, knowsFolderNames: true };
      const judged = await judgeMove(request, paths);
      return { from: usable(folders, judged.from, from), to: usable(folders, judged.to, to) };
    },
    stat: (place) => orError(place, () => statOf(place)),
    readText: async (place) => decodeText(await readVirtual(place), place.display),
    readImage: async (place) => {
      const { size = 0 } = (await files.stat(place)) ?? {};
      return size > limits.imageBytes ? undefined : imageFile(await readVirtual(place));
    },
    readLines: (place) => {
      throw new ToolError(
        `${place.display} is larger than ${byteSize(limits.readWholeFileBytes)}, which is not read from a virtual file system. Use another file.`,
      );
    },
    writeText: async (place, text, base) => {
      await mustStillResolve(place, files);
      const before = base === undefined ? undefined : await readVirtual(place);
      const file = before && decodeText(before, place.display);
      if (file?.text !== base) throw staleError(place);
      if (!before && (await files.stat(place))) throw staleError(place);
      const bytes = encodeText(text, file ?? { encoding: 'utf-8', byteOrderMark: false }, place.display);
      await orError(place, async () => vscode.workspace.fs.writeFile(resourceAt(place.resolved), bytes));
      return text;
    },
    list: (place) => orError(place, () => listOf(place)),
    snapshot: (place) => snapshotOf(place),
    put: async (place, content, base) => {
      await mustStillResolve(place, files);
      const present = await snapshotOf(place);
      if (!isSame(present?.bytes, base)) throw staleError(place);
      const uri = resourceAt(place.resolved);
      await orError(place, async () => {
        if (content) await vscode.workspace.fs.writeFile(uri, content.bytes);
        else if (present) await vscode.workspace.fs.delete(uri);
      });
    },
    separator: '/',
    // Providers do not report whether names are case-sensitive.
    isSameEntry: async () => false,
    count: (place, signal) => orError(place, () => countIn(place, signal)),
    move: ({ from, to }) =>
      orError(to, async () =>
        vscode.workspace.fs.rename(resourceAt(from.resolved), resourceAt(to.resolved), { overwrite: false }),
      ),
    remove: (place) =>
      orError(place, async () => vscode.workspace.fs.delete(resourceAt(place.resolved), { recursive: true })),
  };
  return files;
}

/** Tool paths and resource paths are the same there. */
export function virtualResources(system: VirtualSystem): Resources {
  const pathOf = (uri: vscode.Uri): string | undefined =>
    isIn(system, uri) ? virtualPath(system, uri.path) : undefined;
  return {
    separator: '/',
    uriOf: async (place) => resourceAt(place.resolved),
    pathOf,
    resolvedPathOf: async (uri) => pathOf(uri),
    read: readVirtual,
    // A link is refused instead of resolved, before anything is done.
    mustHaveStayed: async () => undefined,
  };
}

/** Paths of other file systems stay unchanged, and are refused as URLs. */
function insideOf({ system }: VirtualFolders, asked: string): string {
  // Paths right below the root may have two slashes.
  return pathInside(system, asked)?.replace(/^\/+/, '/') ?? asked;
}

/** Throws `ToolError` for paths outside of the folders, because their content is unknown. */
function usable(
  { system, roots }: VirtualFolders,
  { verdict, resolved, root, display, isWithoutFolderName }: JudgedPath,
  asked: string,
): Place {
  if (verdict.decision === 'deny' || resolved === undefined || root === undefined) {
    throw new ToolError(
      `${visibleName(asked)} is refused: ${verdict.reason}. Use a path inside the workspace.`,
    );
  }
  const path = virtualPath(system, resolved);
  return {
    resolved: path,
    verdict,
    display: visibleName(root === roots[0] ? display : path),
    ...(isWithoutFolderName && { isWithoutFolderName }),
  };
}

function pathFileSystem({ system, roots }: VirtualFolders): PathFileSystem {
  const uriAt = (path: string): vscode.Uri => vscode.Uri.from({ ...system, path });
  const home = (path: string): string | undefined =>
    roots.find((root) => path === root || path.startsWith(root === '/' ? root : `${root}/`));
  const kind = async (path: string): Promise<FileKind | undefined> => {
    // Paths outside are refused anyway, so the provider is not asked.
    if (home(path) === undefined) return undefined;
    const stat = await unlessMissing(() => vscode.workspace.fs.stat(uriAt(path)));
    return stat && pathKinds[kindOf(stat.type)];
  };
  return {
    platform: 'posix',
    caseSensitive: true,
    hasSpecialFolders: false,
    realpath: async (path) => {
      // The part before `..` may be a link, so it is checked before it is removed.
      let at = '/';
      for (const name of path.split('/').filter((each) => each !== '' && each !== '.')) {
        at = posix.join(at, name);
        if (name === '..' || home(at) === undefined) continue;
        const found = await kind(at);
        if (found === undefined) return undefined;
        if (found === 'link') throw new Error(`The file system does not report where this link leads: ${at}`);
      }
      return at;
    },
    kind,
    readLink: async (path) => {
      throw new Error(`The file system does not report where this link leads: ${path}`);
    },
    entries: async (path) => {
      if (home(path) === undefined) return undefined;
      return (await unlessMissing(() => vscode.workspace.fs.readDirectory(uriAt(path))))?.map(
        ([name, type]) => ({ name, kind: pathKinds[kindOf(type)] }),
      );
    },
  };
}

const pathKinds = { file: 'file', folder: 'directory', link: 'link', other: 'other' } as const;

export function kindOf(type: vscode.FileType): Entry['kind'] {
  if (type & vscode.FileType.SymbolicLink) return 'link';
  if (type & vscode.FileType.Directory) return 'folder';
  return type & vscode.FileType.File ? 'file' : 'other';
}

async function statOf(place: Place): Promise<FileInfo | undefined> {
  const stat = await unlessMissing(() => vscode.workspace.fs.stat(resourceAt(place.resolved)));
  return stat && { kind: kindOf(stat.type), size: stat.size };
}

async function readVirtual(place: Place): Promise<Buffer> {
  return orError(place, async () => {
    const uri = resourceAt(place.resolved);
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if (kindOf(type) !== 'file')
      throw new ToolError(`${place.display} is not a regular file. Give the path of a file.`);
    if (size > limits.readWholeFileBytes)
      throw new ToolError(`${place.display} is too large to be read whole. Read it by range.`);
    const { buffer, byteOffset, byteLength } = await vscode.workspace.fs.readFile(uri);
    return Buffer.from(buffer, byteOffset, byteLength);
  });
}

async function snapshotOf(place: Place): Promise<Snapshot | undefined> {
  const info = await orError(place, () => statOf(place));
  return info && { bytes: await readVirtual(place) };
}

async function listOf(place: Place): Promise<Entry[]> {
  const uri = resourceAt(place.resolved);
  const found = await vscode.workspace.fs.readDirectory(uri);
  const entries = found.map(([name, type]): Entry => ({ name, kind: kindOf(type) }));
  const sizes = new Map<string, number>();
  const files = entries.filter(({ kind }) => kind === 'file').slice(0, limits.listEntries);
  await inGroups(files, async ({ name }) => {
    const stat = await unlessMissing(() => vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, name)));
    if (stat) sizes.set(name, stat.size);
  });
  return entries
    .map((entry) => {
      const size = sizes.get(entry.name);
      return { ...entry, ...(size !== undefined && { size }) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function countIn(place: Place, signal: AbortSignal): Promise<FileCount> {
  const queue = [resourceAt(place.resolved)];
  let files = 0;
  let seen = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const [name, type] of await vscode.workspace.fs.readDirectory(at)) {
      signal.throwIfAborted();
      if (seen === limits.listEntries) return { files, isMore: true };
      seen += 1;
      if (kindOf(type) === 'folder') queue.push(vscode.Uri.joinPath(at, name));
      else files += 1;
    }
  }
  return { files, isMore: false };
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (!one || !other) return one === other;
  return Buffer.from(one).equals(other);
}

export async function unlessMissing<T>(look: () => Thenable<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && MISSING.includes(error.code);
    if (isMissing) return undefined;
    throw error;
  }
}

const MISSING = ['FileNotFound', 'FileNotADirectory'];

/** A provider's error as a sentence. */
async function orError<T>(place: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof vscode.FileSystemError)) throw error;
    const text = TEXTS[error.code] ?? 'its file system does not permit it. Ask the user.';
    throw new ToolError(`${place.display}: ${text}`, { cause: error });
  }
}

const TEXTS: Readonly<Record<string, string>> = {
  FileNotFound: 'nothing is there. List the folder to see what exists.',
  FileNotADirectory: 'a part of the path is a file, not a folder. List the folder to see what exists.',
  FileIsADirectory: 'it is a folder. Give the path of a file.',
  FileExists: 'something is there already. Read it first.',
  Unavailable: 'its file system cannot be reached now. Try again later.',
};

/** A file system that is not on this machine: `memfs:`, `vscode-vfs://github`. */
interface VirtualSystem {
  readonly scheme: string;
  readonly authority: string;
}

/** An absolute path in it for tools and records. Nothing is escaped, and it cannot be mistaken for a local path. */
export function virtualPath({ scheme, authority }: VirtualSystem, path: string): string {
  return `${scheme}://${authority}${path}`;
}

/** The part after scheme and authority; nothing for other paths. */
function pathInside({ scheme, authority }: VirtualSystem, path: string): string | undefined {
  const prefix = virtualPath({ scheme, authority }, '');
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

export function isIn({ scheme, authority }: VirtualSystem, uri: vscode.Uri): boolean {
  return uri.scheme === scheme && uri.authority === authority;
}

/** The path of any resource, local or not. */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : virtualPath(uri, uri.path);
}

/** The resource of an absolute path, local or virtual. */
export function resourceAt(path: string): vscode.Uri {
  const [, scheme, authority = '', inside = ''] = /^([a-z][\w.+-]+):\/\/([^/]*)(\/.*)$/su.exec(path) ?? [];
  return scheme === undefined ? vscode.Uri.file(path) : vscode.Uri.from({ scheme, authority, path: inside });
}
