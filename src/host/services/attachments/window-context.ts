import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import { limits } from '../../../base/limits';
import type {
  MessageContext,
  PathCompletion,
  ResourceCompletion,
  ServersOffer,
  SkillName,
} from '../../../contract/chat';
import type { FolderRules } from '../../../core/run/folder-rules';
import type { RulesFile } from '../../../core/run/instructions';
import type { Attachment, ImageAttachment, MissingAttachment } from '../../../core/words/attachment';
import type { Mcp } from '../mcp/mcp';
import type { OutgoingMessage } from './context';
import type { DroppedPaths } from './dropped-paths';
import { seesImages, type SeeingModel } from '../models/images';
import { TerminalTails } from './terminal';
import type { Choices } from '../choices/choices';
import type { Platform } from '../../platform/platform';

/** Milliseconds after the last change in the editor before its context is read. */
const QUIET = 150;

/** Whether the user includes it, kept over a reload of the window. */
const KEY = 'withEditor';

export interface WindowContextParts extends Platform {
  readonly choices: Choices;
  readonly mcp: Mcp;
}

/** Context of the messages of this window: rules, editor context, and mentions. */
export class WindowContext implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private readonly terminals = this.store.add(new TerminalTails());
  private timer: NodeJS.Timeout | undefined;
  private completing = new AbortController();
  private picked: boolean | undefined;
  private looks = 0;

  /** Fires some time after the context may have changed. */
  readonly onChange = this.changed.event;
  /** Fires when `offer` may have changed. */
  readonly onOffer: Mcp['onDidChange'];

  constructor(private readonly parts: WindowContextParts) {
    this.onOffer = parts.mcp.onDidChange;
    this.picked = parts.context.workspaceState.get<boolean>(KEY);
    const soon = (): void => this.announce();
    for (const event of [
      vscode.window.onDidChangeActiveTextEditor,
      vscode.window.onDidChangeTextEditorSelection,
      vscode.window.tabGroups.onDidChangeTabs,
      vscode.window.onDidChangeWindowState,
      vscode.workspace.onDidSaveTextDocument,
      vscode.workspace.onDidCreateFiles,
      vscode.workspace.onDidDeleteFiles,
      vscode.workspace.onDidRenameFiles,
      vscode.workspace.onDidChangeWorkspaceFolders,
      vscode.workspace.onDidGrantWorkspaceTrust,
    ] as const) {
      this.store.add((event as vscode.Event<unknown>)(soon));
    }
    this.store.add(parts.settings.onChange(['context.editor', 'approvals.secretFiles'], soon));
  }

  /** Whether editor context is sent with messages. */
  get withEditor(): boolean {
    return this.picked ?? this.parts.settings.get('context.editor');
  }

  pickEditor(isOn: boolean): void {
    this.picked = isOn;
    void this.parts.context.workspaceState.update(KEY, isOn);
    this.changed.fire(undefined);
  }

  /** Context of a message that is sent now; nothing if a newer call has started. */
  async look(): Promise<MessageContext | undefined> {
    this.looks += 1;
    const { looks } = this;
    const { contextItems } = await import('./context');
    const { withEditor } = this;
    const items = await contextItems(this.parts, { withEditor });
    return looks === this.looks ? { withEditor, items } : undefined;
  }

  /** Context of this message. May ask the user; nothing if they choose not to send it. */
  async attachmentsFor(
    text: string,
    message: OutgoingMessage,
    signal: AbortSignal,
  ): Promise<readonly Attachment[] | undefined> {
    const { attachmentsFor } = await import('./context');
    const { withEditor, terminals, model } = this;
    const mcp = async () => {
      await this.parts.mcp.ready(AbortSignal.any([signal, AbortSignal.timeout(limits.mcpRunWaitsMs)]));
      return this.parts.mcp.inChat();
    };
    return attachmentsFor(text, this.parts, { ...message, withEditor, terminals, model, mcp, signal });
  }

  /** Adds an image for the next message, or returns why it is rejected. */
  async pastedImage(
    pasted: { readonly name: string; readonly bytes: Buffer },
    before: () => readonly ImageAttachment[],
  ): Promise<ImageAttachment | MissingAttachment> {
    const { pastedImage } = await import('./context');
    return pastedImage(pasted, before(), this.model);
  }

  /** Dropped items as mentions. */
  async mentionsOf(uris: readonly string[]): Promise<DroppedPaths> {
    const { droppedMentions } = await import('./context');
    return droppedMentions(uris, this.parts);
  }

  /** Skills that a message may begin with. */
  async skills(): Promise<readonly SkillName[]> {
    const { skillsOf } = await import('./skills');
    const skills = await skillsOf(this.parts);
    return skills.map(({ name, description }) => ({ name, description }));
  }

  /** Prompts and resources of running MCP servers. Starts approved servers that are not running. */
  get offer(): ServersOffer {
    this.parts.mcp.refresh();
    const mcp = this.parts.mcp.inChat();
    const prompts = mcp?.prompts() ?? [];
    return {
      prompts: prompts.map(({ command, description, server }) => ({ name: command, description, server })),
      hasResources: (mcp?.resources() ?? []).length > 0,
    };
  }

  /** Matching resources of running MCP servers. */
  async completeResource(query: string): Promise<readonly ResourceCompletion[]> {
    const { completeResource } = await import('./context');
    return completeResource(query, this.parts.mcp.inChat()?.resources() ?? []);
  }

  /** The rules in the instructions of a run that starts now. */
  async rules(): Promise<readonly RulesFile[]> {
    // Also checked when they are read; here it saves an untrusted window the loading.
    if (!vscode.workspace.isTrusted) return [];
    const { rulesOf } = await import('./context');
    return (await rulesOf(this.parts)).files;
  }

  /** The rules sent with results, within the characters left by those of the workspace folders. */
  folderRules(taken: number): FolderRules {
    return {
      find: async (places, given) => {
        if (!vscode.workspace.isTrusted) return [];
        const { folderRulesOf } = await import('./context');
        return folderRulesOf(places, given, this.parts, taken);
      },
    };
  }

  /** Matching files and folders; nothing if a newer search has started. */
  async complete(
    query: string,
    only: PathCompletion['type'] | undefined,
  ): Promise<readonly PathCompletion[] | undefined> {
    this.completing.abort();
    this.completing = new AbortController();
    const { signal } = this.completing;
    const { complete } = await import('./context');
    try {
      return await complete({ query, only }, this.parts, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.completing.abort();
    this.store.dispose();
  }

  private get model(): SeeingModel {
    const { choices } = this.parts;
    const { profile } = choices;
    const name = profile?.name ?? choices.modelId;
    return { name, seesImages: profile !== undefined && seesImages(profile) };
  }

  private announce(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changed.fire(undefined), QUIET);
  }
}
