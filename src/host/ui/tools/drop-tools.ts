import * as vscode from 'vscode';
import type { Transcript } from '../../../core/transcript/transcript';
import type { ToolToggles } from '../../services/tools/tool-toggles';

interface ToolItem extends vscode.QuickPickItem {
  readonly tool: string;
}

/** Lets the user turn off tools that did not fit into the last run. */
export async function chooseToolsToDrop({ entries }: Transcript, toggles: ToolToggles): Promise<void> {
  const last = entries.at(-1);
  if (last?.type !== 'outcome' || last.outcome.type !== 'budget' || !last.outcome.dropTools) return;
  const items = last.outcome.dropTools.map(({ tool, tokens }): ToolItem => ({
    label: tool,
    description: vscode.l10n.t('about {0} tokens', tokens),
    tool,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Turn Off Tools'),
    placeHolder: vscode.l10n.t('Selected tools are turned off'),
    canPickMany: true,
  });
  const names = picked?.map(({ tool }) => tool) ?? [];
  if (names.length > 0) await toggles.setTools(names, false);
}
