import * as vscode from 'vscode';
import type { Conversation } from './conversation';
import type { Outbox } from './outbox';

/** Keeps the context key that enables "Stop" true while a run goes on, or a message is on its way. */
export function registerRunningKey(
  conversation: Pick<Conversation, 'session' | 'onEvent' | 'onReplaced'>,
  outbox: Pick<Outbox, 'state' | 'onChange'>,
): vscode.Disposable {
  let shown = false;
  const look = (): void => {
    const { running } = conversation.session.transcript;
    const isRunning = running || outbox.state.sending !== undefined;
    if (isRunning === shown) return;
    shown = isRunning;
    void vscode.commands.executeCommand('setContext', 'parley.running', isRunning);
  };
  const listeners = [conversation.onEvent(look), conversation.onReplaced(look), outbox.onChange(look)];
  return vscode.Disposable.from(...listeners);
}
