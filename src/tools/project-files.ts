import type { Surroundings } from './ports/surroundings';

/** Files to look at; a project with more is told about its newest. */
const LOOKED_AT = 400;

/**
 * The files of the project that a model may read without asking, by path relative to the workspace: no ignored ones, no
 * secrets. Empty if no folder is open.
 */
export async function projectFiles(
  { files, search }: Pick<Surroundings, 'files' | 'search'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const folder = await files.resolve('.', 'list').catch(() => undefined);
  if (folder?.verdict.decision !== 'auto') return [];
  const { paths } = await search.files({ folder, matches: () => true, max: LOOKED_AT }, signal);
  const places = await Promise.all(paths.map((path) => files.resolve(path, 'read').catch(() => undefined)));
  return places.flatMap((place) => (place?.verdict.decision === 'auto' ? [place.display] : [])).sort();
}
