import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type * as vscode from 'vscode';
import { NodeSessionFolder } from '../../../sessions/node-folder';
import type { ImageStorage } from './kept-images';
import { workspaceStorage } from '../../platform/workspace-storage';

/** Stores the images of this window in a private folder. A separate bundle, because it needs `node:crypto`. */
export function imageStorage(
  context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'workspaceState'>,
): ImageStorage {
  const folder = new NodeSessionFolder(path.join(context.globalStorageUri.fsPath, 'images'));
  return { folder, window: windowName(context.workspaceState) };
}

/** A workspace has one window; there may be many windows without one. */
function windowName(state: vscode.Memento): string {
  const { workspace, folderName } = workspaceStorage();
  if (workspace !== '') return folderName;
  const known = state.get<string>(NAME);
  const name = known ?? randomUUID().replaceAll('-', '');
  if (known === undefined) void state.update(NAME, name);
  return name;
}

/** Where a window without a workspace keeps its name. */
const NAME = 'window';
