import type { Stats } from 'node:fs';
import { lstat, opendir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import { visibleName } from '../../base/text';
import { ToolError } from '../../core/words/tool';
import type { PathUse } from '../../core/words/verdict';
import { judgeMove, judgePath, type JudgedPath } from '../../policy/paths/paths';
import type {
  Entry,
  FileCount,
  FileInfo,
  Files,
  ImageFile,
  MovePlaces,
  Place,
  Snapshot,
  TextFile,
} from '../../tools/ports/files';
import { fileLines } from './file-lines';
import { imageFile } from './images';
import { isSpelling, moveEntry } from './move-entry';
import { ignoredFilter } from '../../policy/secrets';
import { secretNamesOf } from './agent-ignore-files';
import { pathFileSystem, placesNow, type PlacesOptions } from './path-file-system';
import { fileError, isOwnRealPath, movedError, readRegularFile } from './regular-file';
import { createFile, removeFile, replaceFile } from './replace-file';
import { decodeText, encodeText } from './text-encoding';

/** The files of this machine. */
export function createFiles(options: PlacesOptions): Files {
  const resolve: Files['resolve'] = (asked, use) => resolvePlace(options, asked, use);
  const resolveMove: Files['resolveMove'] = (from, to) => resolveBoth(options, from, to);
  return {
    resolve,
    resolveMove,
    stat: async (place) => {
      const stats = await statsOf(place);
      return stats && infoOf(stats);
    },
    readText: (place) => readTextFile(place),
    readImage: (place) => readImageFile(place),
    readLines: (place, start, signal) => fileLines(place.resolved, place.display, start, signal),
    writeText: async (place, text, base) => {
      const check = (): Promise<void> => mustStillResolve(place, { resolve });
      try {
        await check();
        await (base === undefined ? create(place, text, check) : replace(place, text, base, check));
      } catch (error) {
        throw fileError(error, place.display);
      }
      return text;
    },
    list: (place) => listFolder(place, options),
    snapshot: (place) => snapshotOf(place),
    put: async (place, content, base) => {
      const check = (): Promise<void> => mustStillResolve(place, { resolve });
      try {
        await check();
        await put(place, content, base, check);
      } catch (error) {
        throw fileError(error, place.display);
      }
    },
    separator: pathFileSystem.platform === 'win32' ? '\\' : '/',
    isSameEntry: (one, other) => isSpelling(one.resolved, other.resolved),
    count: async (place, signal) => {
      try {
        return await countFiles(place.resolved, limits.listEntries, signal);
      } catch (error) {
        throw fileError(error, place.display);
      }
    },
    move: async (places) => {
      const check = (): Promise<void> => mustStillMove(places, { resolveMove });
      try {
        await moveEntry({ from: places.from.resolved, to: places.to.resolved, check });
      } catch (error) {
        throw fileError(error, places.to.display);
      }
    },
    remove: async (place) => {
      await mustStillDelete(place, { resolve });
      try {
        await rm(place.resolved, { recursive: true });
      } catch (error) {
        throw fileError(error, place.display);
      }
    },
  };
}

async function resolvePlace(options: PlacesOptions, asked: string, use: PathUse): Promise<Place> {
  const request = { ...placesNow(options), path: asked, use, knowsFolderNames: true };
  return usable(await judgePath(request, pathFileSystem), asked, options);
}

async function resolveBoth(options: PlacesOptions, from: string, to: string): Promise<MovePlaces> {
  const request = { ...placesNow(options), from, to, knowsFolderNames: true };
  const judged = await judgeMove(request, pathFileSystem);
  return { from: usable(judged.from, from, options), to: usable(judged.to, to, options) };
}

/** Throws `ToolError` if the verdict is `deny`. */
function usable(
  { verdict, resolved, root, display, isWithoutFolderName }: JudgedPath,
  asked: string,
  options: PlacesOptions,
): Place {
  if (verdict.decision === 'deny' || resolved === undefined) {
    throw new ToolError(
      `${visibleName(asked)} is refused: ${verdict.reason}. Use a path inside the workspace.`,
    );
  }
  // A relative path would start at the first folder of the workspace.
  const shown = root === undefined || root === options.roots[0] ? display : resolved;
  return {
    resolved,
    verdict,
    display: visibleName(shown),
    ...(isWithoutFolderName && { isWithoutFolderName }),
  };
}

/** Check and use must refer to the same object: a path that now leads elsewhere is refused. */
export async function mustStillResolve(place: Place, files: Pick<Files, 'resolve'>): Promise<void> {
  const now = await files.resolve(place.resolved, 'write');
  if (now.resolved === place.resolved) return;
  throw movedError(place.display);
}

/** Like `mustStillResolve`; also refuses what has become protected meanwhile, because it was not approved. */
export async function mustStillDelete(place: Place, files: Pick<Files, 'resolve'>): Promise<void> {
  if (!isAsJudged(await files.resolve(place.resolved, 'delete'), place)) throw movedError(place.display);
}

export async function mustStillMove(places: MovePlaces, files: Pick<Files, 'resolveMove'>): Promise<void> {
  const now = await files.resolveMove(places.from.resolved, places.to.resolved);
  for (const end of ['from', 'to'] as const) {
    if (!isAsJudged(now[end], places[end])) throw movedError(places[end].display);
  }
}

function isAsJudged(now: Place, then: Place): boolean {
  return (
    now.resolved === then.resolved &&
    (now.verdict.decision === then.verdict.decision || then.verdict.decision === 'ask')
  );
}

async function readTextFile(place: Place): Promise<TextFile> {
  const { bytes } = await readRegularFile(place.resolved, wholeFile(place));
  return decodeText(bytes, place.display);
}

async function readImageFile(place: Place): Promise<ImageFile | undefined> {
  const size = (await statsOf(place))?.size ?? 0;
  if (size > limits.imageBytes) return undefined;
  const { bytes } = await readRegularFile(place.resolved, { name: place.display, most: limits.imageBytes });
  return imageFile(bytes);
}

export function staleError(place: Place): ToolError {
  return new ToolError(
    `${place.display} has changed in the meantime, so nothing was written. Read it again.`,
  );
}

async function create(place: Place, text: string, check: () => Promise<void>): Promise<void> {
  const bytes = encodeText(text, { encoding: 'utf-8', byteOrderMark: false }, place.display);
  await createFile({ path: place.resolved, bytes, check });
}

async function replace(place: Place, text: string, base: string, check: () => Promise<void>): Promise<void> {
  const { bytes, stats } = await readRegularFile(place.resolved, wholeFile(place));
  const file = decodeText(bytes, place.display);
  if (file.text !== base) throw staleError(place);
  await replaceFile({
    path: place.resolved,
    bytes: encodeText(text, file, place.display),
    before: bytes,
    stats,
    check,
  });
}

async function snapshotOf(place: Place): Promise<Snapshot | undefined> {
  if (!(await statsOf(place))) return undefined;
  const { bytes, stats } = await readRegularFile(place.resolved, wholeFile(place));
  return { bytes, mode: stats.mode & 0o777 };
}

async function put(
  place: Place,
  content: Snapshot | undefined,
  base: Uint8Array | undefined,
  check: () => Promise<void>,
): Promise<void> {
  const target = { path: place.resolved, check };
  const bytes = content && Buffer.from(content.bytes);
  if (base === undefined) {
    if (bytes)
      return createFile({ ...target, bytes, ...(content.mode !== undefined && { mode: content.mode }) });
    if (await statsOf(place)) throw staleError(place);
    return;
  }
  const { bytes: before, stats } = await readRegularFile(place.resolved, wholeFile(place));
  if (!before.equals(base)) throw staleError(place);
  if (bytes) await replaceFile({ ...target, bytes, before, stats });
  else await removeFile({ ...target, stats });
}

function wholeFile({ display }: Place): { readonly name: string; readonly most: number } {
  return { name: display, most: limits.readWholeFileBytes };
}

async function listFolder(place: Place, options: PlacesOptions): Promise<Entry[]> {
  const isIgnored = ignoredFilter({ platform: pathFileSystem.platform, added: secretNamesOf(options) });
  const entries = await readdir(place.resolved, { withFileTypes: true }).catch((error: unknown) => {
    throw fileError(error, place.display);
  });
  if (!(await isOwnRealPath(place.resolved))) throw movedError(place.display);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const sizes = new Map<string, number>();
  const files = entries.filter((entry) => entry.isFile()).slice(0, limits.listEntries);
  await inGroups(files, async ({ name }) => {
    const stats = await lstat(path.join(place.resolved, name)).catch(() => undefined);
    // Deleted since the folder was read: list it without a size.
    if (stats?.isFile()) sizes.set(name, stats.size);
  });
  return entries.map((entry) => {
    const kind = kindOf(entry);
    const size = sizes.get(entry.name);
    const at = path.join(place.resolved, entry.name);
    const isWithheld = isIgnored(kind === 'folder' ? `${at}/` : at);
    return {
      ...{ name: entry.name, kind },
      ...(size !== undefined && { size }),
      ...(isWithheld && { isWithheld }),
    };
  });
}

/** In batches: neither one by one nor all at once. */
export async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += 64) {
    await Promise.all(items.slice(start, start + 64).map(work));
  }
}

async function statsOf(place: Place): Promise<Stats | undefined> {
  try {
    return await lstat(place.resolved);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw fileError(error, place.display);
  }
}

function infoOf(stats: Stats): FileInfo {
  return { kind: kindOf(stats), size: stats.size };
}

type Kinds = Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

function kindOf(stats: Kinds): Entry['kind'] {
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}

/** Everything below a folder except folders, including hidden and ignored files. Links are not followed. */
async function countFiles(folder: string, most: number, signal: AbortSignal): Promise<FileCount> {
  const queue = [folder];
  let files = 0;
  let seen = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for await (const entry of await opendir(at)) {
      signal.throwIfAborted();
      if (seen === most) return { files, isMore: true };
      seen += 1;
      if (entry.isDirectory()) queue.push(path.join(at, entry.name));
      else files += 1;
    }
  }
  return { files, isMore: false };
}
