import * as vscode from 'vscode';
import { never } from '../../../base/never';
import type { ModelOrigin, PickerId } from '../../../contract/chat';
import { demoProfile } from '../../../models/profiles';
import type { Choices } from '../../services/choices/choices';

/** Leads a user without a model to one. */
export async function chooseModel(from: ModelOrigin, choices: Pick<Choices, 'pick'>): Promise<void> {
  switch (from) {
    case 'vscode':
      return vscode.commands.executeCommand('parley.selectModel');
    case 'local':
      return vscode.commands.executeCommand('parley.findLocalServers');
    case 'endpoint':
      return vscode.commands.executeCommand('parley.addModel');
    case 'demo':
      return choices.pick('model', demoProfile.id);
    default:
      return never(from);
  }
}

interface ChoiceItem extends vscode.QuickPickItem {
  readonly chosen?: { readonly picker: PickerId; readonly value: string };
}

/** The user picks the model or protocol for the rest of the conversation. `false` if they cancel. */
export async function chooseForRetry(choices: Choices): Promise<boolean> {
  await choices.open('model');
  const items = [
    ...itemsOf('model', vscode.l10n.t('Model'), choices),
    ...itemsOf('protocol', vscode.l10n.t('Protocol'), choices),
  ];
  const title = vscode.l10n.t('Retry with Another Model or Protocol');
  const placeHolder = vscode.l10n.t('Also used for the rest of the conversation.');
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDetail: true });
  if (!picked?.chosen) return false;
  await choices.pick(picked.chosen.picker, picked.chosen.value);
  return true;
}

function itemsOf(picker: 'model' | 'protocol', label: string, { pickers }: Choices): readonly ChoiceItem[] {
  const { value, options } = pickers[picker];
  return [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...options.map((option) => ({
      label: option.label,
      description: option.value === value ? vscode.l10n.t('current') : '',
      detail: option.detail ?? '',
      chosen: { picker, value: option.value },
    })),
  ];
}
