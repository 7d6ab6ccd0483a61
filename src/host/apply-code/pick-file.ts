import * as vscode from 'vscode';
import type { WindowContext } from '../attachments/window-context';

/** A file that may be meant. */
export interface FileChoice {
  /** As the resolver of paths takes it. */
  readonly path: string;
  /** What the user reads. */
  readonly label: string;
  readonly description: string;
}

interface Item extends vscode.QuickPickItem {
  readonly path: string;
}

/**
 * Lets the user choose a file: one that may be meant, best first, any other of the workspace by some letters of its
 * path, or a new one by all of it. Nothing where they would rather not.
 */
export function pickFile(
  choices: readonly FileChoice[],
  context: Pick<WindowContext, 'complete'>,
): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = vscode.l10n.t('Apply this code to which file?');
  pick.placeholder = vscode.l10n.t('Type to find another file, or the path of a new one');
  pick.ignoreFocusOut = true;
  pick.items = choices;
  const search = async (query: string): Promise<void> => {
    const found = query === '' ? [] : await context.complete(query, 'file');
    // Another search has begun.
    if (!found || pick.value.trim() !== query) return;
    const others = found.filter(({ path }) => !choices.some(({ label }) => label === path));
    const isKnown = found.some(({ path }) => path === query) || choices.some(({ label }) => label === query);
    pick.items = [
      ...choices,
      // They fit in a way of their own, which the list need not know.
      ...others.map(({ path }) => ({ path, label: path, alwaysShow: true })),
      ...(query === '' || isKnown || /[\\/]$/.test(query)
        ? []
        : [{ path: query, label: query, description: vscode.l10n.t('New file'), alwaysShow: true }]),
    ];
  };
  return new Promise((resolve, reject) => {
    pick.onDidChangeValue(
      (value) =>
        void search(value.trim()).catch((error: unknown) => {
          reject(error instanceof Error ? error : new Error(String(error)));
          pick.hide();
        }),
    );
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.path);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
