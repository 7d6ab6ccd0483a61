import type { Uri } from 'vscode';

/**
 * Folders that tools may work on. A virtual folder has a path too, but this machine may have something else there.
 */
export function localFolders<Folder extends { readonly uri: Pick<Uri, 'scheme'> }>(
  folders: readonly Folder[],
): readonly Folder[] {
  return folders.filter(({ uri }) => uri.scheme === 'file');
}

/**
 * Folders for tools if none is local: those in the file system of the first one. A window has one file system for
 * tools, so that each path has one meaning.
 */
export function virtualFolders<Folder extends { readonly uri: Pick<Uri, 'scheme' | 'authority'> }>(
  folders: readonly Folder[],
): readonly Folder[] {
  const [first] = folders;
  if (!first || localFolders(folders).length > 0) return [];
  const { scheme, authority } = first.uri;
  return folders.filter(({ uri }) => uri.scheme === scheme && uri.authority === authority);
}

/** Folders that tools work on. */
export function toolFolders<Folder extends { readonly uri: Pick<Uri, 'scheme' | 'authority'> }>(
  folders: readonly Folder[],
): readonly Folder[] {
  return [...localFolders(folders), ...virtualFolders(folders)];
}
