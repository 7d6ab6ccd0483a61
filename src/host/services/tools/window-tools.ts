import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { Sandbox } from '../../../node/sandbox/sandbox';
import type { FileImages, Files } from '../../../tools/ports/files';
import type { StartedCommand } from '../../../tools/ports/processes';
import type { ProjectFiles } from '../../../tools/project-files';
import { ToolRegistry } from '../../../tools/registry';
import type { Conversation } from '../conversation/conversation';
import type { Mcp } from '../mcp/mcp';
import type { WorkspaceTools, WorkspaceToolsParts } from './workspace-tools';

interface CurrentTools {
  readonly registry: ToolRegistry;
  readonly tools: WorkspaceTools;
}

/** The tools of this window, built on first use and again when other folders are opened. */
export class WindowTools implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private current: Promise<CurrentTools> | undefined;
  /** Listens to the current tools, also while they are being loaded. */
  private telling = new DisposableStore();
  /** Includes those of previous folders: their commands may still run. */
  private readonly loaded: WorkspaceTools[] = [];

  readonly onChange = this.changed.event;

  constructor(
    private readonly window: WorkspaceToolsParts,
    private readonly mcp: Pick<Mcp, 'tools' | 'onDidChange' | 'refresh'>,
    /** Saves the content of a file before a tool changes it. */
    private readonly keepImage: FileImages['keep'],
  ) {
    this.store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        // Calls on old tools may finish; old tools are disposed with the window. Listeners get only the new ones.
        this.current = undefined;
        this.telling.dispose();
        this.telling = new DisposableStore();
        this.changed.fire(undefined);
      }),
    );
    // Skills of the workspace may be loaded from now on.
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire(undefined)));
  }

  /** The current tools, after looking for skills again. The first call starts MCP servers. */
  async get(): Promise<ToolRegistry> {
    this.mcp.refresh();
    const { registry, tools } = await this.now();
    await tools.refresh();
    return registry;
  }

  /** A sentence for each skill that cannot be used. */
  async skillProblems(): Promise<readonly string[]> {
    return (await this.now()).tools.skillProblems();
  }

  /** The files of this window as the tools see them. */
  async files(): Promise<Files> {
    return (await this.now()).tools.files;
  }

  /** The files that models may read without asking. */
  async projectFiles(signal: AbortSignal): Promise<ProjectFiles> {
    return (await this.now()).tools.projectFiles(signal);
  }

  /** Where commands of this window run if the settings say so; none if no command can run. */
  async sandbox(): Promise<Sandbox | undefined> {
    return (await this.now()).tools.sandbox;
  }

  /** Commands that continue after their calls, and still run. */
  get backgroundCommands(): readonly StartedCommand[] {
    const started = this.loaded.flatMap(({ commands }) => commands);
    return started.filter(({ isBackground, end }) => isBackground && end === undefined);
  }

  /** Commands of a session end with it. */
  follow(conversation: Conversation): vscode.Disposable {
    return conversation.onReplaced(() => void this.endCommands(conversation));
  }

  /** Ends every command, or those of one owner. Resolves when none of them runs any more. */
  async endCommands(owner?: object): Promise<void> {
    await Promise.all(this.loaded.map((tools) => tools.endCommands(owner)));
  }

  dispose(): void {
    this.telling.dispose();
    this.store.dispose();
  }

  private now(): Promise<CurrentTools> {
    const loading = (this.current ??= this.load());
    loading.catch(() => {
      // A failed load may succeed at the next request.
      if (this.current === loading) this.current = undefined;
    });
    return loading;
  }

  private async load(): Promise<CurrentTools> {
    // Other folders may have been opened meanwhile, which has disposed this store.
    const { telling } = this;
    const { workspaceTools } = await import('./workspace-tools');
    const tools = this.store.add(workspaceTools(this.window, this.keepImage));
    this.loaded.push(tools);
    const registry = this.store.add(new ToolRegistry(...tools.sources, this.mcp));
    telling.add(registry.onDidChange(() => this.changed.fire(undefined)));
    return { registry, tools };
  }
}
