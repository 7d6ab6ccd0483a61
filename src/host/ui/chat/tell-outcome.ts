import * as vscode from 'vscode';
import { never } from '../../../base/never';
import { noticeText } from '../../../base/text';
import type { RunOutcome } from '../../../core/words/outcome';
import { translated } from '../../platform/translated';

/** A notification about the end of a run, with a button that opens the chat. */
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
      return 'message' in outcome
        ? noticeText(translated(outcome.message))
        : vscode.l10n.t('Parley answered.');
    case 'aborted':
      return vscode.l10n.t('Parley was stopped.');
    case 'budget':
      return vscode.l10n.t('Parley paused: {0}', noticeText(translated(outcome.message)));
    case 'failed':
      return vscode.l10n.t('Parley stopped with an error: {0}', noticeText(translated(outcome.message)));
    default:
      return never(outcome);
  }
}
