import * as vscode from 'vscode';
import { Emitter } from '../../../base/disposable';
import { never } from '../../../base/never';
import { activityOf, type Activity } from '../../../core/transcript/activity';
import type { AgentEvent } from '../../../core/words/events';
import type { Conversation } from '../../services/conversation/conversation';
import type { BackgroundCommands } from '../../services/tools/background-commands';
import type { Outbox } from '../../services/runs/outbox';

/** Activity of the window's conversation. */
export class CurrentActivity {
  private readonly changes = new Emitter<Activity>();
  private readonly listening: readonly { dispose(): void }[];
  private now: Activity = { type: 'idle' };

  readonly onChange = this.changes.event;

  constructor(conversation: Pick<Conversation, 'session' | 'onEvent' | 'onReplaced'>) {
    const look = (): void => this.set(activityOf(conversation.session.transcript));
    this.listening = [
      conversation.onEvent((event) => {
        if (!isPiece(event)) look();
      }),
      conversation.onReplaced(look),
    ];
  }

  get activity(): Activity {
    return this.now;
  }

  /** Number of calls that wait for the user. */
  get waiting(): number {
    return this.now.type === 'waiting' ? this.now.calls : 0;
  }

  dispose(): void {
    for (const each of this.listening) each.dispose();
    this.changes.dispose();
  }

  private set(activity: Activity): void {
    if (JSON.stringify(activity) === JSON.stringify(this.now)) return;
    this.now = activity;
    this.changes.fire(activity);
  }
}

/** These are frequent and change nothing here. */
function isPiece(event: AgentEvent): boolean {
  if (event.type === 'sub-agent') return isPiece(event.event);
  return ['text', 'reasoning', 'call-delta', 'tool-output'].includes(event.type);
}

/** Shows the activity of a run in the status bar. A click opens the chat. */
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
    case 'summarizing':
      return vscode.l10n.t('summarizing…');
    case 'reply':
      return vscode.l10n.t('thinking…');
    default:
      return never(activity);
  }
}

/** Shows the number of waiting calls as a badge on the chat icon. */
export function registerBadge(view: vscode.WebviewView, current: CurrentActivity): vscode.Disposable {
  const show = (): void => {
    const { waiting: value } = current;
    const tooltip =
      value === 1
        ? vscode.l10n.t('One call is waiting for you')
        : vscode.l10n.t('{0} calls are waiting for you', value);
    // VS Code 1.104 cannot remove a badge: it stays until another number is set, and 0 is drawn as no badge.
    if (value > 0 || view.badge) view.badge = { value, tooltip: value === 0 ? '' : tooltip };
  };
  show();
  return vscode.Disposable.from(current.onChange(show));
}

/** Keeps the context key that enables "Stop" true during a run, or while a message is being sent. */
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

/** Keeps the context key that shows the button for background commands. */
export function registerBackgroundKey(
  background: Pick<BackgroundCommands, 'all' | 'onChange'>,
): vscode.Disposable {
  return background.onChange(() => {
    const isRunning = background.all.length > 0;
    void vscode.commands.executeCommand('setContext', 'parley.backgroundCommands', isRunning);
  });
}
