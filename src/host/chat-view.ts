import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { never } from '../base/never';
import { ChatToHost, type HostToChat } from '../contract/chat';
import type { AgentEvent } from '../core/events';
import { appendEvent } from '../core/events';
import { views } from '../manifest/views';
import { chatHtml } from './chat-html';
import type { Choices } from './choices';
import type { Conversation } from './conversation';
import type { DiffView } from './diff-view';

export interface ChatParts {
  readonly conversation: Conversation;
  readonly choices: Choices;
  readonly diffs: DiffView;
  readonly log: vscode.LogOutputChannel;
}

/** Shows the conversation in the sidebar. The page is a fold over what is posted here; a reload asks for it again. */
export function registerChatView(extensionUri: vscode.Uri, parts: ChatParts): vscode.Disposable {
  return vscode.window.registerWebviewViewProvider(views.chat.id, {
    resolveWebviewView(view) {
      const page = new ChatPage(view, extensionUri, parts);
      view.onDidDispose(() => page.dispose());
    },
  });
}

/** Milliseconds between two posts while a reply streams: once a frame. */
const FRAME = 16;

class ChatPage implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private pending: AgentEvent[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isReady = false;

  constructor(
    private readonly view: vscode.WebviewView,
    extensionUri: vscode.Uri,
    private readonly parts: ChatParts,
  ) {
    const { webview } = view;
    webview.options = {
      enableScripts: true,
      localResourceRoots: [
        vscode.Uri.joinPath(extensionUri, 'dist'),
        vscode.Uri.joinPath(extensionUri, 'media'),
      ],
    };
    this.store.add(webview.onDidReceiveMessage((message: unknown) => this.receive(message)));
    this.store.add(parts.conversation.onEvent((event) => this.queue(event)));
    this.store.add(parts.conversation.onReplaced(() => this.init()));
    this.store.add(
      parts.choices.onChange(() => this.post({ type: 'pickers', pickers: parts.choices.pickers })),
    );
    this.store.add(
      view.onDidChangeVisibility(() => {
        if (view.visible && this.isReady) this.post({ type: 'focus' });
      }),
    );
    webview.html = chatHtml(webview, extensionUri);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.store.dispose();
  }

  private receive(message: unknown): void {
    const { conversation, choices, diffs, log } = this.parts;
    const checked = ChatToHost.safeParse(message);
    if (!checked.success) {
      log.warn(`The chat page sent a message of an unknown form: ${checked.error.message}`);
      return;
    }
    const { session } = conversation;
    const { data } = checked;
    switch (data.type) {
      case 'ready':
        this.isReady = true;
        return this.init();
      case 'send':
        return void session.send(data.text);
      case 'stop':
        return session.stop();
      case 'new-session':
        return conversation.startNew();
      case 'decide':
        return session.decide(data.callId, data.answer);
      case 'pick':
        return void choices.pick(data.picker, data.value);
      case 'show-diff':
        return void diffs.show(session.transcript, data.callId);
      case 'open-link':
        return void openLink(data.url);
      default:
        return never(data);
    }
  }

  private init(): void {
    this.pending = [];
    const { conversation, choices } = this.parts;
    this.post({
      type: 'init',
      events: conversation.session.events.map(withoutRaw),
      pickers: choices.pickers,
    });
  }

  /** Joins what arrives within one frame, so that the page gets pieces of text and not every token. */
  private queue(event: AgentEvent): void {
    if (!this.isReady) return;
    appendEvent(this.pending, withoutRaw(event));
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const events = this.pending;
      this.pending = [];
      if (events.length > 0) this.post({ type: 'events', events });
    }, FRAME);
  }

  private post(message: HostToChat): void {
    if (this.isReady) void this.view.webview.postMessage(message);
  }
}

/** The page has the text already; the raw reply is for the log and the history. */
function withoutRaw(event: AgentEvent): AgentEvent {
  return event.type === 'reply-end' ? { ...event, raw: '' } : event;
}

/** Only pages of the web, and only after VS Code has shown the whole address. */
async function openLink(url: string): Promise<void> {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol !== 'https:' && target?.protocol !== 'http:') return;
  const open = vscode.l10n.t('Open');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('Open this page in the browser?'),
    { modal: true, detail: target.href },
    open,
  );
  if (answer === open) await vscode.env.openExternal(vscode.Uri.parse(target.href, true));
}
