import * as vscode from 'vscode';
import type { SettingsPlace, SettingsStore } from '../settings';

/** Whether what is written into the workspace's settings does not count. */
export function isRestricted(): boolean {
  return !vscode.workspace.isTrusted && (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
}

/** Where a click on a switch is written. In Restricted Mode the user is asked, because in the workspace it would do nothing. */
export async function placeForClick(
  settings: Pick<SettingsStore, 'choicePlace'>,
): Promise<SettingsPlace | undefined> {
  if (!isRestricted()) return settings.choicePlace;
  const user = vscode.l10n.t('Use User Settings');
  const trust = vscode.l10n.t('Manage Workspace Trust');
  const text =
    'Switches are kept in the settings of the workspace, which do not count in Restricted Mode. Trust the workspace, or keep this one in your user settings.';
  const answer = await vscode.window.showWarningMessage(vscode.l10n.t(text), user, trust);
  if (answer === trust) await vscode.commands.executeCommand('workbench.trust.manage');
  return answer === user ? 'user' : undefined;
}
