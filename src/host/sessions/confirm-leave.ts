import * as vscode from 'vscode';
import type { Conversation } from '../chat/conversation';

/** Starts a new session, after the user has agreed to stop a run of the one that is shown. */
export async function startNewSession(conversation: Conversation): Promise<void> {
  if (await confirmLeave(conversation)) conversation.startNew();
}

/** Whether another session may take the place of the one that is shown. Asks while a run goes on, which that stops. */
export async function confirmLeave(conversation: Pick<Conversation, 'session'>): Promise<boolean> {
  const { session } = conversation;
  if (!session.transcript.running) return true;
  const yes = vscode.l10n.t('Stop and Leave');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('A run is in progress. Stop it and leave this session?'),
    { modal: true, detail: vscode.l10n.t('What it has done so far stays in this session.') },
    yes,
  );
  // The answer is about the session that was shown when the user was asked.
  return answer === yes && conversation.session === session;
}
