import * as vscode from 'vscode';
import { withAddress, type ModelProfile } from '../../../models/profiles';
import type { Secrets } from '../../platform/secrets';
import type { SettingsStore } from '../../platform/settings';
import { changeOwnModels } from './own-models';

/**
 * Removes a profile from the settings after a question, which also offers to delete a key that no other profile uses.
 */
export async function removeModel(
  id: string,
  { settings, secrets }: { readonly settings: SettingsStore; readonly secrets: Secrets },
): Promise<void> {
  const profile = settings.get('models').find((each) => each.id === id);
  if (!profile) return;
  const origin = await ownOrigin(profile, settings, secrets);
  const remove = vscode.l10n.t('Remove');
  const forget = vscode.l10n.t('Remove and Forget Key');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Remove {0} from your models?', profile.name ?? id),
    {
      modal: true,
      detail:
        origin === undefined
          ? vscode.l10n.t('The model on the server is not deleted.')
          : vscode.l10n.t(
              'The model on the server is not deleted. No other profile uses the key for {0}.',
              origin,
            ),
    },
    ...(origin === undefined ? [remove] : [remove, forget]),
  );
  if (answer === undefined) return;
  const isRemoved = await changeOwnModels(settings, (profiles) => profiles.filter((each) => each.id !== id));
  if (isRemoved && answer === forget && origin !== undefined) await secrets.forgetKey(origin);
}

/** The origin of a stored key that only this profile uses. */
async function ownOrigin(
  profile: ModelProfile,
  settings: SettingsStore,
  secrets: Secrets,
): Promise<string | undefined> {
  const origin = originOf(profile);
  if (origin === undefined || (await secrets.keyFor(origin)) === undefined) return undefined;
  const others = settings.get('models').filter((each) => each.id !== profile.id);
  return others.some((each) => originOf(each) === origin) ? undefined : origin;
}

function originOf(profile: ModelProfile): string | undefined {
  const { baseUrl } = withAddress(profile);
  return baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
}
