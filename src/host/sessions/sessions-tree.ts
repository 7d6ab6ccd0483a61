import * as vscode from 'vscode';
import { views } from '../../manifest/views';
import type { SavedSessions } from './saved-sessions';

/** This workspace's sessions, the newest first. A click opens one. */
export function registerSessionsTree(saved: SavedSessions): vscode.Disposable {
  const changed = new vscode.EventEmitter<undefined>();
  const tree = vscode.window.createTreeView<vscode.TreeItem>(views.sessions.id, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (item) => (item ? [] : (await saved.load()).items()),
      getTreeItem: (item) => item,
    },
  });
  const refresh = (): void => changed.fire(undefined);
  // Another window may have written some.
  const focus = vscode.window.onDidChangeWindowState(({ focused }) => focused && refresh());
  return vscode.Disposable.from(changed, tree, focus, saved.onChange(refresh));
}
