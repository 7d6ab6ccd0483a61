import * as vscode from 'vscode';
import { unlessAborted } from '../../../base/async';
import { DisposableStore, Emitter } from '../../../base/disposable';
import type { Tool } from '../../../core/words/tool';
import type { ToolSource } from '../../../tools/registry';
import { localFolders } from '../../platform/local-folders';
import type { SettingsStore } from '../../platform/settings';
import { CONFIG_FILE, configFiles, exists } from './config-files';
import type { McpInChat } from './mcp-in-chat';
import type { McpPlatform, McpWindow } from './mcp-window';
import type { ConfigProblemRow, ShownServer } from './shown-server';

/**
 * The MCP servers of this window. Only checks whether there is anything to do: in a trusted workspace with configured
 * servers. Everything else is loaded then.
 */
export class Mcp implements ToolSource, vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = new Emitter<void>();
  private readonly watchers = new Map<string, vscode.Disposable>();
  private window: McpWindow | undefined;
  /** One update after another. Never rejects. */
  private looking: Promise<void> = Promise.resolve();
  private hasBegun = false;
  private hasEnded = false;

  readonly onDidChange = this.changes.event;

  constructor(private readonly parts: McpPlatform) {
    const look = (): void => {
      if (this.hasBegun) void this.look();
    };
    this.store.add(parts.settings.onChange(['mcp.enabled', 'mcp.servers'], look));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(look));
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(look));
    this.store.add(this.changes);
  }

  tools(): readonly Tool[] {
    return this.window?.tools() ?? [];
  }

  get servers(): readonly ShownServer[] {
    return this.window?.shown ?? [];
  }

  get problems(): readonly ConfigProblemRow[] {
    return this.window?.problems ?? [];
  }

  /** Prompts and resources of the servers; nothing while none is known. */
  inChat(): McpInChat | undefined {
    return this.window?.inChat;
  }

  /** Tools are requested: from the first time on, approved servers start in the background. */
  refresh(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    void this.look();
  }

  /** Updates, and resolves when the state of each server is known, or with the signal. */
  async ready(signal: AbortSignal): Promise<void> {
    this.hasBegun = true;
    // Not every file system reports changes.
    const started = this.look().then(() => (this.hasEnded ? undefined : this.window?.start()));
    await unlessAborted(started, signal);
  }

  /** From now on, calls of the tool with this digest run without asking in every window. */
  async allowTool(digest: string): Promise<void> {
    (await this.load()).allowTool(digest);
  }

  /** The servers of this window; the user is told if there are none. */
  async used(): Promise<McpWindow | undefined> {
    this.refresh();
    await this.looking;
    if (this.window?.hasServers) return this.window;
    await tellWhyNone(this.parts.settings);
    return undefined;
  }

  /** The file of a server; nothing for the user's settings. */
  locationOf(name: string): vscode.Location | undefined {
    return this.window?.locationOf(name);
  }

  /** Shows a server for approval that the user has just added, if it may start. */
  async approveNew(name: string): Promise<void> {
    this.hasBegun = true;
    await this.look();
    if (this.window && this.servers.some((server) => server.name === name)) await this.window.approve(name);
  }

  /** Resolves when all servers have ended. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await this.looking;
    await this.window?.end();
  }

  dispose(): void {
    this.hasEnded = true;
    for (const watcher of this.watchers.values()) watcher.dispose();
    this.store.dispose();
  }

  private look(): Promise<void> {
    this.looking = this.looking
      .then(async () => {
        const isOn = this.isOn;
        if (isOn) this.watch();
        if (!this.window && !(isOn && (await this.isConfigured()))) return;
        const window = await this.load();
        // At the end, servers are stopped and waited for; an update would only drop them.
        if (!this.hasEnded) await window.update(isOn);
      })
      .catch((error: unknown) => this.parts.output.error(error));
    return this.looking;
  }

  private get isOn(): boolean {
    return !this.hasEnded && vscode.workspace.isTrusted && this.parts.settings.get('mcp.enabled');
  }

  private async isConfigured(): Promise<boolean> {
    const set = this.parts.settings.get('mcp.servers');
    if (typeof set !== 'object' || set === null || Object.keys(set).length > 0) return true;
    const found = await Promise.all(configFiles().map(exists));
    return found.includes(true);
  }

  private async load(): Promise<McpWindow> {
    const { McpWindow } = await import('./mcp-window');
    if (!this.window) {
      this.window = this.store.add(new McpWindow(this.parts));
      this.store.add(this.window.onDidChange(() => this.changes.fire()));
    }
    return this.window;
  }

  /** Not before the workspace is trusted. */
  private watch(): void {
    const folders = localFolders(vscode.workspace.workspaceFolders ?? []);
    const wanted = new Map(folders.map((folder) => [folder.uri.toString(), folder]));
    for (const [key, watcher] of this.watchers) {
      if (wanted.has(key)) continue;
      watcher.dispose();
      this.watchers.delete(key);
    }
    for (const [key, folder] of wanted) {
      if (this.watchers.has(key)) continue;
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(folder, CONFIG_FILE),
      );
      const look = (): void => void this.look();
      watcher.onDidCreate(look);
      watcher.onDidChange(look);
      watcher.onDidDelete(look);
      this.watchers.set(key, watcher);
    }
  }
}

async function tellWhyNone(settings: SettingsStore): Promise<void> {
  const { isTrusted } = vscode.workspace;
  if (!isTrusted) {
    const trust = vscode.l10n.t('Manage Workspace Trust');
    const text = vscode.l10n.t('MCP servers start only in a trusted workspace. Trust it first.');
    if ((await vscode.window.showInformationMessage(text, trust)) === trust)
      await vscode.commands.executeCommand('workbench.trust.manage');
    return;
  }
  if (!settings.get('mcp.enabled')) {
    const text = vscode.l10n.t('MCP servers are turned off. Turn on "parley.mcp.enabled" in your settings.');
    await vscode.window.showInformationMessage(text);
    return;
  }
  const add = vscode.l10n.t('Add a Server');
  const text = vscode.l10n.t('No MCP servers found. Add one here or in .mcp.json.');
  if ((await vscode.window.showInformationMessage(text, add)) === add)
    await vscode.commands.executeCommand('parley.addMcpServer');
}
