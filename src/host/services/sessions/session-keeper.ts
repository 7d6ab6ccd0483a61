import path from 'node:path';
import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import type { Session } from '../../../core/session';
import type { AgentEvent } from '../../../core/words/events';
import type { FileImage } from '../../../core/words/file-change';
import type { CommandId } from '../../../manifest/commands';
import { lastBytes } from '../../../node/files/text-encoding';
import { ImageStore } from '../../../sessions/image-store';
import { NodeSessionFolder } from '../../../sessions/node-folder';
import { SessionStore, type SessionSummary, type StoredSession } from '../../../sessions/session-store';
import { sessionLines, sessionText } from '../../../sessions/session-text';
import { SessionWriter, type SessionStart } from '../../../sessions/session-writer';
import { confirmLeave, type Conversation } from '../conversation/conversation';
import type { Platform } from '../../platform/platform';
import { fencedText } from '../../platform/fenced-text';
import { translated } from '../../platform/translated';
import type { SessionImages } from './session-images';
import { pickBySearch } from './session-search';
import { workspaceStorage } from '../../platform/workspace-storage';

export interface SavedSessionsParts extends Platform {
  readonly conversation: Conversation;
  /** Gets its place with this object. */
  readonly images: SessionImages;
}

/** The session that the window shows, and the queue of everything that is written. */
export interface ShownSession {
  readonly parts: SavedSessionsParts;
  /** Id of the session that the window shows; none without a message. */
  readonly shown: string | undefined;
  show(id: string | undefined): void;
  inTurn<T>(action: () => T | Promise<T>): Promise<T>;
  flush(): Promise<void>;
}

/** A row of the list, or another reference to a session. */
export interface SessionRef {
  readonly id?: string | undefined;
}

/**
 * Writes the session of this window and restores those of its workspace. A separate bundle, loaded for the first
 * message.
 */
export class SessionKeeper implements vscode.Disposable {
  private readonly workspace: string;
  private readonly folder: NodeSessionFolder;
  private readonly store: SessionStore;
  private readonly images: ImageStore;
  private writer: SessionWriter | undefined;
  /** The stored session that the shown one continues; nothing for a new one. */
  private start: SessionStart | undefined;
  /** Profiles whose stored keys are loaded. */
  private learned: string | undefined;

  constructor(private readonly saved: ShownSession) {
    const { workspace, folderName } = workspaceStorage();
    this.workspace = workspace;
    const storage = saved.parts.context.globalStorageUri.fsPath;
    this.folder = new NodeSessionFolder(path.join(storage, 'sessions', folderName));
    this.store = new SessionStore(this.folder);
    this.images = new ImageStore(this.folder);
  }

  record(event: AgentEvent, session: Session): void {
    this.current(session).add(event);
  }

  /** Saves a file version with the shown session, which has events already. Not if it contains a key. */
  async keepImage(bytes: Uint8Array): Promise<boolean> {
    // A change by the lab belongs to no session; use the editor's undo.
    if (!this.writer) return false;
    const { secrets, settings, output } = this.saved.parts;
    const models = settings.get('models');
    // Loaded once: keys stored later in this window are known at once.
    if (this.learned !== JSON.stringify(models)) {
      await secrets.learn(models);
      this.learned = JSON.stringify(models);
    }
    if (secrets.isIn(bytes)) {
      output.warn('What a file holds was not kept: there is a key in it.');
      return false;
    }
    await this.images.keep(this.writer.fileId(), bytes);
    return true;
  }

  image(name: FileImage): Promise<Uint8Array | undefined> {
    return this.images.read(name);
  }

  /** Another session replaces the one that was written. */
  leave(): void {
    this.writer?.close();
    this.writer = undefined;
    this.start = undefined;
  }

  flush(): void {
    this.writer?.flush();
  }

  dispose(): void {
    this.leave();
  }

  /** Shows the session from before the reload, unless something else has started since. */
  async restore(): Promise<void> {
    const { shown, parts } = this.saved;
    const stored = shown === undefined ? undefined : await this.load(shown);
    if (shown === undefined || !stored || this.saved.shown !== shown) return;
    if (parts.conversation.session.events.length === 0) this.show(shown, stored);
  }

  /** The sessions as rows, newest first. */
  async items(): Promise<vscode.TreeItem[]> {
    const sessions = await this.store.list();
    const shown = sessionOf(this.saved.shown, sessions);
    return sessions.map((session) => sessionItem(session, session === shown));
  }

  async openSession(given: SessionRef | undefined): Promise<void> {
    const session = await this.choose(given, vscode.l10n.t('Open Session'));
    if (!session || session.id === this.saved.shown) return;
    if (!(await confirmLeave(this.saved.parts.conversation))) return;
    const stored = await this.load(session.id);
    if (stored) this.show(session.id, stored);
    else await tellMissing();
  }

  async renameSession(given: SessionRef | undefined): Promise<void> {
    const session = await this.choose(given, vscode.l10n.t('Rename Session'));
    if (!session) return;
    const title = await vscode.window.showInputBox({
      title: vscode.l10n.t('Rename Session'),
      prompt: vscode.l10n.t('Title'),
      value: session.title,
      validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a title.') : undefined),
    });
    if (title !== undefined) await this.saved.inTurn(() => this.rename(session.id, title));
  }

  async deleteSession(given: SessionRef | undefined): Promise<void> {
    const session = await this.choose(given, vscode.l10n.t('Delete Session'));
    if (!session) return;
    const yes = vscode.l10n.t('Delete');
    const answer = await vscode.window.showWarningMessage(
      vscode.l10n.t('Delete the session "{0}"?', session.title),
      {
        modal: true,
        detail: vscode.l10n.t('The session is deleted from this machine. This action cannot be undone.'),
      },
      yes,
    );
    if (answer !== yes) return;
    // Writing the shown session stops before its files are deleted.
    if (session.id === sessionOf(this.saved.shown, await this.store.list())?.id) {
      this.saved.parts.conversation.startNew();
    }
    await this.saved.inTurn(() => this.store.remove(session.id));
    this.changed();
  }

  /** Whether one was picked. */
  async searchSessions(): Promise<boolean> {
    await this.saved.flush();
    const { output } = this.saved.parts;
    const onError = (error: unknown): void => output.error(error);
    const session = await pickBySearch({ store: this.store, rowOf: sessionRow, onError });
    if (session) await this.openSession(session);
    return session !== undefined;
  }

  async exportSession(given: SessionRef | undefined): Promise<void> {
    const named = given ?? (this.saved.shown === undefined ? undefined : { id: this.saved.shown });
    const session = await this.choose(named, vscode.l10n.t('Export Session'));
    if (!session) return;
    await this.saved.flush();
    const stored = await this.load(session.id);
    if (!stored) return tellMissing();
    const { secrets, settings } = this.saved.parts;
    // A key may have been stored or seen after it was written.
    await secrets.learn(settings.get('models'));
    await previewExport(stored, (text) => secrets.redact(text));
  }

  /** A session that the user picks, as text for a message: its end, if it is long. */
  async pickAsText(): Promise<string | undefined> {
    const session = await this.choose(undefined, vscode.l10n.t('Attach a Past Conversation'));
    if (!session) return undefined;
    await this.saved.flush();
    const stored = await this.load(session.id);
    if (!stored) {
      await tellMissing();
      return undefined;
    }
    const { secrets, settings } = this.saved.parts;
    await secrets.learn(settings.get('models'));
    const text = secrets.redact(sessionText(stored, translated));
    return fencedText(lastBytes(text, limits.attachedTerminalBytes).trim(), 'markdown');
  }

  private async choose(given: SessionRef | undefined, title: string): Promise<SessionSummary | undefined> {
    const sessions = await this.store.list();
    if (given?.id !== undefined) return sessionOf(given.id, sessions);
    const items = sessions.map((session) => ({ ...sessionRow(session), session }));
    if (items.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('This workspace has no sessions yet. Send a message to start one.'),
      );
      return undefined;
    }
    return (await vscode.window.showQuickPick(items, { title }))?.session;
  }

  private async load(id: string): Promise<StoredSession | undefined> {
    const stored = await this.store.load(id);
    if (stored && stored.damaged > 0) {
      this.saved.parts.output.warn(`${stored.damaged} records of the session ${id} cannot be read.`);
    }
    return stored;
  }

  private show(id: string, { events, start }: StoredSession): void {
    this.saved.parts.conversation.show(events);
    this.saved.show(id);
    // After the old session ended, and before anything happens in this one.
    void this.saved.inTurn(() => {
      this.start = start;
    });
  }

  private async rename(id: string, title: string): Promise<void> {
    if (id === this.saved.shown) {
      this.current(this.saved.parts.conversation.session).rename(title);
      return;
    }
    const stored = await this.load(id);
    if (!stored) return tellMissing();
    const writer = this.write(stored.start, () => undefined);
    writer.rename(title);
    writer.close();
    this.changed();
  }

  /** The writer of the shown session. */
  private current(session: Session): SessionWriter {
    this.writer ??= this.write(this.start, (id) => {
      if (this.saved.parts.conversation.session === session) this.saved.show(id);
    });
    return this.writer;
  }

  private write(start: SessionStart | undefined, onFile: (id: string) => void): SessionWriter {
    const { output, secrets } = this.saved.parts;
    return new SessionWriter(this.folder, start, {
      workspace: this.workspace,
      redact: (text) => secrets.redact(text),
      onFile,
      onError: (error) => {
        output.error(error);
        void vscode.window.showWarningMessage(
          vscode.l10n.t('This session can no longer be saved. See the log for details.'),
        );
      },
    });
  }

  private changed(): void {
    this.saved.show(this.saved.shown);
  }
}

/** The session of this file: another window may have continued or renamed it. */
function sessionOf(
  file: string | undefined,
  sessions: readonly SessionSummary[],
): SessionSummary | undefined {
  if (file === undefined) return undefined;
  return sessions.find(({ id }) => id === file) ?? sessions.find(({ files }) => files.includes(file));
}

function sessionItem(session: SessionSummary, isShown: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(titleOf(session));
  item.id = session.id;
  item.description = dateText(session.modified);
  item.iconPath = new vscode.ThemeIcon(isShown ? 'comment-discussion' : 'comment');
  item.tooltip = new vscode.MarkdownString().appendText(
    vscode.l10n.t('Began {0}', dateText(session.created)),
  );
  item.contextValue = 'session';
  item.command = {
    command: 'parley.openSession' satisfies `parley.${CommandId}`,
    title: vscode.l10n.t('Open Session'),
    arguments: [{ id: session.id } satisfies SessionRef],
  };
  return item;
}

function sessionRow(session: SessionSummary): vscode.QuickPickItem {
  return { label: titleOf(session), description: dateText(session.modified) };
}

function titleOf({ title }: SessionSummary): string {
  return title === '' ? vscode.l10n.t('Untitled') : title;
}

function dateText(time: number): string {
  return new Date(time).toLocaleString(vscode.env.language);
}

async function tellMissing(): Promise<void> {
  await vscode.window.showWarningMessage(
    vscode.l10n.t('The file of this session is missing or cannot be read. Open another session.'),
  );
}

interface Form extends vscode.QuickPickItem {
  /** From the editor that shows it. */
  readonly language: string;
  readonly textOf: (session: StoredSession, redact: (text: string) => string) => string;
}

/** Exports the session in the format that the user picks, as a text to review and save. */
export async function previewExport(session: StoredSession, redact: (text: string) => string): Promise<void> {
  const form = await vscode.window.showQuickPick(forms(), { title: vscode.l10n.t('Export Session') });
  if (!form) return;
  const content = form.textOf(session, redact);
  const document = await vscode.workspace.openTextDocument({ language: form.language, content });
  await vscode.window.showTextDocument(document);
}

function forms(): readonly Form[] {
  return [
    {
      label: 'Markdown',
      detail: vscode.l10n.t('Conversation as readable text'),
      language: 'markdown',
      textOf: (session, redact) => redact(sessionText(session, translated)),
    },
    {
      label: 'JSON Lines',
      detail: vscode.l10n.t('All events, for programs and "parley replay"'),
      language: 'jsonl',
      textOf: sessionLines,
    },
  ];
}
