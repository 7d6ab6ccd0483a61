import * as vscode from 'vscode';
import { profileSecrets, type ModelProfile } from '../../../models/profiles';
import type { Secrets } from '../../platform/secrets';
import type { Choices } from '../../services/choices/choices';

export async function openModelSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'parley.models');
}

/** Asks for the key of the picked model, or for a secret that its headers name. */
export async function setApiKey(choices: Choices, secrets: Secrets): Promise<void> {
  const { profile } = choices;
  if (profile?.baseUrl !== undefined) return setSecret(profile, profile.baseUrl, secrets);
  const open = vscode.l10n.t('Open Settings');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'This model needs no key. Pick a model with an address first, or add one to "parley.models".',
    ),
    open,
  );
  if (answer === open) await openModelSettings();
}

/** The key of the profile, or one of the secrets named in its headers. */
async function setSecret(profile: ModelProfile, baseUrl: string, secrets: Secrets): Promise<void> {
  const title = profile.name ?? profile.id;
  const names = profileSecrets(profile);
  if (names.length === 0) {
    await secrets.askForKey(title, baseUrl);
    return;
  }
  const state = (secret: string | undefined): string =>
    secret === undefined ? vscode.l10n.t('not set') : vscode.l10n.t('set');
  const key = { label: vscode.l10n.t('API key'), description: state(await secrets.keyFor(baseUrl)) };
  const named = await Promise.all(
    names.map(async (name) => ({
      label: name,
      description: state(await secrets.named(name, baseUrl)),
      name,
    })),
  );
  const item = await vscode.window.showQuickPick<{ label: string; name?: string }>([...named, key], {
    title: vscode.l10n.t('Secrets of {0}', title),
  });
  if (!item) return;
  if (item.name === undefined) await secrets.askForKey(title, baseUrl);
  else await secrets.askForNamed(item.name, title, baseUrl);
}
