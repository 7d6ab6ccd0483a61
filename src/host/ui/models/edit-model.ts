import * as vscode from 'vscode';
import { noticeText } from '../../../base/text';
import { isNear } from '../../../models/place';
import { withAddress, type ModelProfile } from '../../../models/profiles';
import { readAddress } from '../../../models/servers/local-servers';
import { rootOf } from '../../../models/api-address';
import { findProtocolName } from '../../../protocols/choose';
import { protocolNames } from '../../../protocols/names';
import { onOneLine } from '../../platform/input-text';
import type { Secrets } from '../../platform/secrets';
import type { SettingsStore } from '../../platform/settings';
import { translated } from '../../platform/translated';
import { changeOwnModels } from './own-models';
import type { ModelServers } from '../../services/models/model-servers';

interface EditParts {
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  readonly servers: Pick<ModelServers, 'relearn'>;
}

interface Field extends vscode.QuickPickItem {
  readonly edit: () => PromiseLike<void>;
}

/** Lists the fields of a profile, to be changed one by one until the user leaves. */
export async function editModel(id: string, parts: EditParts): Promise<void> {
  for (;;) {
    const profile = parts.settings.get('models').find((each) => each.id === id);
    if (!profile) return;
    const field = await vscode.window.showQuickPick(await fieldsOf(profile, parts), {
      title: vscode.l10n.t('Edit {0}', onOneLine(profile.name ?? id)),
      placeHolder: vscode.l10n.t('Select what to change. Changes apply immediately. Press Escape to finish.'),
    });
    if (!field) return;
    await field.edit();
  }
}

async function fieldsOf(profile: ModelProfile, parts: EditParts): Promise<readonly Field[]> {
  const { id, name, model, protocol = 'auto', contextWindow, provider } = profile;
  const { baseUrl } = withAddress(profile);
  const hasServer = provider === 'openai' || provider === 'ollama';
  const isKeyStored = baseUrl !== undefined && (await parts.secrets.keyFor(baseUrl)) !== undefined;
  const change = (changes: Partial<ModelProfile>): Promise<void> => changeProfile(id, changes, parts);
  return [
    {
      label: vscode.l10n.t('Name'),
      description: onOneLine(name ?? ''),
      edit: async () => {
        const text = await askText(vscode.l10n.t('Name in the list of models'), name);
        if (text !== undefined) await change({ name: text === '' ? undefined : text });
      },
    },
    {
      label: vscode.l10n.t('Model'),
      description: onOneLine(model ?? ''),
      edit: async () => {
        const text = await askText(vscode.l10n.t('Model name as the server knows it'), model, (typed) =>
          typed === '' ? vscode.l10n.t('Enter a model name.') : undefined,
        );
        if (text !== undefined) await change({ model: text });
      },
    },
    ...(hasServer
      ? [
          {
            label: vscode.l10n.t('Address'),
            description: baseUrl ?? '',
            edit: () => editAddress(profile, change),
          },
        ]
      : []),
    ...(hasServer && baseUrl !== undefined
      ? [
          {
            label: vscode.l10n.t('API key'),
            description: isKeyStored ? vscode.l10n.t('set') : vscode.l10n.t('not set'),
            edit: async () => void (await parts.secrets.askForKey(name ?? id, baseUrl)),
          },
        ]
      : []),
    {
      label: vscode.l10n.t('Protocol'),
      description: translated(findProtocolName(protocol)?.label ?? protocol),
      edit: () => editProtocol(protocol, change),
    },
    {
      label: vscode.l10n.t('Context window'),
      description:
        contextWindow === undefined
          ? vscode.l10n.t('from the server')
          : vscode.l10n.t('{0} tokens', contextWindow.toLocaleString('en')),
      edit: () => editWindow(contextWindow, change),
    },
    {
      label: vscode.l10n.t('Edit as JSON…'),
      detail: vscode.l10n.t('All fields of the profile, in your user settings'),
      edit: () => vscode.commands.executeCommand('parley.openModelSettings'),
    },
  ];
}

type ProfileChange = (changes: Partial<ModelProfile>) => Promise<void>;

async function editAddress(profile: ModelProfile, change: ProfileChange): Promise<void> {
  const { provider, baseUrl } = withAddress(profile);
  const typed = await askText(vscode.l10n.t('A port on this machine, or an address'), baseUrl, (text) =>
    readAddress(text).length > 0
      ? undefined
      : vscode.l10n.t(
          'Enter a port such as 8081, or an address such as 192.168.1.5:8000, without user name or key.',
        ),
  );
  if (typed === undefined || typed === baseUrl) return;
  const [first = ''] = readAddress(typed);
  const changed = provider === 'ollama' ? rootOf(first) : first;
  await change({ baseUrl: changed });
  if (baseUrl === undefined || new URL(changed).origin === new URL(baseUrl).origin || isNear(changed)) return;
  const text = vscode.l10n.t(
    'Each key is stored for one address. Enter the key for {0} to use it there.',
    new URL(changed).origin,
  );
  void vscode.window.showInformationMessage(noticeText(text));
}

async function editProtocol(protocol: string, change: ProfileChange): Promise<void> {
  const auto = { label: vscode.l10n.t('Auto'), id: 'auto', detail: '' };
  const all = protocolNames.map(({ id, label, description }) => ({
    label: translated(label),
    detail: translated(description),
    id,
  }));
  const items = [auto, ...all].map((each) => ({
    ...each,
    description: each.id === protocol ? vscode.l10n.t('current') : '',
  }));
  const item = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Protocol') });
  if (item) await change({ protocol: item.id === 'auto' ? undefined : item.id });
}

async function editWindow(tokens: number | undefined, change: ProfileChange): Promise<void> {
  const typed = await askText(
    vscode.l10n.t("Context window in tokens. Leave empty to use the server's value."),
    tokens?.toString(),
    (text) =>
      /^(?:[1-9]\d{2,8})?$/.test(text)
        ? undefined
        : vscode.l10n.t('Enter a whole number such as 32768, without separators.'),
  );
  if (typed === undefined) return;
  await change({ contextWindow: typed === '' ? undefined : Number(typed) });
}

async function askText(
  prompt: string,
  value: string | undefined,
  check: (text: string) => string | undefined = () => undefined,
): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    prompt,
    value: value ?? '',
    ignoreFocusOut: true,
    validateInput: (text) => check(text.trim()),
  });
  return typed?.trim();
}

/** Fields that are `undefined` are removed. A different name or address may have different server facts. */
async function changeProfile(id: string, changes: Partial<ModelProfile>, parts: EditParts): Promise<void> {
  const isWritten = await changeOwnModels(parts.settings, (profiles) =>
    profiles.map((each) => {
      if (each.id !== id) return each;
      const kept = Object.entries({ ...each, ...changes }).filter(([, value]) => value !== undefined);
      // SAFETY: the changes are profile fields, and required fields are never removed.
      return Object.fromEntries(kept) as typeof each;
    }),
  );
  const changed = parts.settings.get('models').find((each) => each.id === id);
  if (isWritten && changed && ('model' in changes || 'baseUrl' in changes))
    await parts.servers.relearn(changed);
}
