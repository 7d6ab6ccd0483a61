import { closest } from '../../base/closest';
import { limits } from '../../base/limits';
import { visibleName } from '../../base/text';
import { ToolError } from '../../core/words/tool';
import type { FileInfo, Files, Place } from '../ports/files';
import type { Surroundings } from '../ports/surroundings';
import { parseGlob } from './glob';
import { twinOf } from './look-alikes';

type Ports = Pick<Surroundings, 'files' | 'search'>;

/** Returns what is at a place. Throws `ToolError` if nothing is there. */
export async function mustExist(
  place: Place,
  what: 'file' | 'folder' | 'file or folder',
  ports: Ports,
  signal: AbortSignal,
): Promise<FileInfo> {
  const info = await ports.files.stat(place);
  if (info) return info;
  throw await missingPath(place, what, ports, signal);
}

/** The error for a path where nothing exists. Suggests what may have been meant, if looking there needs no approval. */
export async function missingPath(
  place: Place,
  what: 'file' | 'folder' | 'file or folder',
  ports: Ports,
  signal: AbortSignal,
): Promise<ToolError> {
  const nothing = `No ${what} at ${place.display}.`;
  if (place.verdict.decision !== 'auto') return new ToolError(`${nothing} Check the path.`);

  const twin = await twinOf(place, ports.files);
  if (twin) {
    return new ToolError(
      `${nothing} Did you mean ${twin.shown}, whose name looks the same? Then give exactly that name.`,
    );
  }
  const meant = await meantPaths(place, what, ports, signal);
  return new ToolError(
    meant.length > 0
      ? `${nothing} Did you mean ${meant.join(' or ')}?`
      : `${nothing} List the folder with read_folder, or look for it with find_files.`,
  );
}

/** Existing paths that are nearly the same or have the same name, with hidden characters made visible. */
export async function meantPaths(
  place: Place,
  what: 'file' | 'folder' | 'file or folder',
  { files, search }: Ports,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { folder, name } = split(place.display);
  const parent = await files.resolve(folder, 'list');
  if (parent.verdict.decision !== 'auto') return [];
  const exists = (await files.stat(parent))?.kind === 'folder';
  const siblings = exists
    ? (await files.list(parent)).slice(0, limits.listEntries).map((entry) => entry.name)
    : [];
  const near = closest(name, siblings).map((sibling) => (folder === '.' ? sibling : `${folder}/${sibling}`));
  const meant = new Set([...(what !== 'folder' ? await sameName(name) : []), ...near]);
  return [...meant].slice(0, 3).map(visibleName);

  async function sameName(wanted: string): Promise<readonly string[]> {
    const root = await files.resolve('.', 'search');
    if (root.verdict.decision !== 'auto') return [];
    const { matches } = parseGlob(wanted.replace(/[*?[\]{}\\]/g, '?'));
    return (await search.files({ folder: root, matches, max: 3 }, signal)).paths;
  }
}

function split(path: string): { folder: string; name: string } {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return { folder: cut < 0 ? '.' : path.slice(0, cut) || '/', name: path.slice(cut + 1) };
}

type Separated = Pick<Files, 'separator'>;

/** Whether a place is the other one or lies below it. */
export function liesIn(folder: Place, { resolved }: Place, files: Separated): boolean {
  return resolved === folder.resolved || resolved.startsWith(asFolder(folder, files));
}

/** The place of an entry of a folder. */
export function below(folder: Place, name: string, files: Separated): Place {
  return {
    ...folder,
    resolved: asFolder(folder, files) + name,
    display: `${folder.display}/${visibleName(name)}`,
  };
}

/** The last name of a path that a model wrote, with `/` or the separator of the system. */
export function nameOf(path: string, { separator }: Separated): string {
  const names = path.split(separator === '/' ? '/' : /[\\/]/);
  return names.findLast((name) => name !== '') ?? path;
}

/** A drive ends with a separator already. */
function asFolder({ resolved }: Place, { separator }: Separated): string {
  return resolved.endsWith(separator) ? resolved : resolved + separator;
}

/** The path of something below a folder, as a model can use it in the next call. */
export function pathBelow(folder: Place, path: string): string {
  if (path === '') return folder.display;
  return folder.display === '.' ? path : `${folder.display.replace(/\/$/, '')}/${path}`;
}
