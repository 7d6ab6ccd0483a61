import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { createSurroundings } from '../node/surroundings';
import type { Surroundings } from '../tools/workspace';
import { createEditorFiles } from './files';
import { localFolders } from './local-folders';
import type { SettingsStore } from './settings';

/** What the tools need, in this window: the folders that are open, the rules of the settings, our own programs. */
export function hostSurroundings(
  context: vscode.ExtensionContext,
  settings: SettingsStore,
): Surroundings & Disposable {
  const surroundings = createSurroundings({
    roots: localFolders(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    commandRules: () => ({
      allow: settings.get('approvals.allowCommands'),
      deny: settings.get('approvals.denyCommands'),
    }),
    wasmFolder: vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath,
    ownFolders: [context.globalStorageUri.fsPath],
  });
  return { ...surroundings, files: createEditorFiles(surroundings.files) };
}
