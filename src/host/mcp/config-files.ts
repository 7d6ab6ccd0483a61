import * as vscode from 'vscode';
import { localFolders } from '../files/local-folders';

/** Where servers are written that belong to a workspace, in each of its folders. */
export const CONFIG_FILE = '.mcp.json';

/** In the order of the folders; they need not be there. */
export function configFiles(): readonly vscode.Uri[] {
  return localFolders(vscode.workspace.workspaceFolders ?? []).map(({ uri }) =>
    vscode.Uri.joinPath(uri, CONFIG_FILE),
  );
}

export async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return false;
    throw error;
  }
}
