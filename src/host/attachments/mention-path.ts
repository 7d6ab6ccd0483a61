import path from 'node:path';
import * as vscode from 'vscode';
import { writeMention, type LineRange } from '../../core/mentions';
import { toolFolders } from '../files/local-folders';
import { isIn, pathOf } from '../files/virtual-path';

/** A file, some lines of it, or a folder as a message names it. Nothing for what no message can name. */
export function pathMention(uri: vscode.Uri, type: 'file' | 'folder', lines?: LineRange): string | undefined {
  const named = mentionPath(uri);
  if (named === undefined) return undefined;
  return type === 'folder'
    ? writeMention({ type, path: named === '.' ? named : `${named}/` })
    : writeMention({ type, path: named, ...(lines && { lines }) });
}

/**
 * The path in that: relative to the first folder that tools work on, or whole outside of it. Nothing for what tools do
 * not reach: a window has one file system for them, and one that is not of this machine ends at its folders.
 */
export function mentionPath(
  uri: vscode.Uri,
  opened: readonly Pick<vscode.WorkspaceFolder, 'uri'>[] = vscode.workspace.workspaceFolders ?? [],
): string | undefined {
  const folders = toolFolders(opened).map((folder) => folder.uri);
  const [first] = folders;
  const isReached =
    uri.scheme === 'file'
      ? !first || first.scheme === 'file'
      : folders.some((folder) => isIn(folder, uri) && pathBelow(folder, uri) !== undefined);
  if (!isReached) return undefined;
  return (first && pathBelow(first, uri)) ?? withSlashes(pathOf(uri));
}

/** `.` for the folder itself; nothing for what lies outside of it. */
function pathBelow(folder: vscode.Uri, uri: vscode.Uri): string | undefined {
  const below =
    uri.scheme === 'file'
      ? withSlashes(path.relative(folder.fsPath, uri.fsPath))
      : path.posix.relative(folder.path, uri.path);
  if (below === '..' || below.startsWith('../') || path.isAbsolute(below)) return undefined;
  return below === '' ? '.' : below;
}

/** A backslash parts a path on Windows alone; elsewhere it belongs to a name. */
function withSlashes(name: string): string {
  return name.replaceAll(path.sep, '/');
}
