import * as vscode from 'vscode';
import { onOneLine } from '../../platform/input-text';
import type { DiffView } from '../../platform/diff-view';
import type { BackgroundCommands } from '../../services/tools/background-commands';
import { cleanOutput, excerptOf, shortCommand } from '../../../tools/commands';
import type { StartedCommand } from '../../../tools/ports/processes';

interface RunningItem extends vscode.QuickPickItem {
  readonly started: StartedCommand;
}

/** Lists the background commands with their last lines, and stops one or shows its output. Follows their ends. */
export function showBackgroundCommands(
  commands: Pick<BackgroundCommands, 'all' | 'onChange'>,
  diffs: Pick<DiffView, 'open'>,
): void {
  const list = vscode.window.createQuickPick<RunningItem>();
  list.title = vscode.l10n.t('Background Commands');
  list.placeholder = vscode.l10n.t('Select a command to show its output');
  const output = { iconPath: new vscode.ThemeIcon('output'), tooltip: vscode.l10n.t('Show output') };
  const stop = { iconPath: new vscode.ThemeIcon('debug-stop'), tooltip: vscode.l10n.t('Stop') };
  const update = (): void => {
    list.items = commands.all.map((started) => ({
      label: onOneLine(shortCommand(started.command)),
      detail: onOneLine(lastLine(started)),
      buttons: [output, stop],
      started,
    }));
    if (list.items.length === 0) list.placeholder = vscode.l10n.t('No command runs in the background.');
  };
  const open = (started: StartedCommand): void => {
    list.hide();
    void diffs.open({ path: `${started.logId}.txt`, text: excerptOf(started) });
  };
  const listening = commands.onChange(update);
  list.onDidTriggerItemButton(({ button, item }) => {
    if (button === stop) void item.started.stop();
    else open(item.started);
  });
  list.onDidAccept(() => {
    const [item] = list.selectedItems;
    if (item) open(item.started);
  });
  list.onDidHide(() => {
    listening.dispose();
    list.dispose();
  });
  update();
  list.show();
}

function lastLine({ log }: StartedCommand): string {
  const { head, tail, omitted } = log.excerpt();
  const text = cleanOutput(omitted === 0 ? head + tail : tail);
  return text.trimEnd().split('\n').at(-1) ?? '';
}
