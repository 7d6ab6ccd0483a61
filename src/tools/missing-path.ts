import { closest } from '../base/closest';
import { visibleText } from '../base/visible-text';
import { ToolError } from '../core/tool';
import { parseGlob } from './glob';
import type { Place, Surroundings } from './workspace';

type Ports = Pick<Surroundings, 'files' | 'search' | 'limits'>;

/** The error for a path with nothing at it: names what may have been meant, where looking there needs no question. */
export async function missingPath(
  place: Place,
  what: 'file' | 'folder' | 'file or folder',
  ports: Ports,
  signal: AbortSignal,
): Promise<ToolError> {
  const nothing = `No ${what} at ${place.display}.`;
  const next = 'List the folder with read_folder, or look for it with find_files.';
  if (place.verdict.decision !== 'auto') return new ToolError(`${nothing} Check the path.`);

  const meant = await meantPaths(place, what, ports, signal);
  return new ToolError(
    meant.length > 0 ? `${nothing} Did you mean ${meant.join(' or ')}?` : `${nothing} ${next}`,
  );
}

/** What is there and has nearly the same path, or the same name; hidden characters drawn. */
export async function meantPaths(
  place: Place,
  what: 'file' | 'folder' | 'file or folder',
  { files, search, limits }: Ports,
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
  return [...meant].slice(0, 3).map(visibleText);

  async function sameName(wanted: string): Promise<readonly string[]> {
    const root = await files.resolve('.', 'search');
    if (root.verdict.decision !== 'auto') return [];
    const { matches } = parseGlob(wanted.replace(/[*?[\]{}\\]/g, '?'), { alternatives: 1 });
    return (await search.files({ folder: root, matches, max: 3 }, signal)).paths;
  }
}

function split(path: string): { folder: string; name: string } {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return { folder: cut < 0 ? '.' : path.slice(0, cut) || '/', name: path.slice(cut + 1) };
}
