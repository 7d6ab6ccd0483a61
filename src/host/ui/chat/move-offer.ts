import * as vscode from 'vscode';
import { views } from '../../../manifest/views';
import type { Conversation } from '../../services/conversation/conversation';

/** Storage key: the user was asked. */
const OFFERED = 'moveOffered';

/** First version of VS Code that keeps the secondary side bar open and puts chats there. */
const SINCE = [1, 106] as const;

/** Opens VS Code's dialog to move the chat: an extension cannot move a view itself. */
export async function moveChat(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.moveFocusedView', views.chat.id);
}

/** Offers the secondary side bar once, after the first successful run. */
export function offerMove(
  conversation: Pick<Conversation, 'onEvent'>,
  memory: vscode.Memento,
): vscode.Disposable {
  if (!isNewEnough(vscode.version) || memory.get(OFFERED) === true) return vscode.Disposable.from();
  const listening = conversation.onEvent((event) => {
    if (event.type !== 'run-end' || event.outcome.type !== 'done') return;
    listening.dispose();
    void ask(memory);
  });
  return listening;
}

async function ask(memory: vscode.Memento): Promise<void> {
  await memory.update(OFFERED, true);
  const move = vscode.l10n.t('Move…');
  const text =
    'Move the chat to the secondary side bar? Select "New Secondary Side Bar Entry" in the next list.';
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(text),
    move,
    vscode.l10n.t('Not Now'),
  );
  if (answer === move) await moveChat();
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > SINCE[0] || (major === SINCE[0] && minor >= SINCE[1]);
}
