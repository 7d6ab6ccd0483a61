import { limits } from '../../../base/limits';
import { PathFit } from '../../../base/path-fit';
import { visibleText } from '../../../base/text';
import type { PathCompletion } from '../../../contract/chat';
import { writeMention } from '../../../core/mentions';
import { secretNamesOf } from '../../../node/files/agent-ignore-files';
import { pathFileSystem, type PlacesOptions } from '../../../node/files/path-file-system';
import { secretPath } from '../../../policy/paths/secret-files';
import { secretFilter } from '../../../policy/secrets';
import type { Files } from '../../../tools/ports/files';
import type { Search } from '../../../tools/ports/search';

export interface PathQuery {
  readonly query: string;
  readonly only?: 'file' | 'folder' | undefined;
}

interface CompletionPorts extends Pick<PlacesOptions, 'roots' | 'secretNames'> {
  readonly files: Pick<Files, 'resolve'>;
  readonly search: Pick<Search, 'files'>;
}

/** Files and folders of the workspace that match, best first, without ignored and secret ones. */
export async function completePath(
  { query, only }: PathQuery,
  { files, search, roots, secretNames = () => [] }: CompletionPorts,
  signal: AbortSignal,
): Promise<readonly PathCompletion[]> {
  const fit = new PathFit(query);
  const isSecret = secretFilter({
    platform: pathFileSystem.platform,
    added: secretNamesOf({ roots, secretNames }),
  });
  const found: (PathCompletion & { readonly rank: number })[] = [];
  for (const [index, root] of roots.entries()) {
    const folder = await files.resolve(root, 'search');
    if (folder.verdict.decision !== 'auto') continue;
    // Path of a mention: a relative path starts at the first folder.
    const asMention = (below: string): string => (index === 0 ? below : `${folder.resolved}/${below}`);
    const folders = new Map<string, number>();
    const matches = (below: string): boolean => {
      for (let at = below.lastIndexOf('/'); at > 0; at = below.lastIndexOf('/', at - 1)) {
        const parent = below.slice(0, at);
        if (folders.has(parent)) break;
        folders.set(parent, fit.rank(parent));
      }
      return (
        only !== 'folder' &&
        fit.rank(below) < Infinity &&
        !isSecret(secretPath(`${folder.resolved}/${below}`, pathFileSystem))
      );
    };
    const { paths } = await search.files({ folder, matches, max: limits.completionCandidates }, signal);
    for (const below of paths) found.push({ type: 'file', path: asMention(below), rank: fit.rank(below) });
    if (only === 'file') continue;
    for (const [below, rank] of folders) {
      if (rank < Infinity) found.push({ type: 'folder', path: `${asMention(below)}/`, rank });
    }
  }
  return (
    found
      // Sorting keeps the order of equals, which is the newest first.
      .sort((a, b) => a.rank - b.rank)
      .filter((each) => isWritable(each))
      .slice(0, limits.completionItems)
      .map(({ rank: _, ...each }) => each)
  );
}

/** A name with misleading characters, or without a form as a mention, must be typed by hand. */
function isWritable({ type, path: shown }: PathCompletion): boolean {
  return visibleText(shown) === shown && writeMention({ type, path: shown }) !== undefined;
}
