import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { ToolRegistry } from '../tools/registry';
import type { Conversation } from './conversation';
import type { SettingsStore } from './settings';
import type { WorkspaceTools } from './workspace-tools';

/** The tools of this window, built when they are first asked for and anew when other folders are open. */
export class WindowTools implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private registry: Promise<ToolRegistry> | undefined;
  /** Also those of folders that were open before: their commands may still run. */
  private readonly loaded: WorkspaceTools[] = [];

  readonly onChange = this.changed.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly settings: SettingsStore,
  ) {
    this.store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        // What runs on the old ones may finish; they end with the window.
        this.registry = undefined;
        this.changed.fire(undefined);
      }),
    );
  }

  get(): Promise<ToolRegistry> {
    const loading = (this.registry ??= this.load());
    loading.catch(() => {
      // What failed once may succeed at the next request.
      if (this.registry === loading) this.registry = undefined;
    });
    return loading;
  }

  /** A session takes its commands with it. */
  follow(conversation: Conversation): vscode.Disposable {
    return conversation.onReplaced(() => void this.endCommands());
  }

  /** Fulfilled when nothing runs any more. */
  async endCommands(): Promise<void> {
    await Promise.all(this.loaded.map((tools) => tools.endCommands()));
  }

  dispose(): void {
    this.store.dispose();
  }

  private async load(): Promise<ToolRegistry> {
    const { workspaceTools } = await import('./workspace-tools');
    const tools = this.store.add(workspaceTools(this.context, this.settings));
    this.loaded.push(tools);
    return this.store.add(new ToolRegistry(tools));
  }
}
