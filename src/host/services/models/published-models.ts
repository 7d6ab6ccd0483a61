import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import { VENDOR } from '../../../manifest/published';
import { findProfile, type ModelProfile } from '../../../models/profiles';
import { seesImages } from './images';
import type { PublishingParts } from './answer-published';
import { profileProblem } from './profile-problem';

/** Default tokens reserved for the reply, and default context window, if unknown. */
const REPLY = 4_096;
const WINDOW = 32_768;

/**
 * Publishes profiles with `publish` to VS Code: its chat and other extensions use them as models with tools, even if
 * their servers do not support them. Requests are not inspected, and no tool runs here.
 */
export class PublishedModels implements vscode.LanguageModelChatProvider, vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());

  readonly onDidChangeLanguageModelChatInformation = this.changed.event;

  constructor(private readonly parts: PublishingParts) {
    const { settings, servers } = parts;
    this.store.add(settings.onChange(['models'], () => this.changed.fire()));
    this.store.add(servers.onChange(() => this.changed.fire()));
    this.store.add(vscode.lm.registerLanguageModelChatProvider(VENDOR, this));
  }

  provideLanguageModelChatInformation(): vscode.LanguageModelChatInformation[] {
    const all = this.parts.settings.get('models');
    return all
      .filter((profile) => profile.publish === true && !isOwn(profile) && !profileProblem(profile, all))
      .map((profile) => information(this.parts.servers.known(profile)));
  }

  async provideLanguageModelChatResponse(
    { id }: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const { settings, servers } = this.parts;
    const found = findProfile(settings.get('models'), id);
    if (!found) throw vscode.LanguageModelError.NotFound(id);
    if (servers.isUnasked(found)) await servers.ask(found);
    const { answerPublished } = await import('./answer-published');
    await answerPublished(servers.known(found), this.parts, { messages, options, progress, token });
  }

  async provideTokenCount(
    _: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    const { countPublished } = await import('./answer-published');
    return countPublished(text);
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** A profile of a model published by Parley itself would be circular. */
function isOwn({ provider, model = '' }: ModelProfile): boolean {
  return provider === 'vscode' && model.startsWith(`${VENDOR}/`);
}

function information(profile: ModelProfile): vscode.LanguageModelChatInformation {
  const { id, name = id, model = id, contextWindow = WINDOW, maxOutputTokens } = profile;
  const reply = maxOutputTokens ?? Math.min(REPLY, Math.floor(contextWindow / 4));
  return {
    id,
    name,
    family: model,
    version: '1',
    detail: 'Parley',
    tooltip: vscode.l10n.t('{0} through Parley, with tools even if its server does not support them', model),
    maxInputTokens: contextWindow - reply,
    maxOutputTokens: reply,
    capabilities: { toolCalling: true, imageInput: seesImages(profile) },
  };
}
