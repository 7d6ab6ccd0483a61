import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { never } from '../../base/never';
import {
  ChatToHost,
  type Completion,
  type HostCommand,
  type HostToChat,
  type Unsent,
} from '../../contract/chat';
import { EventFeed, forPage, redactEvent } from '../../core/transcript/event-feed';
import type { AgentEvent } from '../../core/words/events';
import { insertCode } from '../apply-code/insert-code';
import { chooseForRetry, chooseModel } from '../models/choose-model';
import { chooseToolsToDrop } from '../tools/drop-tools';
import type { OfferParts } from '../tools/offer-parts';
import { openLink } from '../window/open-link';
import { browser, pageHtml, pageOptions } from '../window/page-html';
import type { WindowParts } from '../window/window-parts';
import { registerBadge } from './activity';
import { carryOut } from './carry-out';
import type { ChatParts } from './chat-parts';
import { startNewSession, unlessBusy } from './conversation';
import type { Settled } from './message-queue';
import { commandOf } from './page-commands';
import { pageDecisions, type PageDecisions } from './page-decisions';

export interface ChatPageParts extends WindowParts, OfferParts, ChatParts {
  /** Resolves when the window shows what it is to begin with: the conversation, and images that were not sent. */
  readonly restored: Promise<unknown>;
}

/** The page of the chat: what it sends is done here, and what happens is posted to it. */
export class ChatPage implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly feed = this.store.add(
    new EventFeed((events) => void this.post({ type: 'events', events })),
  );
  private state: 'loading' | 'ready' | 'gone' = 'loading';
  private readonly decisions: PageDecisions;
  /** The user has begun to write what a server may have something for. */
  private wantsOffer = false;
  /** The page has shown its greeting. */
  private wantsStarters = false;

  constructor(
    private readonly view: vscode.WebviewView,
    private readonly parts: ChatPageParts,
  ) {
    const { webview } = view;
    const { extensionUri } = parts.context;
    this.decisions = pageDecisions(parts);
    webview.options = pageOptions(extensionUri);
    this.store.add(webview.onDidReceiveMessage((message: unknown) => this.receive(message)));
    this.store.add(parts.conversation.onEvent((event) => this.feed.add(this.safe(event))));
    this.store.add(parts.outbox.onSettled((settled) => void this.settle(settled)));
    this.store.add(registerBadge(view, parts.activity));
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
      if (this.wantsStarters) this.attempt(this.listStarters());
    };
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(again));
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(again));
    this.store.add(
      view.onDidChangeVisibility(() => {
        if (view.visible && this.isReady) void this.post({ type: 'focus' });
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

  private receive(message: unknown): void {
    const { conversation, choices, checkpoints, inspector, diffs } = this.parts;
    const { toggles, attachments, images, outbox, output } = this.parts;
    const checked = ChatToHost.safeParse(message);
    if (!checked.success) {
      // What the page sent stays out of the log: it may be long, and made to be read there.
      output.warn(`The chat page sent a message of an unknown form: ${checked.error.issues[0]?.code ?? ''}`);
      return;
    }
    const { session } = conversation;
    const { data } = checked;
    switch (data.type) {
      case 'ready':
        return void this.open();
      case 'send':
        return void this.send(data);
      case 'retry':
        return this.attempt(this.retry(data));
      case 'queue':
        return outbox.change(data.change);
      case 'complete':
        return void this.complete(data);
      case 'attach-image':
        return this.attempt(this.attachImage(data));
      case 'remove-image':
        return images.remove(data.id);
      case 'attach-uris':
        return this.attempt(this.attachUris(data.uris));
      case 'list-skills':
        return this.attempt(this.listSkills());
      case 'list-starters':
        return this.attempt(this.listStarters());
      case 'open-folder':
        return void vscode.commands.executeCommand('workbench.action.files.openFolder');
      case 'run-command':
        return this.attempt(this.run(data.command));
      case 'with-editor':
        return attachments.pickEditor(data.isOn);
      case 'stop':
        return outbox.stop();
      case 'resume':
        return this.attempt(unlessBusy(session, () => session.resume()));
      case 'carry-out':
        return this.attempt(carryOut(choices, outbox));
      case 'undo-compaction':
        return session.undoCompaction();
      case 'drop-tools':
        return this.attempt(chooseToolsToDrop(session.transcript, toggles));
      case 'new-session':
        return this.attempt(startNewSession(conversation));
      case 'decide':
        if (!this.decisions.take(session, data))
          output.warn('The chat page sent arguments that are no JSON object.');
        return;
      case 'answer':
        return session.answerQuestion(data.callId, data.text);
      case 'pick':
        return this.attempt(choices.pick(data.picker, data.value));
      case 'choose-model':
        return this.attempt(chooseModel(data.from, choices));
      case 'open-picker':
        return this.attempt(choices.open(data.picker));
      case 'show-diff':
        return this.attempt(diffs.show(session.transcript, data.callId));
      case 'restore-files':
        return this.attempt(checkpoints.restore(data.entry));
      case 'show-change':
        return this.attempt(checkpoints.showChange(data.path));
      case 'manage-trust':
        return void vscode.commands.executeCommand('workbench.trust.manage');
      case 'sandbox-offer':
        return this.attempt(this.takeOffer(data.choice));
      case 'inspect':
        return this.attempt(inspector.open(data.reply));
      case 'insert-code':
        return this.attempt(insertCode(data.code));
      case 'apply-code':
        return this.attempt(this.applyCode(data));
      case 'open-link':
        return void openLink(data.url, browser);
      default:
        return never(data);
    }
  }

  /** What the page has kept it compares with the conversation, so it gets none that is about to be replaced. */
  private async open(): Promise<void> {
    await Promise.all([this.parts.restored, this.parts.images.restore()]);
    if (this.state === 'gone') return;
    this.state = 'ready';
    this.parts.outbox.pageOpened();
    this.init();
    this.insert();
  }

  /** What a click has begun nobody waits for: what breaks is logged and said. */
  private attempt(action: Promise<unknown>): void {
    action.catch((error: unknown) => {
      this.parts.output.error(error);
      void vscode.window.showErrorMessage(vscode.l10n.t('That did not work. The log says why.'));
    });
  }

  private async send({ text, instead, interrupts }: PageMessage): Promise<void> {
    const { images, outbox, output } = this.parts;
    // What was pasted before it goes along with it.
    await images.settled();
    await outbox.send(text, { instead, interrupts }).catch((error: unknown) => {
      // The page gets the text back all the same.
      output.error(error);
    });
  }

  private async retry({ entry, isChosen }: Extract<ChatToHost, { type: 'retry' }>): Promise<void> {
    const { conversation, choices, outbox } = this.parts;
    const { session } = conversation;
    if (isChosen && !(await chooseForRetry(choices))) return;
    // What was meant is a message of the conversation that was shown when the user chose.
    if (conversation.session === session) await outbox.retry(entry);
  }

  private async attachImage(pasted: Extract<ChatToHost, { type: 'attach-image' }>): Promise<void> {
    const problem = await this.parts.images.add(pasted.name, pasted.data, pasted.isForEarlier);
    if (problem !== undefined) void this.post({ type: 'note', text: problem });
  }

  private async attachUris(uris: readonly string[]): Promise<void> {
    const { text, problem } = await this.parts.attachments.mentionsOf(uris);
    if (text !== '') void this.post({ type: 'insert', text });
    if (problem !== undefined) void this.post({ type: 'note', text: problem });
  }

  private async listSkills(): Promise<void> {
    this.postOffer();
    void this.post({ type: 'skills', skills: await this.parts.attachments.skills() });
  }

  private async listStarters(): Promise<void> {
    this.wantsStarters = true;
    const { starterTasks } = await import('./starter-tasks');
    void this.post({ type: 'starters', starters: await starterTasks(this.parts) });
  }

  private async applyCode(proposed: Extract<ChatToHost, { type: 'apply-code' }>): Promise<void> {
    const { tools, diffs, attachments } = this.parts;
    const { applyCode } = await import('../apply-code/apply-code');
    await applyCode(proposed, { files: await tools.files(), diffs, attachments });
  }

  private async run(command: HostCommand): Promise<void> {
    if (command === 'compact' && this.parts.conversation.session.transcript.running) {
      const text = vscode.l10n.t('Older messages are summarized when no run goes on.');
      void this.post({ type: 'note', text });
      return;
    }
    await vscode.commands.executeCommand(commandOf[command]);
  }

  private async takeOffer(choice: 'set-up' | 'decline'): Promise<void> {
    await this.parts.sandboxOffer.close();
    if (choice === 'set-up') await vscode.commands.executeCommand(commandOf.sandbox);
  }

  private postOfferedSandbox(): void {
    const { callId } = this.parts.sandboxOffer;
    void this.post({ type: 'sandbox-offer', ...(callId !== undefined && { callId }) });
  }

  private postOutbox(): void {
    // A run that has begun is seen before its message is said to be no more on its way.
    this.feed.flush();
    void this.post({ type: 'outbox', outbox: this.parts.outbox.state });
  }

  /** Whichever page has sent it: this one may have come in its place. */
  private async settle({ isTaken }: Settled): Promise<void> {
    if (!isTaken) await this.hand((unsent) => ({ type: 'unsent', ...unsent }));
    await this.postContext();
  }

  /** Hands out what was not sent. Where no page has taken it, the next `init` has it. */
  private async hand(message: (unsent: Unsent) => HostToChat): Promise<void> {
    const { outbox } = this.parts;
    const { unsent } = outbox;
    // VS Code keeps messages to a page that is hidden, and the next page would get this one twice.
    if (unsent === undefined || !this.view.visible) return;
    if (await this.post(message(unsent))) outbox.release(unsent);
  }

  /** Hands on what the editor adds. A page that is hidden is gone; the next one says `ready` and gets it. */
  private insert(): void {
    if (!this.isReady || !this.view.visible) return;
    for (const text of this.parts.messageBox.take()) void this.post({ type: 'insert', text });
  }

  private async complete({ id, query, only }: Extract<ChatToHost, { type: 'complete' }>): Promise<void> {
    const { attachments, output } = this.parts;
    if (!this.wantsOffer) this.postOffer();
    const found: Promise<readonly Completion[] | undefined> =
      only === 'resource' ? attachments.completeResource(query) : attachments.complete(query, only);
    const items = await found.catch((error: unknown) => {
      // Without an answer the page would wait for it.
      output.error(error);
      return [];
    });
    if (items) void this.post({ type: 'completions', id, items });
  }

  private postOffer(): void {
    this.wantsOffer = true;
    void this.post({ type: 'servers', servers: this.parts.attachments.offer });
  }

  private async postContext(): Promise<void> {
    if (!this.isReady || !this.view.visible) return;
    const context = await this.parts.attachments.look();
    if (context) void this.post({ type: 'context', context });
  }

  private init(): void {
    // What is on its way is among the events below.
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
    if (unsent === undefined || !this.view.visible) void this.post(init);
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

  /** Whether a page was there for it. */
  private async post(message: HostToChat): Promise<boolean> {
    return this.isReady && this.view.webview.postMessage(message);
  }
}

type PageMessage = Extract<ChatToHost, { type: 'send' }>;
