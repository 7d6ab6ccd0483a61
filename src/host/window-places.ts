import * as vscode from 'vscode';
import { localFolders } from './local-folders';

/** Where files may be read in this window, as the one path resolver wants to know it. */
export function windowPlaces(context: Pick<vscode.ExtensionContext, 'globalStorageUri'>): {
  readonly roots: readonly string[];
  readonly ownFolders: readonly string[];
} {
  return {
    roots: localFolders(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    ownFolders: [context.globalStorageUri.fsPath],
  };
}
