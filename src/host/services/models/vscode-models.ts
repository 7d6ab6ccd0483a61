import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import { VENDOR } from '../../../manifest/published';
import { vsCodeProfile, type ModelProfile } from '../../../models/profiles';

/**
 * Models that VS Code offers to extensions, as profiles. Not listed before the user wants to choose, because listing
 * starts the extensions that provide models.
 */
export class VsCodeModels implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private found: readonly ModelProfile[] = [];
  private following = false;

  readonly onChange = this.changed.event;

  /** Models found so far. */
  get profiles(): readonly ModelProfile[] {
    return this.found;
  }

  /** Lists them now, and from now on whenever they change. */
  async look(): Promise<void> {
    const models = await vscode.lm.selectChatModels({});
    // Models published by Parley are our own profiles.
    this.found = models
      .filter(({ vendor }) => vendor !== VENDOR)
      .map(({ vendor, id, name, maxInputTokens }) => ({
        ...vsCodeProfile(`${vendor}/${id}`),
        name: name === '' ? id : name,
        contextWindow: maxInputTokens,
      }));
    this.changed.fire(undefined);
    if (this.following) return;
    this.following = true;
    this.store.add(vscode.lm.onDidChangeChatModels(() => void this.look()));
  }

  dispose(): void {
    this.store.dispose();
  }
}
