import * as vscode from 'vscode';
import { visibleText } from '../../../base/text';
import { DisposableStore } from '../../../base/disposable';
import { learnedTexts } from '../../../models/learned-texts';
import type { ModelProfile } from '../../../models/profiles';
import type { Choices } from '../../services/choices/choices';
import { editModel } from './edit-model';
import type { ModelServers } from '../../services/models/model-servers';
import { loadWithLargerWindow } from './load-window';
import { removeModel } from './remove-model';
import type { SettingsStore } from '../../platform/settings';
import { translated } from '../../platform/translated';
import { showConnection, type ConnectionParts } from './test-connection';

export interface ModelPickerParts extends ConnectionParts {
  readonly settings: SettingsStore;
  readonly choices: Choices;
  readonly servers: ModelServers;
  /** Opens the lab to find the best protocol of the model. */
  readonly findProtocol: (profile: ModelProfile) => Promise<void>;
}

/** Action of a list item. */
interface ModelItem extends vscode.QuickPickItem {
  readonly model?: string;
  readonly run?: () => PromiseLike<void>;
}

/** Lets the user pick, test, edit, remove or add a model. */
export async function pickModel(parts: ModelPickerParts): Promise<void> {
  const { choices } = parts;
  const store = new DisposableStore();
  const list = store.add(vscode.window.createQuickPick<ModelItem>());
  list.title = vscode.l10n.t('Model');
  list.matchOnDetail = true;
  let shown = '';
  const show = (): void => {
    // New rows would move the one that is about to be clicked.
    const wanted = JSON.stringify(choices.pickers.model);
    if (wanted === shown) return;
    shown = wanted;
    const active = list.activeItems[0]?.label;
    list.items = modelItems(parts);
    list.activeItems = list.items.filter(({ label }) => label === active);
  };
  show();
  store.add(choices.onChange(show));
  const picked = new Promise<(() => PromiseLike<void>) | undefined>((resolve) => {
    store.add(list.onDidAccept(() => resolve(actionOf(list.selectedItems[0], choices))));
    store.add(
      list.onDidTriggerItemButton(({ item, button }) =>
        resolve(() => pressed(button, item.model ?? '', parts)),
      ),
    );
    store.add(list.onDidHide(() => resolve(undefined)));
  });
  list.show();
  list.busy = true;
  void choices.open('model').finally(() => (list.busy = false));
  const action = await picked;
  store.dispose();
  await action?.();
}

function modelItems(parts: ModelPickerParts): readonly ModelItem[] {
  const { value, options } = parts.choices.pickers.model;
  const test: Button = {
    action: 'test',
    iconPath: new vscode.ThemeIcon('debug-disconnect'),
    tooltip: vscode.l10n.t('Test connection'),
  };
  const load: Button = {
    action: 'load',
    iconPath: new vscode.ThemeIcon('expand-all'),
    tooltip: vscode.l10n.t('Load with a larger window…'),
  };
  const find: Button = {
    action: 'find',
    iconPath: new vscode.ThemeIcon('beaker'),
    tooltip: vscode.l10n.t('Find best protocol…'),
  };
  const publish: Button = {
    action: 'publish',
    iconPath: new vscode.ThemeIcon('comment-discussion'),
    tooltip: vscode.l10n.t("Offer to VS Code's chat"),
  };
  const withdraw: Button = {
    action: 'publish',
    iconPath: new vscode.ThemeIcon('check'),
    tooltip: vscode.l10n.t("Stop offering to VS Code's chat"),
  };
  const forget: Button = {
    action: 'forget',
    iconPath: new vscode.ThemeIcon('history'),
    tooltip: vscode.l10n.t('Forget what was learned'),
  };
  const edit: Button = {
    action: 'edit',
    iconPath: new vscode.ThemeIcon('edit'),
    tooltip: vscode.l10n.t('Edit…'),
  };
  const remove: Button = {
    action: 'remove',
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Remove…'),
  };
  const own = parts.settings.get('models');
  const buttonsOf = (id: string): Button[] => {
    const profile = own.find((each) => each.id === id);
    return [
      ...(profile ? [profile.publish === true ? withdraw : publish] : []),
      ...(parts.choices.find(id)?.facts?.canLoad ? [load] : []),
      ...(parts.choices.find(id)?.provider === 'demo' ? [] : [find]),
      ...(learnedOf(id, parts).length > 0 ? [forget] : []),
      test,
      ...(profile ? [edit, remove] : []),
    ];
  };
  return [
    ...options.map((option) => ({
      label: visibleText(option.label),
      description: option.value === value ? vscode.l10n.t('current') : '',
      detail: visibleText(
        [option.detail ?? '', ...learnedOf(option.value, parts)].filter(Boolean).join(' · '),
      ),
      buttons: buttonsOf(option.value),
      model: option.value,
    })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: vscode.l10n.t('Add a model…'),
      detail: vscode.l10n.t('A known server or service, or any address'),
      alwaysShow: true,
      run: () => vscode.commands.executeCommand('parley.addModel'),
    },
    {
      label: vscode.l10n.t('Look for models on this machine'),
      detail: vscode.l10n.t('Find models in Ollama, LM Studio, llama.cpp, vLLM and others'),
      alwaysShow: true,
      run: () => vscode.commands.executeCommand('parley.findLocalServers'),
    },
    {
      label: vscode.l10n.t('Import models…'),
      detail: vscode.l10n.t('From Continue, Cline, Roo Code or VS Code custom endpoints'),
      alwaysShow: true,
      run: () => vscode.commands.executeCommand('parley.importModels'),
    },
  ];
}

/** What requests have taught about a model, in sentences. */
function learnedOf(id: string, { choices, servers }: ModelPickerParts): readonly string[] {
  const profile = choices.find(id);
  return profile ? learnedTexts(servers.facts.of(profile)).map(translated) : [];
}

function actionOf(item: ModelItem | undefined, choices: Choices): (() => PromiseLike<void>) | undefined {
  const model = item?.model;
  return model === undefined ? item?.run : () => choices.pick('model', model);
}

interface Button extends vscode.QuickInputButton {
  readonly action: 'test' | 'load' | 'publish' | 'find' | 'forget' | 'edit' | 'remove';
}

async function pressed(button: vscode.QuickInputButton, id: string, parts: ModelPickerParts): Promise<void> {
  // SAFETY: the rows have no other buttons than these.
  const { action } = button as Button;
  if (action === 'test') return testModel(id, parts);
  if (action === 'publish') return togglePublished(id, parts);
  if (action === 'edit') return editModel(id, parts);
  if (action === 'remove') return removeModel(id, parts);
  const profile = parts.choices.find(id);
  if (!profile) return;
  if (action === 'forget') return parts.servers.facts.forgetLearned(profile);
  if (action === 'find') await parts.findProtocol(profile);
  else await loadWithLargerWindow(profile, parts.servers);
}

/** Publishes the model to other extensions as a VS Code model, or withdraws it. */
async function togglePublished(id: string, { settings }: ModelPickerParts): Promise<void> {
  const all = settings.get('models');
  const isPublished = all.some((profile) => profile.id === id && profile.publish === true);
  const profiles = all.map((profile) => {
    if (profile.id !== id) return profile;
    const { publish: _, ...others } = profile;
    return isPublished ? others : { ...others, publish: true };
  });
  await settings.choose('models', profiles, 'user');
  const name = all.find((profile) => profile.id === id)?.name ?? id;
  const text = isPublished
    ? vscode.l10n.t("{0} is no longer offered to VS Code's chat and other extensions.", name)
    : vscode.l10n.t("{0} is now offered to VS Code's chat and other extensions as a Parley model.", name);
  void vscode.window.showInformationMessage(text);
}

/** Tests the model with this id, or the picked one. */
export async function testModel(id: string | undefined, parts: ModelPickerParts): Promise<void> {
  const profile = parts.choices.find(id ?? parts.choices.modelId);
  if (profile) return showConnection(profile, parts);
  const text = 'There is no model "{0}". Pick another one, or add it to "parley.models" in your settings.';
  void vscode.window.showWarningMessage(vscode.l10n.t(text, id ?? parts.choices.modelId));
}
