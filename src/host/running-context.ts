import * as vscode from 'vscode';
import type { Conversation } from './conversation';

/** Keeps the context key that enables "Stop" true while a run goes on. */
export function registerRunningContext(conversation: Conversation): vscode.Disposable {
  const set = (isRunning: boolean): void => {
    void vscode.commands.executeCommand('setContext', 'parley.running', isRunning);
  };
  const listeners = [
    conversation.onEvent((event) => {
      if (event.type === 'run-start' || event.type === 'run-resume') set(true);
      if (event.type === 'run-end') set(false);
    }),
    conversation.onReplaced(() => set(false)),
  ];
  return vscode.Disposable.from(...listeners);
}
