import path from 'node:path';
import * as vscode from 'vscode';
import { visibleText } from '../../../base/text';
import { writeMention, type LineRange } from '../../../core/mentions';
import { ToolError } from '../../../core/words/tool';
import type { Files } from '../../../tools/ports/files';
import { toolFolders } from '../../platform/local-folders';
import { isIn, pathOf } from '../../platform/files/virtual-files';

/** Dropped or pasted items as they are inserted into a message. */
export interface DroppedPaths {
  /** Mentions of the items that can be attached. */
  readonly text: string;
  /** A sentence for the user about the others. */
  readonly problem?: string;
}

/** Files and folders of the workspace as mentions. Paths outside are ignored: the user must type them. */
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

/** A page may send anything. */
function parsed(text: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(text, true);
    // The window names files of a remote machine so; for processes there they are local.
    return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
  } catch {
    // Not a URI, so it names no file.
    return undefined;
  }
}

function nameOf(uri: string): string {
  const name = uri.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
  return name === '' ? uri.slice(0, 100) : name.slice(0, 100);
}

/** Mention of a file, some lines of it, or a folder. Nothing if a message cannot name it. */
export function pathMention(uri: vscode.Uri, type: 'file' | 'folder', lines?: LineRange): string | undefined {
  const named = mentionPath(uri);
  if (named === undefined) return undefined;
  return type === 'folder'
    ? writeMention({ type, path: named === '.' ? named : `${named}/` })
    : writeMention({ type, path: named, ...(lines && { lines }) });
}

/**
 * The path in a mention: relative to the first folder of the tools, or absolute outside of it. Nothing for what tools
 * cannot reach: a window has one file system for them, and a virtual one ends at its folders.
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

/** `.` for the folder itself; nothing outside of it. */
function pathBelow(folder: vscode.Uri, uri: vscode.Uri): string | undefined {
  const below =
    uri.scheme === 'file'
      ? withSlashes(path.relative(folder.fsPath, uri.fsPath))
      : path.posix.relative(folder.path, uri.path);
  if (below === '..' || below.startsWith('../') || path.isAbsolute(below)) return undefined;
  return below === '' ? '.' : below;
}

/** A backslash separates paths only on Windows; elsewhere it is part of a name. */
function withSlashes(name: string): string {
  return name.replaceAll(path.sep, '/');
}
