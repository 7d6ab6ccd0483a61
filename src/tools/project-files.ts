import { limits } from '../base/limits';
import { ToolError } from '../core/words/tool';
import type { Surroundings } from './ports/surroundings';

/** The files of the project that a model may read without asking: no ignored ones, no secrets. */
export interface ProjectFiles {
  /** By path relative to the workspace, the newest of a large project; empty if no folder is open. */
  readonly paths: () => Promise<readonly string[]>;
  /** The text of one of them; nothing if it is not one, no text, or too long to be shown as a whole. */
  readonly textOf: (path: string) => Promise<string | undefined>;
}

export function projectFiles(
  { files, search }: Pick<Surroundings, 'files' | 'search'>,
  signal: AbortSignal,
): ProjectFiles {
  return {
    paths: async () => {
      const folder = await files.resolve('.', 'list').catch(() => undefined);
      if (folder?.verdict.decision !== 'auto') return [];
      const { paths } = await search.files({ folder, matches: () => true, max: limits.projectFiles }, signal);
      const places = await Promise.all(
        paths.map((path) => files.resolve(path, 'read').catch(() => undefined)),
      );
      return places.flatMap((place) => (place?.verdict.decision === 'auto' ? [place.display] : [])).sort();
    },
    textOf: async (path) => {
      try {
        const place = await files.resolve(path, 'read');
        const info = place.verdict.decision === 'auto' ? await files.stat(place) : undefined;
        if (info?.kind !== 'file' || info.size > limits.projectTextBytes) return undefined;
        return (await files.readText(place)).text;
      } catch (error) {
        // It is no text, or gone meanwhile.
        if (error instanceof ToolError) return undefined;
        throw error;
      }
    },
  };
}
