import type * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { ToolRegistry } from '../tools/registry';
import type { SettingsStore } from './settings';

/** The tools of this window, built when they are first asked for. */
export class WindowTools implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private registry: Promise<ToolRegistry> | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly settings: SettingsStore,
  ) {}

  get(): Promise<ToolRegistry> {
    return (this.registry ??= this.load());
  }

  dispose(): void {
    this.store.dispose();
  }

  private async load(): Promise<ToolRegistry> {
    const { workspaceTools } = await import('./workspace-tools');
    return this.store.add(new ToolRegistry(this.store.add(workspaceTools(this.context, this.settings))));
  }
}
