import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { Session, type SessionOptions } from '../../core/session';
import type { AgentEvent } from '../../core/words/events';

/** The session this window shows. A new one replaces it; whoever listens keeps listening. */
export class Conversation implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly events = this.store.add(new vscode.EventEmitter<AgentEvent>());
  private readonly replaced = this.store.add(new vscode.EventEmitter<undefined>());
  private current: { readonly session: Session; readonly listening: { dispose(): void } };

  readonly onEvent = this.events.event;
  /** Fires after a new session took the place of the old one. */
  readonly onReplaced = this.replaced.event;

  constructor(private readonly options: Omit<SessionOptions, 'owner'>) {
    this.current = this.open([]);
  }

  get session(): Session {
    return this.current.session;
  }

  startNew(): void {
    this.show([]);
  }

  /** Opens a session that goes on from these events. */
  show(past: readonly AgentEvent[]): void {
    this.close();
    this.current = this.open(past);
    this.replaced.fire(undefined);
  }

  dispose(): void {
    this.close();
    this.store.dispose();
  }

  private open(past: readonly AgentEvent[]): Conversation['current'] {
    // The commands of a session end when another takes its place: they are its conversation's.
    const session = new Session({ ...this.options, owner: this }, past);
    return { session, listening: session.onEvent((event) => this.events.fire(event)) };
  }

  private close(): void {
    const { session, listening } = this.current;
    // What a stopped run still reports belongs to the old session and must not reach the new one.
    listening.dispose();
    session.dispose();
  }
}

/** Begins what nothing else may go on beside, or says what does. */
export async function unlessBusy(session: Session, begin: () => Promise<unknown>): Promise<void> {
  if (session.isBusy) tellBusy(session);
  else await begin();
}

/** Says what goes on, and what the user can do about it. */
export function tellBusy({ transcript }: Session): void {
  const text = transcript.running
    ? vscode.l10n.t('A run is in progress. Stop it first, or wait until it ends.')
    : vscode.l10n.t('Files are being restored. Wait until this is done.');
  // Nobody waits for it to be read.
  void vscode.window.showInformationMessage(text);
}

/** Starts a new session, after the user has agreed to stop a run of the one that is shown. */
export async function startNewSession(conversation: Conversation): Promise<void> {
  if (await confirmLeave(conversation)) conversation.startNew();
}

/** Whether another session may take the place of the one that is shown. Asks while a run goes on, which that stops. */
export async function confirmLeave(conversation: Pick<Conversation, 'session'>): Promise<boolean> {
  const { session } = conversation;
  if (!session.transcript.running) return true;
  const yes = vscode.l10n.t('Stop and Leave');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('A run is in progress. Stop it and leave this session?'),
    { modal: true, detail: vscode.l10n.t('Changes it made so far are kept.') },
    yes,
  );
  // The answer is about the session that was shown when the user was asked.
  return answer === yes && conversation.session === session;
}
