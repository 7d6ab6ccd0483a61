import type { Uri } from 'vscode';

/**
 * The folders that tools may work on. A folder of a virtual file system has a path too, but on this machine something
 * else may lie there.
 */
export function localFolders<Folder extends { readonly uri: Pick<Uri, 'scheme'> }>(
  folders: readonly Folder[],
): readonly Folder[] {
  return folders.filter(({ uri }) => uri.scheme === 'file');
}
