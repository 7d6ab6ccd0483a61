import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { HostToChat, Unsent } from '../../../contract/chat';
import { EventFeed, forPage, redactEvent } from '../../../core/transcript/event-feed';
import type { AgentEvent } from '../../../core/words/events';
import { pageHtml, pageOptions } from '../../platform/page-html';
import type { CurrentActivity } from './activity';
import type { SendOutcome } from '../../services/runs/message-queue';
import { PageActions, type PageActionParts } from './page-actions';

export interface ChatPageParts extends PageActionParts {
  readonly activity: CurrentActivity;
  /** Resolves when the initial state is ready: the conversation, and unsent images. */
  readonly restored: Promise<unknown>;
}

/** A host of a chat page. */
export interface ChatView {
  readonly webview: vscode.Webview;
  readonly isVisible: () => boolean;
  /** Fires when it becomes visible or hidden. */
  readonly onChange: vscode.Event<unknown>;
  /** Whether this page gets what only one page can have: texts for the message box, and unsent drafts. */
  readonly isFirst: () => boolean;
}

/** A page of the chat: handles its messages and posts events to it. */
export class ChatPage implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly feed = this.store.add(
    new EventFeed((events) => void this.post({ type: 'events', events })),
  );
  private state: 'loading' | 'ready' | 'gone' = 'loading';
  /** The user started typing something that a server may complete. */
  private wantsOffer = false;
  /** The page has shown its greeting. */
  private wantsStarters = false;
  private wasVisible: boolean;
  /** The message box gets the focus once the page is ready. */
  private wantsFocus = false;

  constructor(
    private readonly view: ChatView,
    private readonly parts: ChatPageParts,
  ) {
    const { webview } = view;
    this.wasVisible = view.isVisible();
    const { extensionUri } = parts.context;
    webview.options = pageOptions(extensionUri);
    const actions = new PageActions(parts, {
      open: () => void this.open(),
      offer: () => this.offer(),
      greet: () => (this.wantsStarters = true),
      post: (message) => void this.post(message),
    });
    this.store.add(webview.onDidReceiveMessage((message: unknown) => actions.take(message)));
    this.store.add(parts.conversation.onEvent((event) => this.feed.add(this.safe(event))));
    this.store.add(parts.outbox.onSendOutcome((outcome) => void this.takeOutcome(outcome)));
    this.store.add(parts.messageBox.onAdded(() => this.insert()));
    this.store.add(parts.outbox.onChange(() => this.postOutbox()));
    this.store.add(
      parts.images.onChange(() => void this.post({ type: 'images', images: parts.images.shown })),
    );
    this.store.add(parts.conversation.onReplaced(() => this.init()));
    this.store.add(
      parts.choices.onChange(() => void this.post({ type: 'pickers', pickers: parts.choices.pickers })),
    );
    this.store.add(parts.sandboxOffer.onChange(() => this.postOfferedSandbox()));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.postTrust()));
    const again = (): void => {
      if (this.wantsStarters) actions.take({ type: 'list-starters' });
    };
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(again));
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(again));
    this.store.add(
      view.onChange(() => {
        const { wasVisible } = this;
        this.wasVisible = view.isVisible();
        if (this.wasVisible && !wasVisible && this.isReady) void this.post({ type: 'focus' });
      }),
    );
    this.store.add(parts.attachments.onChange(() => void this.postContext()));
    this.store.add(
      parts.attachments.onOffer(() => {
        if (this.wantsOffer) this.postOffer();
      }),
    );
    webview.html = pageHtml(webview, extensionUri, { name: 'chat', title: 'Parley' });
  }

  dispose(): void {
    this.state = 'gone';
    this.store.dispose();
  }

  private get isReady(): boolean {
    return this.state === 'ready';
  }

  private get takesText(): boolean {
    return this.view.isVisible() && this.view.isFirst();
  }

  /** The page compares its saved state with the conversation, so it must not get one that is about to be replaced. */
  private async open(): Promise<void> {
    await Promise.all([this.parts.restored, this.parts.images.restore()]);
    if (this.state === 'gone') return;
    this.state = 'ready';
    this.wantsOffer = false;
    this.parts.outbox.pageOpened();
    this.init();
    this.insert();
    if (this.wantsFocus) this.focusMessage();
  }

  /** Puts the caret into the message box, now or when the page is ready. */
  focusMessage(): void {
    this.wantsFocus = !this.isReady;
    void this.post({ type: 'focus' });
  }

  private postOfferedSandbox(): void {
    const { callId } = this.parts.sandboxOffer;
    void this.post({ type: 'sandbox-offer', ...(callId !== undefined && { callId }) });
  }

  private postOutbox(): void {
    // The start of a run is posted before its message leaves the queue.
    this.feed.flush();
    void this.post({ type: 'outbox', outbox: this.parts.outbox.state });
  }

  /** Whichever page sent it: this one may have replaced it. */
  private async takeOutcome({ isTaken }: SendOutcome): Promise<void> {
    if (!isTaken) await this.hand((unsent) => ({ type: 'unsent', ...unsent }));
    await this.postContext();
  }

  /** Hands out unsent drafts. If no page takes them, the next `init` includes them. */
  private async hand(message: (unsent: Unsent) => HostToChat): Promise<void> {
    const { outbox } = this.parts;
    const { unsent } = outbox;
    // VS Code keeps messages to a hidden page, so the next page would get this one twice.
    if (unsent === undefined || !this.takesText) return;
    if (await this.post(message(unsent))) outbox.release(unsent);
  }

  /** Passes on text from the editor. A hidden page is gone; the next one says `ready` and gets it. */
  private insert(): void {
    if (!this.isReady || !this.takesText) return;
    for (const text of this.parts.messageBox.take()) void this.post({ type: 'insert', text });
  }

  private offer(): void {
    if (this.wantsOffer) return;
    this.wantsOffer = true;
    this.postOffer();
  }

  private postOffer(): void {
    void this.post({ type: 'servers', servers: this.parts.attachments.offer });
  }

  private async postContext(): Promise<void> {
    if (!this.isReady || !this.view.isVisible()) return;
    const context = await this.parts.attachments.look();
    if (context) void this.post({ type: 'context', context });
  }

  private init(): void {
    // Pending events are among the events below.
    this.feed.clear();
    const { conversation, choices, images, outbox } = this.parts;
    const { unsent } = outbox;
    const init = {
      type: 'init',
      events: conversation.session.events.map((event) => forPage(this.safe(event))),
      pickers: choices.pickers,
      outbox: outbox.state,
      images: images.shown,
    } as const;
    if (unsent === undefined || !this.takesText) void this.post(init);
    else void this.hand((held) => ({ ...init, unsent: held }));
    this.postTrust();
    this.postOfferedSandbox();
    void this.postContext();
  }

  private safe(event: AgentEvent): AgentEvent {
    return redactEvent(event, (text) => this.parts.secrets.redact(text));
  }

  private postTrust(): void {
    void this.post({ type: 'trust', isTrusted: vscode.workspace.isTrusted });
  }

  /** Whether there was a page for it. */
  private async post(message: HostToChat): Promise<boolean> {
    return this.isReady && this.view.webview.postMessage(message);
  }
}
