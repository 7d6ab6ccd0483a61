import { createHash } from 'node:crypto';
import * as vscode from 'vscode';

/** Where data of this workspace is kept: its key, and the name of its folder. */
export function workspaceStorage(): { readonly workspace: string; readonly folderName: string } {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const workspace = (workspaceFile ?? workspaceFolders?.[0]?.uri)?.toString() ?? '';
  return { workspace, folderName: createHash('sha256').update(workspace).digest('hex').slice(0, 32) };
}
