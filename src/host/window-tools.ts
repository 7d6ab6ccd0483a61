import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { ToolRegistry } from '../tools/registry';
import type { Conversation } from './conversation';
import type { SettingsStore } from './settings';
import type { WorkspaceTools } from './workspace-tools';

interface CurrentTools {
  readonly registry: ToolRegistry;
  readonly tools: WorkspaceTools;
}

/** The tools of this window, built when they are first asked for and anew when other folders are open. */
export class WindowTools implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private current: Promise<CurrentTools> | undefined;
  /** Also those of folders that were open before: their commands may still run. */
  private readonly loaded: WorkspaceTools[] = [];

  readonly onChange = this.changed.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly settings: SettingsStore,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn'>,
  ) {
    this.store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        // What runs on the old ones may finish; they end with the window.
        this.current = undefined;
        this.changed.fire(undefined);
      }),
    );
    // Skills of the workspace may be looked at from now on.
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire(undefined)));
  }

  /** The tools as they are now: skills are looked for anew. */
  async get(): Promise<ToolRegistry> {
    const loading = (this.current ??= this.load());
    loading.catch(() => {
      // What failed once may succeed at the next request.
      if (this.current === loading) this.current = undefined;
    });
    const { registry, tools } = await loading;
    await tools.refresh();
    return registry;
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

  private async load(): Promise<CurrentTools> {
    const { workspaceTools } = await import('./workspace-tools');
    const tools = this.store.add(workspaceTools(this.context, this.settings, this.log));
    this.loaded.push(tools);
    const registry = this.store.add(new ToolRegistry(...tools.sources));
    this.store.add(registry.onDidChange(() => this.changed.fire(undefined)));
    return { registry, tools };
  }
}
