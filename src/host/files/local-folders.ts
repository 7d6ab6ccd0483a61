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

/**
 * The folders that tools work on where none is local: those of the first one's file system. A window has one file
 * system for tools, so that a path means one thing.
 */
export function virtualFolders<Folder extends { readonly uri: Pick<Uri, 'scheme' | 'authority'> }>(
  folders: readonly Folder[],
): readonly Folder[] {
  const [first] = folders;
  if (!first || localFolders(folders).length > 0) return [];
  const { scheme, authority } = first.uri;
  return folders.filter(({ uri }) => uri.scheme === scheme && uri.authority === authority);
}

/** The folders that tools work on. */
export function toolFolders<Folder extends { readonly uri: Pick<Uri, 'scheme' | 'authority'> }>(
  folders: readonly Folder[],
): readonly Folder[] {
  return [...localFolders(folders), ...virtualFolders(folders)];
}
