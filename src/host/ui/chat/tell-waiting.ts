import * as vscode from 'vscode';
import { noticeText } from '../../../base/text';
import { waitingCalls } from '../../../core/transcript/activity';
import { showSystemNotice } from '../../../node/processes/system-notice';
import type { Output } from '../../platform/output';
import type { SettingsStore } from '../../platform/settings';
import type { ChatViews } from './chat-views';
import type { Conversation } from '../../services/conversation/conversation';

interface TellWaitingParts {
  readonly conversation: Pick<Conversation, 'session'>;
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly output: Pick<Output, 'info'>;
  readonly views: Pick<ChatViews, 'chime'>;
}

/** Notifies the user of a waiting call as `parley.notifyWhenWaiting` says, with the name of its tool only. */
export async function tellWaiting({
  conversation,
  settings,
  output,
  views,
}: TellWaitingParts): Promise<void> {
  const how = settings.get('notifyWhenWaiting');
  if (how === 'off') return;
  const text = textOf(conversation);
  if (how === 'sound') views.chime();
  // A system notification would appear where the extension host runs, which may be another machine.
  const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  if (how === 'system' && isHere && !vscode.window.state.focused) {
    const problem = await showSystemNotice(text);
    if (problem !== undefined) output.info(problem);
  }
  const show = vscode.l10n.t('Show');
  const answer = await vscode.window.showInformationMessage(text, show);
  if (answer === show) await vscode.commands.executeCommand('parley.focusChat');
}

function textOf({ session }: TellWaitingParts['conversation']): string {
  const [first, ...others] = waitingCalls(session.transcript);
  if (first?.for !== 'approval') return vscode.l10n.t('Parley has a question for you.');
  const name = noticeText(first.name.slice(0, 80));
  return others.length === 0
    ? vscode.l10n.t('Parley is waiting for your approval: {0}', name)
    : vscode.l10n.t('Parley is waiting for your approval: {0} and {1} more', name, others.length);
}
