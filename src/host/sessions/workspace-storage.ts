import { createHash } from 'node:crypto';
import * as vscode from 'vscode';

/** What is kept for this workspace, and not for others: its address, and the name of a folder for it. */
export function workspaceStorage(): { readonly workspace: string; readonly folderName: string } {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const workspace = (workspaceFile ?? workspaceFolders?.[0]?.uri)?.toString() ?? '';
  return { workspace, folderName: createHash('sha256').update(workspace).digest('hex').slice(0, 32) };
}
