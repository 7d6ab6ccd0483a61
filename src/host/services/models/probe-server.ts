import * as vscode from 'vscode';
import { visibleText } from '../../../base/text';
import { hidesWindow, smallerWindow, type ModelProfile } from '../../../models/profiles';

/** Known server facts; implemented by `model-servers.ts`. */
interface Servers {
  isUnasked(profile: ModelProfile): boolean;
  ask(profile: ModelProfile, signal: AbortSignal): Promise<void>;
  load(profile: ModelProfile, signal: AbortSignal): Promise<void>;
  known(profile: ModelProfile): ModelProfile;
}

/** Notices already shown in this window, so that each is shown once. */
const warned = new Set<string>();

/**
 * Before a run: asks the server of the model for its facts, unless they are known. Ollama reports the window only of
 * loaded models, so the model is loaded first, as the run would do anyway. Never rejects.
 */
export async function probeServer(
  profile: ModelProfile,
  servers: Servers,
  signal: AbortSignal,
): Promise<void> {
  if (servers.isUnasked(profile)) await servers.ask(profile, signal);
  if (hidesWindow(servers.known(profile)) && !signal.aborted) await load(profile, servers, signal);
  warnOfSmallerWindow(servers.known(profile));
}

async function load(profile: ModelProfile, servers: Servers, stop: AbortSignal): Promise<void> {
  const title = vscode.l10n.t(
    'Ollama is loading {0} to report its context window…',
    visibleText(profile.model ?? ''),
  );
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  await vscode.window.withProgress(options, async (_, token) => {
    const skip = new AbortController();
    const listening = token.onCancellationRequested(() => skip.abort());
    try {
      await servers.load(profile, AbortSignal.any([stop, skip.signal]));
    } finally {
      listening.dispose();
    }
  });
}

/** The profile stays in force: the user may know better, for instance behind a gateway. */
function warnOfSmallerWindow(profile: ModelProfile): void {
  const smaller = smallerWindow(profile);
  if (smaller === undefined) return;
  const text = vscode.l10n.t(
    'The server reports a context window of {1} tokens for {0}, but its profile says {2}. Start the server with a larger one, or change "contextWindow" in the profile.',
    profile.name ?? profile.id,
    smaller,
    profile.contextWindow ?? 0,
  );
  if (warned.has(text)) return;
  warned.add(text);
  const open = vscode.l10n.t('Open Settings');
  void vscode.window.showWarningMessage(text, open).then(async (answer) => {
    if (answer === open)
      await vscode.commands.executeCommand('workbench.action.openSettings', 'parley.models');
  });
}
