import * as vscode from 'vscode';
import type { Session } from '../../core/session';

/** Begins what nothing else may go on beside, or says what does. */
export async function unlessBusy(session: Session, begin: () => Promise<unknown>): Promise<void> {
  if (session.isBusy) tellBusy(session);
  else await begin();
}

/** Says what goes on, and what the user can do about it. */
export function tellBusy({ transcript }: Session): void {
  const text = transcript.running
    ? vscode.l10n.t('A run goes on. Stop it first, or wait for its end.')
    : vscode.l10n.t('Files are being put back. Wait for the end of that.');
  // Nobody waits for it to be read.
  void vscode.window.showInformationMessage(text);
}
