import * as vscode from 'vscode';
import { countTokens } from '../../../node/tokens';
import type { Secrets } from '../../platform/secrets';
import type { SettingsStore } from '../../platform/settings';
import type { Choices } from '../choices/choices';
import { openInWindow, probeServer } from '../models/open-in-window';
import type { ModelServers } from '../models/model-servers';
import { profileProblem } from '../models/profile-problem';
import { readChanges } from './changes';
import { NoMessage, writeCommitMessage } from './commit-message';
import type { GitRepository } from './git-extension';

export interface CommitMessageParts {
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly choices: Pick<Choices, 'profile' | 'modelId'>;
  readonly secrets: Secrets;
  readonly servers: ModelServers;
}

/**
 * Writes a commit message with the picked model into the input box of a repository, while it arrives. Never commits.
 * Returns the secret files that the model did not see, or why there is no message.
 */
export async function writeInBox(
  repository: GitRepository,
  { settings, choices, secrets, servers }: CommitMessageParts,
  signal: AbortSignal,
): Promise<{ readonly problem: string } | { readonly secretFiles: readonly string[] }> {
  const { profile: wanted } = choices;
  if (!wanted) {
    const text = 'There is no model "{0}". Pick another one, or add it to "parley.models" in your settings.';
    return { problem: vscode.l10n.t(text, choices.modelId) };
  }
  if (wanted.provider === 'demo') {
    const text =
      'The demo is a script and cannot write commit messages. Pick another model in the chat first.';
    return { problem: vscode.l10n.t(text) };
  }
  const wrong = profileProblem(wanted, settings.get('models'));
  if (wrong !== undefined) return { problem: wrong };
  const changes = await readChanges(repository, { settings, secrets });
  if (changes.files.length === 0) {
    const text =
      'There are no changes that a model may read, so there is nothing to write about. Change or stage a file.';
    return { problem: vscode.l10n.t(text) };
  }
  await probeServer(wanted, servers, signal);
  const profile = choices.profile ?? wanted;
  const model = await openInWindow(profile, { secrets, facts: servers.facts }, 'chat');
  const reader = { model, window: profile.contextWindow, countTokens };
  try {
    for await (const message of writeCommitMessage(changes, reader, signal)) {
      signal.throwIfAborted();
      repository.inputBox.value = secrets.redact(message);
    }
  } catch (error) {
    if (error instanceof NoMessage) return { problem: error.message };
    throw error;
  }
  signal.throwIfAborted();
  return { secretFiles: changes.secretFiles };
}
