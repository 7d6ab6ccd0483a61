import path from 'node:path';
import * as vscode from 'vscode';
import { noticeText } from '../../../base/text';
import type { Sandbox } from '../../../node/sandbox/sandbox';
import { translated } from '../../platform/translated';

/** Maximum number of names in a notification. */
const MOST_NAMES = 5;

/** Removes files that sandboxed commands of a killed window left behind, and tells the user. */
export async function tellRecovered(sandbox: Pick<Sandbox, 'recover'>): Promise<void> {
  const reports = await sandbox.recover();
  const removed = reports.flatMap((report) => report.removed);
  const remaining = reports.flatMap((report) => report.remaining);
  const [folder, ...others] = reports.flatMap(({ keptIn }) => keptIn ?? []);
  if (folder !== undefined) void tellRemoved(removed, others.length === 0 ? folder : path.dirname(folder));
  if (remaining.length > 0)
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'A sandboxed command was interrupted and left files that could not be removed: {0}. Check them before you continue.',
        listed(remaining),
      ),
    );
}

async function tellRemoved(removed: readonly string[], folder: string): Promise<void> {
  const open = vscode.l10n.t('Open Folder');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'A sandboxed command was interrupted and left files it may not create: {0}. They were moved to {1}.',
      listed(removed),
      noticeText(folder),
    ),
    open,
  );
  if (answer === open) await openFolder(vscode.Uri.file(folder));
}

/** In the file manager, if it runs on the machine with the folder. */
async function openFolder(folder: vscode.Uri): Promise<void> {
  const isHere = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  if (isHere) await vscode.commands.executeCommand('revealFileInOS', folder);
  else await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
}

/** Whether it does not work, which the user is then told. */
export async function tellBroken(sandbox: Pick<Sandbox, 'status'>): Promise<boolean> {
  const status = await sandbox.status();
  if (status.works) return false;
  void tellReason(status.reason);
  return true;
}

async function tellReason(reason: string): Promise<void> {
  const show = vscode.l10n.t('Sandbox Status');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'The sandbox is on but does not work here. {0} Commands ask as if it were off.',
      noticeText(translated(reason)),
    ),
    show,
  );
  if (answer === show) await vscode.commands.executeCommand('parley.sandboxStatus');
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map(noticeText).join(', ');
  const more = names.length - MOST_NAMES;
  return more > 0 ? vscode.l10n.t('{0} and {1} more', shown, more) : shown;
}
