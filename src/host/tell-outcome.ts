import * as vscode from 'vscode';
import { never } from '../base/never';
import type { RunOutcome } from '../core/events';
import { noticeText } from './notice-text';
import { translated } from './translated';

/** A notification of how a run has ended, with a way to the chat. */
export async function tellOutcome(outcome: RunOutcome): Promise<void> {
  const show = vscode.l10n.t('Show');
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const notify = outcome.type === 'done' ? showInformationMessage : showWarningMessage;
  if ((await notify(textOf(outcome), show)) === show) {
    await vscode.commands.executeCommand('parley.focusChat');
  }
}

function textOf(outcome: RunOutcome): string {
  switch (outcome.type) {
    case 'done':
      return vscode.l10n.t('Parley has answered.');
    case 'aborted':
      return vscode.l10n.t('Parley was stopped.');
    case 'budget':
      return vscode.l10n.t('Parley has paused: {0}', noticeText(translated(outcome.message)));
    case 'failed':
      return vscode.l10n.t('Parley could not go on: {0}', noticeText(translated(outcome.message)));
    default:
      return never(outcome);
  }
}
