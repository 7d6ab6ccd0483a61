import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import { Session, type SessionOptions } from '../../../core/session';
import type { AgentEvent } from '../../../core/words/events';

/** The session shown in this window. A new one replaces it; listeners stay attached. */
export class Conversation implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly events = this.store.add(new vscode.EventEmitter<AgentEvent>());
  private readonly replaced = this.store.add(new vscode.EventEmitter<undefined>());
  private current: { readonly session: Session; readonly listening: { dispose(): void } };

  readonly onEvent = this.events.event;
  /** Fires after a new session replaced the old one. */
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

  /** Opens a session that continues from these events. */
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
    // Commands started by a session end when another replaces it.
    const session = new Session({ ...this.options, owner: this }, past);
    return { session, listening: session.onEvent((event) => this.events.fire(event)) };
  }

  private close(): void {
    const { session, listening } = this.current;
    // Late reports of a stopped run belong to the old session and must not reach the new one.
    listening.dispose();
    session.dispose();
  }
}

/** Starts an exclusive activity, or says which one is in progress. */
export async function unlessBusy(session: Session, begin: () => Promise<unknown>): Promise<void> {
  if (session.isBusy) tellBusy(session);
  else await begin();
}

/** Says which activity is in progress, and what the user can do about it. */
export function tellBusy({ transcript }: Session): void {
  const text = transcript.running
    ? vscode.l10n.t('A run is in progress. Stop it first, or wait until it ends.')
    : vscode.l10n.t('Files are being restored. Wait until this is done.');
  // Nothing waits for the user to read it.
  void vscode.window.showInformationMessage(text);
}

/** Starts a new session, after the user agreed to stop a run of the current one. */
export async function startNewSession(conversation: Conversation): Promise<void> {
  if (await confirmLeave(conversation)) conversation.startNew();
}

/** Whether another session may replace the current one. Asks during a run, which is then stopped. */
export async function confirmLeave(conversation: Pick<Conversation, 'session'>): Promise<boolean> {
  const { session } = conversation;
  if (!session.transcript.running) return true;
  const yes = vscode.l10n.t('Stop and Leave');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('A run is in progress. Stop it and leave this session?'),
    { modal: true, detail: vscode.l10n.t('Changes it made so far are kept.') },
    yes,
  );
  // The answer refers to the session shown when the user was asked.
  return answer === yes && conversation.session === session;
}
