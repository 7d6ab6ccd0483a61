import * as vscode from 'vscode';
import type { SessionOptions } from '../core/session';
import type { SettingsStore } from './settings';

/** Writes the rules that the user allowed for good into the user's settings, never into those of a workspace. */
export function keepInSettings(
  settings: SettingsStore,
  log: Pick<vscode.LogOutputChannel, 'error'>,
): NonNullable<SessionOptions['keep']> {
  return async ({ rules }) => {
    try {
      await settings.addForUser(
        'approvals.allowCommands',
        rules.map(({ text }) => text),
      );
    } catch (error) {
      // The call itself was approved and runs; only the next one will ask again.
      log.error(error instanceof Error ? error : String(error));
      const text =
        'The rule could not be written to "parley.approvals.allowCommands", so the command will ask again. Look at your user settings.';
      void vscode.window.showWarningMessage(vscode.l10n.t(text));
    }
  };
}
