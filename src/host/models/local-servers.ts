import * as vscode from 'vscode';
import { visibleText } from '../../base/text';
import { endpoints } from '../../manifest/profile';
import type { SettingValue } from '../../manifest/settings';
import { findLocalServers, type FoundServer, type LocalServer } from '../../models/local-servers';
import type { Choices } from '../chat/choices';
import type { SettingsStore } from '../window/settings';

const servers = endpoints.filter(({ baseUrl }) => new URL(baseUrl).hostname === '127.0.0.1');

interface Parts {
  readonly settings: SettingsStore;
  readonly choices: Choices;
}

type OwnProfile = SettingValue<'models'>[number];

/**
 * Asks the servers that people run on their own machine for their models, on the user's click only, and adds the one
 * that is picked to the user's profiles.
 */
export async function addLocalModel({ settings, choices }: Parts): Promise<void> {
  const found = await lookFor(servers);
  const items = found.flatMap(modelItems);
  if (items.length === 0) return tellNothing(found);
  const item = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Models on this machine'),
    matchOnDetail: true,
  });
  if (!item?.add) return;
  const { server, model } = item.add;
  const profiles = settings.get('models');
  const same = profiles.find((each) => each.baseUrl === server.baseUrl && each.model === model);
  const profile = same ?? newProfile(server, model, profiles);
  if (!same) await settings.addForUser('models', [profile]);
  await choices.pick('model', profile.id);
}

async function lookFor(wanted: readonly LocalServer[]): Promise<readonly FoundServer[]> {
  const title = vscode.l10n.t('Looking for servers on this machine…');
  const options = { location: vscode.ProgressLocation.Notification, title };
  return vscode.window.withProgress(options, async () =>
    findLocalServers(wanted, new AbortController().signal),
  );
}

interface ModelItem extends vscode.QuickPickItem {
  /** Not there on the headings. */
  readonly add?: { readonly server: LocalServer; readonly model: string };
}

function modelItems(server: FoundServer): ModelItem[] {
  if (server.models.length === 0) return [];
  return [
    { label: server.label, kind: vscode.QuickPickItemKind.Separator },
    ...server.models.map((model) => ({
      label: visibleText(model),
      detail: server.baseUrl,
      add: { server, model },
    })),
  ];
}

async function tellNothing([running]: readonly FoundServer[]): Promise<void> {
  const open = vscode.l10n.t('Open Settings');
  const places = servers.map(({ label, baseUrl }) => `${label} ${new URL(baseUrl).port}`).join(', ');
  const text = running
    ? vscode.l10n.t('{0} runs, but has no models. Load one there first.', running.label)
    : vscode.l10n.t(
        'No server answers on 127.0.0.1 ({0}). Start one, or add its address to "parley.models".',
        places,
      );
  if ((await vscode.window.showInformationMessage(text, open)) !== open) return;
  await vscode.commands.executeCommand('workbench.action.openSettings', 'parley.models');
}

function newProfile(server: LocalServer, model: string, profiles: readonly OwnProfile[]): OwnProfile {
  const { label, baseUrl } = server;
  const wanted = `${label}-${model}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  const isFree = (id: string): boolean => profiles.every((each) => each.id !== id);
  let id = wanted;
  for (let number = 2; !isFree(id); number++) id = `${wanted}-${number}`;
  return { id, name: `${visibleText(model)} (${label})`, provider: 'openai', baseUrl, model };
}
