import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { SavedSessionsParts, SessionKeeper } from './session-keeper';

/** Storage key of the session that the window shows. */
const SHOWN = 'session';

/** Passes events of the conversation to the session keeper, which is loaded for the first one. */
export class SavedSessions implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private keeper: Promise<SessionKeeper> | undefined;
  private turns: Promise<unknown> = Promise.resolve();

  /** Fires when the list changed. */
  readonly onChange = this.changed.event;

  constructor(readonly parts: SavedSessionsParts) {
    const { conversation, images } = parts;
    images.saveBy((bytes) => this.keepImage(bytes));
    this.store.add(
      conversation.onEvent((event) => {
        const { session } = conversation;
        void this.inTurn((keeper) => keeper.record(event, session));
      }),
    );
    this.store.add(
      conversation.onReplaced(() => {
        this.show(undefined);
        if (this.keeper) void this.inTurn((keeper) => keeper.leave());
      }),
    );
  }

  /** Id of the session that the window shows; none without a message. */
  get shown(): string | undefined {
    return this.parts.context.workspaceState.get(SHOWN);
  }

  /** Stores the id of the shown session. */
  show(id: string | undefined): void {
    void this.parts.context.workspaceState.update(SHOWN, id);
    this.changed.fire(undefined);
  }

  /** Shows the last session of the window again. Never rejects. */
  async restore(): Promise<void> {
    if (this.shown === undefined) return;
    await this.load()
      .then((keeper) => keeper.restore())
      .catch((error: unknown) => this.parts.output.error(error));
  }

  /** Whether the content of a file is saved now, after all events so far. Never rejects: errors are logged. */
  async keepImage(bytes: Uint8Array): Promise<boolean> {
    return this.inTurn((keeper) => keeper.keepImage(bytes)).catch(() => false);
  }

  /** Runs when all events so far are written. */
  inTurn<T>(action: (keeper: SessionKeeper) => T | Promise<T>): Promise<T> {
    const turn = this.turns.then(() => this.load()).then(action);
    this.turns = turn.catch((error: unknown) => this.parts.output.error(error));
    return turn;
  }

  load(): Promise<SessionKeeper> {
    return (this.keeper ??= import('./session-keeper').then(({ SessionKeeper }) =>
      this.store.add(new SessionKeeper(this)),
    ));
  }

  /** Resolves when everything is written. */
  async flush(): Promise<void> {
    if (this.keeper) await this.inTurn((keeper) => keeper.flush());
  }

  dispose(): void {
    this.store.dispose();
  }
}
