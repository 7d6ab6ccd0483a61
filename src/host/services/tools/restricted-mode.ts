import * as vscode from 'vscode';
import type { SettingsTarget, SettingsStore } from '../../platform/settings';

/** Whether workspace settings are ignored. */
export function isRestricted(): boolean {
  return !vscode.workspace.isTrusted && (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
}

/** Target of a click. In Restricted Mode the user is asked, because a workspace setting would have no effect. */
export async function targetForClick(
  settings: Pick<SettingsStore, 'choiceTarget'>,
): Promise<SettingsTarget | undefined> {
  if (!isRestricted()) return settings.choiceTarget;
  const user = vscode.l10n.t('Use User Settings');
  const trust = vscode.l10n.t('Manage Workspace Trust');
  const text =
    'Tool toggles are saved in workspace settings, which are ignored in Restricted Mode. Trust the workspace, or save this one in your user settings.';
  const answer = await vscode.window.showWarningMessage(vscode.l10n.t(text), user, trust);
  if (answer === trust) await vscode.commands.executeCommand('workbench.trust.manage');
  return answer === user ? 'user' : undefined;
}
