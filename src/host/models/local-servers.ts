import * as vscode from 'vscode';
import { noticeText, visibleText } from '../../base/text';
import type { SettingValue } from '../../manifest/settings';
import {
  findLocalServers,
  findServer,
  localServers,
  readAddress,
  type FoundServer,
} from '../../models/servers/local-servers';
import { withFacts } from '../../models/profiles';
import type { Choices } from '../chat/choices';
import type { Secrets } from '../window/secrets';
import type { SettingsStore } from '../window/settings';
import { factsText } from './facts-text';
import { transport } from './transport';
import type { KnownServers } from './known-servers';

interface Parts {
  readonly settings: SettingsStore;
  readonly choices: Choices;
  readonly secrets: Secrets;
  readonly servers: KnownServers;
}

type OwnProfile = SettingValue<'models'>[number];

/**
 * Asks the servers that people run on their own machine for their models, on the user's click only, and adds the one
 * that is picked to the user's profiles.
 */
export async function addLocalModel(parts: Parts): Promise<void> {
  const found = await underWay(vscode.l10n.t('Looking for servers on this machine…'), (signal) =>
    findLocalServers(localServers, signal, (baseUrl) => parts.secrets.keyFor(baseUrl)),
  );
  const items = found.flatMap(serverItems);
  if (items.length === 0) return tellNothing(found, parts);
  await pickAndAdd(items, vscode.l10n.t('Models on this machine'), parts);
}

const EXAMPLES = ['8081', 'localhost:8081', '192.168.1.5:8000/v1', 'https://llm.example.com/v1'];

/** Asks where a server is, and adds the model of it that is picked. */
export async function addModelByAddress(parts: Parts): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Where is the server?'),
    prompt: vscode.l10n.t('A port of this machine, or an address. It is asked for its models now.'),
    placeHolder: EXAMPLES.join(' · '),
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || readAddress(text).length > 0
        ? undefined
        : vscode.l10n.t(
            'Enter a port like 8081, or an address like 192.168.1.5:8000, without a user name or key.',
          ),
  });
  if (typed === undefined || typed.trim() === '') return;
  const server = await lookAtAddress(readAddress(typed), parts);
  if (server) await addFrom(server, parts);
}

async function lookAtAddress(
  baseUrls: readonly string[],
  { secrets }: Pick<Parts, 'secrets'>,
): Promise<FoundServer | undefined> {
  const [first = ''] = baseUrls;
  const { host } = new URL(first);
  const server = await underWay(vscode.l10n.t('Looking at {0}…', host), async (signal) => {
    const addresses = baseUrls.map(async (baseUrl) => ({
      baseUrl,
      key: await secrets.keyFor(baseUrl),
      fetch: transport,
    }));
    return findServer(host, await Promise.all(addresses), signal);
  });
  if (server) return server;
  const text = vscode.l10n.t(
    'No server with models answers at {0}. Check that it runs, and that it listens where this machine can reach it.',
    first,
  );
  void vscode.window.showWarningMessage(noticeText(text));
  return undefined;
}

/** Lets the user pick a model of one server; a key that it wants is asked for once. */
async function addFrom(server: FoundServer, parts: Parts): Promise<void> {
  if (server.isLocked) {
    await parts.secrets.askForKey(server.label, server.baseUrl);
    const unlocked = await lookAtAddress([server.baseUrl], parts);
    if (unlocked?.isLocked) {
      const text = vscode.l10n.t('{0} refuses this key. Look up which one it takes.', server.label);
      return void vscode.window.showWarningMessage(noticeText(text));
    }
    if (unlocked) await addFrom({ ...unlocked, label: labelOf(unlocked, server.label) }, parts);
    return;
  }
  const items = serverItems(server);
  if (items.length === 0) return tellNothing([server], parts);
  await pickAndAdd(items, vscode.l10n.t('Models of {0}', server.label), parts);
}

/** Its own name is better than the host's. */
function labelOf({ label, baseUrl }: FoundServer, before: string): string {
  return label === new URL(baseUrl).host ? before : label;
}

async function underWay<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title };
  return vscode.window.withProgress(options, async () => work(new AbortController().signal));
}

interface Item extends vscode.QuickPickItem {
  /** Not there on the headings. */
  readonly server?: FoundServer;
  /** Not there where the server wants a key first. */
  readonly model?: string;
}

function serverItems(server: FoundServer): Item[] {
  const heading = { label: server.label, kind: vscode.QuickPickItemKind.Separator };
  if (server.isLocked) {
    const label = vscode.l10n.t('Enter the key for {0}…', server.label);
    // Jan takes any word where none is set in it.
    return [heading, { label, detail: server.baseUrl, server }];
  }
  if (server.models.length === 0) return [];
  return [
    heading,
    ...server.models.map(({ id, facts }) => ({
      label: visibleText(id),
      detail: [server.baseUrl, factsText(withFacts({ id, provider: 'openai' }, facts))]
        .filter(Boolean)
        .join(' · '),
      server,
      model: id,
    })),
  ];
}

async function pickAndAdd(items: readonly Item[], title: string, parts: Parts): Promise<void> {
  const item = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
  if (!item?.server) return;
  const { server, model } = item;
  if (model === undefined) return addFrom(server, parts);
  const { settings, choices, servers } = parts;
  const profiles = settings.get('models');
  const same = profiles.find((each) => each.baseUrl === server.baseUrl && each.model === model);
  const profile = same ?? newProfile(server, model, profiles);
  if (!same) await settings.addForUser('models', [profile]);
  await servers.ask(profile);
  await choices.pick('model', profile.id);
}

async function tellNothing([running]: readonly FoundServer[], parts: Parts): Promise<void> {
  const enter = vscode.l10n.t('Enter an Address…');
  const places = localServers.map(({ label, baseUrl }) => `${label} ${new URL(baseUrl).port}`).join(', ');
  const text = running
    ? vscode.l10n.t('{0} runs, but has no models. Load one there first.', running.label)
    : vscode.l10n.t('No server answers on 127.0.0.1 ({0}). Start one, or enter where yours is.', places);
  if ((await vscode.window.showInformationMessage(noticeText(text), enter)) === enter)
    await addModelByAddress(parts);
}

function newProfile(server: FoundServer, model: string, profiles: readonly OwnProfile[]): OwnProfile {
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
