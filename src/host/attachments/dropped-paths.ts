import path from 'node:path';
import * as vscode from 'vscode';
import { visibleText } from '../../base/text';
import { writeMention, type LineRange } from '../../core/mentions';
import { ToolError } from '../../core/words/tool';
import type { Files } from '../../tools/ports/files';
import { toolFolders } from '../files/local-folders';
import { isIn, pathOf } from '../files/virtual-files';

/** What was dropped, or pasted, as it comes into a message. */
export interface DroppedPaths {
  /** The mentions of what can go along. */
  readonly text: string;
  /** One sentence about the others, for people. */
  readonly problem?: string;
}

/** Files and folders of the workspace as mentions. What lies outside is left out: whoever wants it names it by hand. */
export async function mentionsOf(uris: readonly string[], files: Files): Promise<DroppedPaths> {
  const mentions: string[] = [];
  const refused: string[] = [];
  for (const uri of uris) {
    const mention = await mentionOf(uri, files);
    if (mention === undefined) refused.push(nameOf(uri));
    else if (!mentions.includes(mention)) mentions.push(mention);
  }
  const text = mentions.map((mention) => `${mention} `).join('');
  if (refused.length === 0) return { text };
  const problem = vscode.l10n.t(
    'Only files and folders in the workspace become mentions: {0}. For other files, type @file:"/path/to/file".',
    visibleText(refused.slice(0, 3).join(', ')),
  );
  return { text, problem };
}

async function mentionOf(text: string, files: Files): Promise<string | undefined> {
  const uri = parsed(text);
  if (!uri || !vscode.workspace.getWorkspaceFolder(uri)) return undefined;
  try {
    const place = await files.resolve(pathOf(uri), 'list');
    const info = place.verdict.isOutside === true ? undefined : await files.stat(place);
    if (info?.kind !== 'file' && info?.kind !== 'folder') return undefined;
    return pathMention(uri, info.kind);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** What a page says may be anything. */
function parsed(text: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(text, true);
    // The window names the files of a remote machine so; to what runs there they are its own.
    return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
  } catch {
    // It is no address, so it names no file.
    return undefined;
  }
}

function nameOf(uri: string): string {
  const name = uri.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
  return name === '' ? uri.slice(0, 100) : name.slice(0, 100);
}

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
