import * as vscode from 'vscode';
import type { SettingValue } from '../../../manifest/settings';
import type { SettingsStore } from '../../platform/settings';

export type OwnProfile = SettingValue<'models'>[number];

/**
 * Changes the profiles in the user's settings. If the current value is invalid, nothing is written, so that nothing
 * is lost, and the user is told. Returns whether it was written.
 */
export async function changeOwnModels(
  settings: SettingsStore,
  change: (profiles: readonly OwnProfile[]) => readonly OwnProfile[],
): Promise<boolean> {
  const problem = settings.problems().find((each) => each.includes('parley.models'));
  if (problem === undefined) {
    await settings.choose('models', [...change(settings.get('models'))], 'user');
    return true;
  }
  const open = vscode.l10n.t('Open Settings');
  void vscode.window.showWarningMessage(problem, open).then(async (answer) => {
    if (answer === open)
      await vscode.commands.executeCommand('workbench.action.openSettings', 'parley.models');
  });
  return false;
}
