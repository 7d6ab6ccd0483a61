import * as vscode from 'vscode';
import { demoProfile, type ModelProfile } from '../../../models/profiles';
import { registerCommands } from '../../platform/commands';
import type { Platform } from '../../platform/platform';
import { showCountsHint } from '../../services/models/call-statistics';
import { profileProblem } from '../../services/models/profile-problem';
import type { Services } from '../../services/services';
import { openModelSettings, setApiKey } from './model-settings';

/** Pickers of model, protocol and agent, wizards for models, and the gateway over the picked one. */
export function registerModels(
  { context, settings, secrets, own }: Platform,
  { choices, servers, counts, gateway }: Services,
  findProtocol: (profile: ModelProfile) => Promise<void>,
): void {
  const problemOf = (profile: ModelProfile): string | undefined =>
    profileProblem(profile, settings.get('models'));
  const picker = { settings, choices, secrets, problemOf, servers, findProtocol };
  own(counts.onHint((hint) => void showCountsHint(hint, findProtocol)));
  own(
    registerCommands({
      selectModel: async () => (await import('./model-picker')).pickModel(picker),
      findLocalServers: async () => (await import('./add-model/add-model')).addModel(picker, 'machine'),
      addModel: async () => (await import('./add-model/add-model')).addModel(picker),
      importModels: async () =>
        (await import('./import-models/import-models')).importModels({
          ...picker,
          storage: context.globalStorageUri,
        }),
      openModelSettings,
      testConnection: async () => (await import('./model-picker')).testModel(undefined, picker),
      findProtocol: () => findProtocol(choices.profile ?? demoProfile),
      selectProtocol: () => choices.ask('protocol', vscode.l10n.t('Tool-calling protocol')),
      selectAgent: () => choices.ask('agent', vscode.l10n.t('Agent')),
      setApiKey: () => setApiKey(choices, secrets),
      startGateway: () => gateway.start(),
      stopGateway: () => gateway.stop(),
    }),
  );
}
