import * as vscode from 'vscode';
import { never } from '../base/never';
import type { Activity } from '../core/activity';
import type { CurrentActivity } from './current-activity';

/** Says in the status bar what a run does, as long as it goes on. A click opens the chat. */
export function registerStatusItem(current: CurrentActivity): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('parley.run', vscode.StatusBarAlignment.Left);
  item.name = 'Parley';
  item.command = 'parley.focusChat';
  const show = (activity: Activity): void => {
    if (activity.type === 'idle') return item.hide();
    const isWaiting = activity.type === 'waiting';
    const text = textOf(activity);
    item.text = `${isWaiting ? '$(bell-dot)' : '$(loading~spin)'} Parley: ${text}`;
    item.tooltip = vscode.l10n.t('Parley: {0}. Click to open the chat.', text);
    item.accessibilityInformation = { label: `Parley: ${text}` };
    item.backgroundColor = isWaiting ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
  };
  show(current.activity);
  return vscode.Disposable.from(item, current.onChange(show));
}

function textOf(activity: Exclude<Activity, { type: 'idle' }>): string {
  switch (activity.type) {
    case 'waiting':
      return activity.calls === 1
        ? vscode.l10n.t('waiting for you')
        : vscode.l10n.t('{0} calls are waiting for you', activity.calls);
    case 'calls': {
      const [first = '', ...others] = activity.names;
      return others.length === 0
        ? vscode.l10n.t('running {0}…', first)
        : vscode.l10n.t('running {0} and {1} more…', first, others.length);
    }
    case 'compacting':
      return vscode.l10n.t('summarizing…');
    case 'reply':
      return vscode.l10n.t('thinking…');
    default:
      return never(activity);
  }
}
