import * as vscode from 'vscode';
import { never } from '../../../base/never';
import { visibleText } from '../../../base/text';
import type { LeftFile } from '../../../core/words/events';
import type { Doubt, PlannedFile, Shelf } from '../../../tools/files/restore-file';
import { shownText } from '../../platform/files/restore-in-editor';
import { resourceAt } from '../../platform/files/virtual-files';
import type { DiffView } from '../../platform/diff-view';
import { translated } from '../../platform/translated';

interface Decided {
  readonly files: readonly PlannedFile[];
  readonly left: readonly LeftFile[];
}

interface FileItem extends vscode.QuickPickItem {
  readonly file: PlannedFile;
}

interface Means {
  readonly shelf: Shelf;
  readonly diffs: DiffView;
}

/**
 * Asks which files to restore among those that others changed or that are protected; all other files are restored in
 * any case. Nothing if the user cancels.
 */
export async function decideOnDoubts(
  files: readonly PlannedFile[],
  means: Means,
): Promise<Decided | undefined> {
  const doubtful = files.filter(({ doubts }) => doubts.length > 0);
  if (doubtful.length === 0) return { files, left: [] };
  const chosen = await choose(doubtful, files.length - doubtful.length, means);
  if (!chosen) return undefined;
  return {
    files: files.filter((file) => file.doubts.length === 0 || chosen.includes(file)),
    left: doubtful
      .filter((file) => !chosen.includes(file))
      .map(({ change, doubts }) => ({
        display: change.display,
        reason: vscode.l10n.t('Not restored, as you chose. {0}', doubtsText(doubts)),
      })),
  };
}

function choose(
  doubtful: readonly PlannedFile[],
  others: number,
  means: Means,
): Promise<readonly PlannedFile[] | undefined> {
  const pick = vscode.window.createQuickPick<FileItem>();
  pick.title = vscode.l10n.t('Select files to restore anyway');
  pick.placeholder =
    others === 0
      ? vscode.l10n.t('Other files are not changed. Press Escape to cancel.')
      : vscode.l10n.t(
          'Other files are not changed; {0} more are restored in any case. Press Escape to cancel.',
          others,
        );
  pick.canSelectMany = true;
  // A user who opens a diff from here still wants to answer.
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  const buttons = [
    { iconPath: new vscode.ThemeIcon('diff'), tooltip: vscode.l10n.t('Show changes that would be lost') },
  ];
  pick.items = doubtful.map((file) => ({
    label: file.change.display,
    detail: doubtsText(file.doubts),
    buttons,
    file,
  }));
  return new Promise((resolve) => {
    pick.onDidTriggerItemButton(({ item }) => void showLoss(item.file, means));
    pick.onDidAccept(() => {
      resolve(pick.selectedItems.map(({ file }) => file));
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** Changes since Parley wrote the file; if unknown, all changes that restoring would make. */
async function showLoss(
  { change, place, present, target }: PlannedFile,
  { shelf, diffs }: Means,
): Promise<void> {
  const left = change.after === undefined ? undefined : await shelf.images.read(change.after);
  const uri = resourceAt(place.resolved);
  const textOf = async (bytes: Uint8Array | undefined): Promise<string> =>
    bytes ? shownText(bytes, uri) : '';
  const now = await textOf(present?.bytes);
  const path = change.display;
  await diffs.compare(
    left
      ? {
          path,
          before: await textOf(left),
          after: now,
          title: vscode.l10n.t('{0} (as Parley left it ↔ now)', path),
          preserveFocus: true,
        }
      : {
          path,
          before: now,
          after: await textOf(target?.bytes),
          title: vscode.l10n.t('{0} (now ↔ restored)', path),
          preserveFocus: true,
        },
  );
}

function doubtsText(doubts: readonly Doubt[]): string {
  return doubts.map(doubtText).join(' ');
}

function doubtText(doubt: Doubt): string {
  switch (doubt.type) {
    case 'changed':
      return vscode.l10n.t('Changed by you or another program after Parley.');
    case 'interrupted':
      return vscode.l10n.t('Parley was interrupted while changing this file.');
    case 'shared':
      return vscode.l10n.t("Changed by you or another program between Parley's changes.");
    case 'protected':
      return vscode.l10n.t('Changes to this file always ask: {0}.', visibleText(translated(doubt.reason)));
    default:
      return never(doubt);
  }
}
