import * as vscode from 'vscode';
import { noticeText, visibleText } from '../../../base/text';
import type { ModelProfile } from '../../../models/profiles';
import { loadIntoLmStudio, windowsToOffer, type LoadResult } from '../../../models/servers/load';
import type { ModelServers } from '../../services/models/model-servers';

/** Makes LM Studio load the model of a profile with a window that the user picks. */
export async function loadWithLargerWindow(profile: ModelProfile, servers: ModelServers): Promise<void> {
  const { model = '', facts = {} } = profile;
  const name = visibleText(profile.name ?? model);
  const sizes = windowsToOffer(facts.window, facts.trainedWindow);
  if (sizes.length === 0) {
    const text = vscode.l10n.t('{0} is already loaded with its largest context window.', name);
    return void vscode.window.showInformationMessage(text);
  }
  const items = sizes.map((size) => ({
    label: vscode.l10n.t('{0} tokens', size.toLocaleString('en')),
    size,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Context Window for {0}', name),
    placeHolder: vscode.l10n.t('A larger window needs more memory. The loaded model is unloaded first.'),
  });
  if (!picked) return;
  const result = await load(profile, picked.size, servers);
  if (!result) return;
  await servers.relearn(profile);
  if (result.type === 'failed') {
    const text = vscode.l10n.t(
      'LM Studio could not load {0}. Select a smaller window, or see its log. {1}',
      name,
      result.said,
    );
    return void vscode.window.showWarningMessage(noticeText(text));
  }
  const window = (result.window ?? picked.size).toLocaleString('en');
  void vscode.window.showInformationMessage(
    vscode.l10n.t('{0} is loaded with a context window of {1} tokens.', name, window),
  );
}

/** Nothing if the user stopped it. */
async function load(
  profile: ModelProfile,
  window: number,
  servers: ModelServers,
): Promise<LoadResult | undefined> {
  const title = vscode.l10n.t('LM Studio is loading {0}…', visibleText(profile.model ?? ''));
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_, token) => {
    const stop = new AbortController();
    const listening = token.onCancellationRequested(() => stop.abort());
    try {
      const address = await servers.address(profile);
      const result = await loadIntoLmStudio(address, profile.model ?? '', window, stop.signal);
      return stop.signal.aborted ? undefined : result;
    } finally {
      listening.dispose();
    }
  });
}
