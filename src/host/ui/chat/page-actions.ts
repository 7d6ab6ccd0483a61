import * as vscode from 'vscode';
import { never } from '../../../base/never';
import { ChatToHost, type Completion, type HostCommand, type HostToChat } from '../../../contract/chat';
import { insertCode } from '../apply-code/insert-code';
import { chooseForRetry, chooseModel } from '../models/choose-model';
import { chooseToolsToDrop } from '../tools/drop-tools';
import type { ReplyRef } from '../../../core/transcript/references';
import type { Platform } from '../../platform/platform';
import type { Services } from '../../services/services';
import { openDocs } from '../../platform/open-docs';
import { openLink } from '../../platform/open-link';
import { browser } from '../../platform/page-html';
import { carryOut } from './carry-out';
import { unlessBusy } from '../../services/conversation/conversation';
import { commandOf } from './page-commands';
import { pageDecisions, type PageDecisions } from './page-decisions';

/** The page that asks. */
interface AskingPage {
  /** It is loaded and asks for the whole state. */
  readonly open: () => void;
  /** Subscribes it to prompts and resources of the MCP servers. */
  readonly offer: () => void;
  /** It has shown its greeting, whose tasks are updated when other folders are opened. */
  readonly greet: () => void;
  readonly post: (message: HostToChat) => void;
}

export interface PageActionParts extends Platform, Services {
  /** Shows how a reply was read. */
  readonly inspect: (reply: ReplyRef | undefined) => Promise<void>;
}

/** Actions that a page of the chat requests. */
export class PageActions {
  private readonly decisions: PageDecisions;

  constructor(
    private readonly parts: PageActionParts,
    private readonly page: AskingPage,
  ) {
    this.decisions = pageDecisions(parts);
  }

  /** Handles a message of the page; malformed ones are ignored. */
  take(message: unknown): void {
    const { conversation, choices, checkpoints, inspect, diffs } = this.parts;
    const { toggles, attachments, images, outbox, output } = this.parts;
    const checked = ChatToHost.safeParse(message);
    if (!checked.success) {
      // The content stays out of the log: it may be long, and crafted to be read there.
      output.warn(`The chat page sent a message of an unknown form: ${checked.error.issues[0]?.code ?? ''}`);
      return;
    }
    const { session } = conversation;
    const { data } = checked;
    switch (data.type) {
      case 'ready':
        return this.page.open();
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
      case 'attach':
        return this.attempt(this.attach(data));
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
      case 'undo-summary':
        return session.undoSummary();
      case 'drop-tools':
        return this.attempt(chooseToolsToDrop(session.transcript, toggles));
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
      case 'settle-changes':
        if (data.how === 'keep') return session.keep(data.paths, data.entry);
        return this.attempt(checkpoints.undo(data.paths, data.entry));
      case 'show-change':
        return this.attempt(checkpoints.showChange(data.path));
      case 'manage-trust':
        return void vscode.commands.executeCommand('workbench.trust.manage');
      case 'sandbox-offer':
        return this.attempt(this.takeOffer(data.choice));
      case 'inspect':
        return this.attempt(inspect(data.reply));
      case 'insert-code':
        return this.attempt(insertCode(data.code));
      case 'apply-code':
        return this.attempt(this.applyCode(data));
      case 'open-path':
        return this.attempt(this.openPath(data));
      case 'open-docs':
        return this.attempt(openDocs(this.parts.context.extensionUri, data.page));
      case 'open-link':
        return void openLink(data.url, browser);
      default:
        return never(data);
    }
  }

  /** A click does not wait for the result: errors are logged and shown. */
  private attempt(action: Promise<unknown>): void {
    action.catch((error: unknown) => {
      this.parts.output.error(error);
      void vscode.window.showErrorMessage(vscode.l10n.t('Something went wrong. See the log for details.'));
    });
  }

  private async send({ text, instead, interrupts }: PageMessage): Promise<void> {
    const { images, outbox, output } = this.parts;
    // Images pasted before it are part of it.
    await images.ready();
    await outbox.send(text, { instead, interrupts }).catch((error: unknown) => {
      // The page gets the text back in any case.
      output.error(error);
    });
  }

  private async retry({ entry, isChosen }: Extract<ChatToHost, { type: 'retry' }>): Promise<void> {
    const { conversation, choices, outbox } = this.parts;
    const { session } = conversation;
    if (isChosen && !(await chooseForRetry(choices))) return;
    // The index refers to the conversation that was shown when the user chose.
    if (conversation.session === session) await outbox.retry(entry);
  }

  private async attachImage(pasted: Extract<ChatToHost, { type: 'attach-image' }>): Promise<void> {
    const problem = await this.parts.images.add(pasted.name, pasted.data, pasted.isForEarlier);
    if (problem !== undefined) this.page.post({ type: 'note', text: problem });
  }

  private async attach({ what, isForEarlier }: Extract<ChatToHost, { type: 'attach' }>): Promise<void> {
    const { attach } = await import('./attach');
    const { text = '', problem } = await attach(what, this.parts, isForEarlier);
    if (text !== '') this.page.post({ type: 'insert', text });
    if (problem !== undefined) this.page.post({ type: 'note', text: problem });
  }

  private async attachUris(uris: readonly string[]): Promise<void> {
    const { text, problem } = await this.parts.attachments.mentionsOf(uris);
    if (text !== '') this.page.post({ type: 'insert', text });
    if (problem !== undefined) this.page.post({ type: 'note', text: problem });
  }

  private async listSkills(): Promise<void> {
    this.page.offer();
    this.page.post({ type: 'skills', skills: await this.parts.attachments.skills() });
  }

  private async listStarters(): Promise<void> {
    this.page.greet();
    const { starterTasks } = await import('./starter-tasks');
    this.page.post({ type: 'starters', starters: await starterTasks(this.parts) });
  }

  private async applyCode(proposed: Extract<ChatToHost, { type: 'apply-code' }>): Promise<void> {
    const { tools, diffs, attachments } = this.parts;
    const { applyCode } = await import('../apply-code/apply-code');
    await applyCode(proposed, { files: await tools.files(), diffs, attachments });
  }

  private async openPath(target: Extract<ChatToHost, { type: 'open-path' }>): Promise<void> {
    const files = await this.parts.tools.files();
    const { openPath } = await import('./open-path');
    await openPath(target, files);
  }

  private async run(command: HostCommand): Promise<void> {
    if (command === 'compact' && this.parts.conversation.session.transcript.running) {
      const text = vscode.l10n.t('Older messages can be summarized only when no run is in progress.');
      this.page.post({ type: 'note', text });
      return;
    }
    await vscode.commands.executeCommand(commandOf[command]);
  }

  private async takeOffer(choice: 'set-up' | 'decline'): Promise<void> {
    await this.parts.sandboxOffer.close();
    if (choice === 'set-up') await vscode.commands.executeCommand(commandOf.sandbox);
  }

  private async complete({ id, query, only }: Extract<ChatToHost, { type: 'complete' }>): Promise<void> {
    const { attachments, output } = this.parts;
    this.page.offer();
    const found: Promise<readonly Completion[] | undefined> =
      only === 'resource' ? attachments.completeResource(query) : attachments.complete(query, only);
    const items = await found.catch((error: unknown) => {
      // Without an answer the page would wait for it.
      output.error(error);
      return [];
    });
    if (items) this.page.post({ type: 'completions', id, items });
  }
}

type PageMessage = Extract<ChatToHost, { type: 'send' }>;
