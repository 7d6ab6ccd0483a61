import * as vscode from 'vscode';
import { views } from '../../../manifest/views';
import type { SavedSessions } from '../../services/sessions/saved-sessions';

/** Sessions of this workspace, newest first. A click opens one. Their number is shown once the chat has opened. */
export function registerSessionsTree(
  saved: SavedSessions,
  onChatOpened: vscode.Event<unknown>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<undefined>();
  const tree = vscode.window.createTreeView<vscode.TreeItem>(views.sessions.id, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (item) => (item ? [] : (await saved.load()).items()),
      getTreeItem: (item) => item,
    },
  });
  let isCounted = false;
  const count = async (): Promise<void> => {
    const { length } = await (await saved.load()).items();
    const one = vscode.l10n.t('1 session');
    // A collapsed view shows its title, and no description.
    const some = length === 1 ? one : vscode.l10n.t('{0} sessions', length);
    tree.title = length === 0 ? vscode.l10n.t('Sessions') : some;
  };
  const showCount = (): void => void count().catch((error: unknown) => saved.parts.output.error(error));
  const refresh = (): void => {
    changed.fire(undefined);
    if (isCounted) showCount();
  };
  const opened = onChatOpened(() => {
    isCounted = true;
    showCount();
  });
  // Another window may have written some.
  const focus = vscode.window.onDidChangeWindowState(({ focused }) => focused && refresh());
  return vscode.Disposable.from(changed, tree, opened, focus, saved.onChange(refresh));
}
