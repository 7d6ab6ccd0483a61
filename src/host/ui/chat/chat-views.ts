import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { HostToChat } from '../../../contract/chat';
import { container, panels, views } from '../../../manifest/views';
import { pageOptions } from '../../platform/page-html';
import { registerBadge } from './activity';
import { ChatPage, type ChatPageParts } from './chat-page';

/**
 * Where the chat is shown: in its view, and in an editor if the user opens one. Each page is a fold over posted
 * events; a reload asks for them again.
 */
export class ChatViews implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly opened = this.store.add(new vscode.EventEmitter<undefined>());
  private view: vscode.WebviewView | undefined;
  private editor: vscode.WebviewPanel | undefined;
  private readonly pages = new Map<vscode.Webview, ChatPage>();

  /** Fires whenever a page starts. */
  readonly onOpened = this.opened.event;

  constructor(private readonly parts: ChatPageParts) {
    this.store.add(
      vscode.window.registerWebviewViewProvider(views.chat.id, {
        resolveWebviewView: (view) => this.showView(view),
      }),
    );
    this.store.add(
      vscode.window.registerWebviewPanelSerializer(panels.chat.id, {
        deserializeWebviewPanel: async (panel) => this.adopt(panel),
      }),
    );
  }

  /** Whether the user can see the chat and this window has the focus. */
  get isSeen(): boolean {
    const isVisible = this.view?.visible === true || this.editor?.visible === true;
    return isVisible && vscode.window.state.focused;
  }

  /** Puts the caret into the message box. The editor comes first, because the user opened it to work there. */
  async focus(): Promise<void> {
    if (this.editor) this.editor.reveal();
    else await vscode.commands.executeCommand(`${views.chat.id}.focus`);
    const { webview } = this.editor ?? this.view ?? {};
    if (webview) this.pages.get(webview)?.focusMessage();
  }

  /** Opens the search box of the page that the user is in, or that is shown. */
  async find(): Promise<void> {
    const message: HostToChat = { type: 'find' };
    const isInEditor = this.editor?.active === true || this.view?.visible !== true;
    if (!isInEditor || !this.editor) await vscode.commands.executeCommand(`${views.chat.id}.focus`);
    else this.editor.reveal();
    const page = isInEditor ? (this.editor ?? this.view) : this.view;
    await page?.webview.postMessage(message);
  }

  /** Makes a visible page play a short sound. */
  chime(): void {
    const message: HostToChat = { type: 'chime' };
    const shown = this.editor?.visible === true ? this.editor : this.view;
    if (shown?.visible === true) void shown.webview.postMessage(message);
  }

  openInEditor(): void {
    if (this.editor) return this.editor.reveal();
    const { extensionUri } = this.parts.context;
    const { id } = panels.chat;
    const column = vscode.ViewColumn.Active;
    this.adopt(vscode.window.createWebviewPanel(id, 'Parley', column, pageOptions(extensionUri)));
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Shows in a title how many commands run in the background. */
  private showCount(show: (text: string) => void): vscode.Disposable {
    const { background } = this.parts;
    const update = (): void => {
      const { length } = background.all;
      show(length === 0 ? '' : vscode.l10n.t('{0} in the background', length));
    };
    update();
    return vscode.Disposable.from(background.onChange(update));
  }

  private showView(view: vscode.WebviewView): void {
    this.view = view;
    const page = new ChatPage(
      {
        webview: view.webview,
        isVisible: () => view.visible,
        onChange: view.onDidChangeVisibility,
        // Only one of two pages gets what is handed out.
        isFirst: () => this.editor?.visible !== true,
      },
      this.parts,
    );
    this.pages.set(view.webview, page);
    const badge = registerBadge(view, this.parts.activity);
    const count = this.showCount((text) => (view.description = text));
    view.onDidDispose(() => {
      this.pages.delete(view.webview);
      badge.dispose();
      count.dispose();
      page.dispose();
      if (this.view === view) this.view = undefined;
    });
    this.opened.fire(undefined);
  }

  /** Uses a panel, a new one or one restored by VS Code. */
  private adopt(panel: vscode.WebviewPanel): void {
    // VS Code restores a panel when it becomes visible; a command may have been quicker.
    if (this.editor) {
      panel.dispose();
      return this.editor.reveal();
    }
    this.editor = panel;
    panel.iconPath = vscode.Uri.joinPath(this.parts.context.extensionUri, container.icon);
    const page = new ChatPage(
      {
        webview: panel.webview,
        isVisible: () => panel.visible,
        onChange: panel.onDidChangeViewState,
        isFirst: () => true,
      },
      this.parts,
    );
    const { webview } = panel;
    this.pages.set(webview, page);
    const count = this.showCount((text) => (panel.title = text === '' ? 'Parley' : `Parley · ${text}`));
    panel.onDidDispose(() => {
      this.pages.delete(webview);
      count.dispose();
      page.dispose();
      this.editor = undefined;
    });
    this.opened.fire(undefined);
  }
}
