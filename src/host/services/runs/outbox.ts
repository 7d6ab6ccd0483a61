import { unlessAborted } from '../../../base/async';
import { DisposableStore, Emitter, type Disposable } from '../../../base/disposable';
import { never } from '../../../base/never';
import type { ChatToHost, OutboxState, Unsent } from '../../../contract/chat';
import type { Session } from '../../../core/session';
import { isAmong, type EarlierMessage } from '../../../core/transcript/references';
import type { RunOutcome } from '../../../core/words/outcome';
import type { PastedImages } from '../attachments/pasted-images';
import type { WindowContext } from '../attachments/window-context';
import type { Conversation } from '../conversation/conversation';
import { MessageQueue, type Outgoing, type SendOutcome } from './message-queue';

interface OutboxParts {
  readonly conversation: Pick<Conversation, 'session' | 'onEvent' | 'onReplaced'>;
  readonly attachments: Pick<WindowContext, 'attachmentsFor'>;
  readonly images: Pick<PastedImages, 'take' | 'putBack' | 'forget'>;
  /** Confirms the loss of going back to an entry, and asks about files changed since. `false` if the user cancels. */
  readonly confirmRewind: (entry: number) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

type QueueChange = Extract<ChatToHost, { type: 'queue' }>['change'];

/**
 * Sends the user's messages with their context, one at a time. During a run or a restore, messages wait for its end.
 * It outlives the pages: rejected messages are held until a page takes them.
 */
export class Outbox implements Disposable {
  private readonly store = new DisposableStore();
  private readonly outcomes = new Emitter<SendOutcome>();
  private readonly changed = new Emitter<undefined>();
  private readonly queue = new MessageQueue();
  private sending: { readonly text: string; readonly stop: AbortController } | undefined;
  private held: readonly Unsent[] = [];
  /** Number of the queued message for which the user stopped the run; it may have been removed since. */
  private interrupting: number | undefined;

  readonly onSendOutcome = this.outcomes.event;
  readonly onChange = this.changed.event;

  constructor(private readonly parts: OutboxParts) {
    const { conversation } = parts;
    this.store.add(
      conversation.onEvent((event) => {
        if (event.type === 'run-end') this.runEnded(event.outcome);
        // Messages sent during a restore.
        if (event.type === 'restore') this.pump();
      }),
    );
    this.store.add(
      conversation.onReplaced(() => {
        // A message written in another conversation may not fit this one, so it returns to the user.
        const queued = this.queue.takeAll();
        this.held = [...this.held, ...queued].map(({ text }) => ({ text }));
        parts.images.putBack(queued.flatMap(({ images }) => images));
        this.sending?.stop.abort();
        this.changed.fire(undefined);
      }),
    );
  }

  get state(): OutboxState {
    const { sending, queue } = this;
    return {
      queued: queue.shown,
      isWaiting: queue.isWaiting,
      ...(sending && { sending: sending.text }),
    };
  }

  /** Rejected messages that reached no page yet. */
  get unsent(): Unsent | undefined {
    const [first, ...others] = this.held;
    if (!first) return undefined;
    if (others.length === 0) return first;
    return { text: this.held.map((each) => each.text).join('\n') };
  }

  /** A page has this; messages held meanwhile stay. */
  release({ text }: Unsent): void {
    if (this.unsent?.text === text) this.held = [];
  }

  /** A page starts over: a message edited in the previous one keeps its old text, and waits for the user. */
  pageOpened(): void {
    if (this.queue.releaseAll()) this.wait();
  }

  /**
   * Resolves once the run has started, or the message waits or is held. Rejects if something failed before; then it
   * is held, too.
   */
  async send(text: string, { instead, interrupts = false }: SendOptions = {}): Promise<void> {
    const { images } = this.parts;
    const { session } = this;
    const taken = images.take({ isForEarlier: instead !== undefined });
    const message: Outgoing = { text, images: taken, ...(instead && { instead }) };
    if (this.isBusy && !instead) {
      this.enqueue(message, interrupts);
      return;
    }
    let isTaken = false;
    try {
      isTaken = await this.deliver(message);
    } finally {
      if (!isTaken) {
        // In another session it replaces no message.
        this.hold(this.session === session ? message : { text, images: message.images });
      }
      this.outcomes.fire({ text, isTaken });
    }
  }

  /** Sends a message of the current conversation again, in its place. */
  async retry(entry: number): Promise<void> {
    const said = this.session.transcript.entries[entry];
    if (said?.type !== 'user') return;
    await this.deliver({ text: said.text, images: [], instead: { entry, text: said.text } });
  }

  /** Stops the run, or the message that is being sent, which is then not sent. */
  stop(): void {
    this.sending?.stop.abort();
    this.session.stop();
  }

  change(change: QueueChange): void {
    const { queue } = this;
    switch (change.type) {
      case 'remove':
        this.parts.images.forget(queue.remove(change.id)?.images ?? []);
        break;
      case 'hold':
        queue.hold(change.id);
        break;
      case 'release':
        queue.release(change.id, change.text);
        break;
      case 'go-on':
        queue.isWaiting = false;
        break;
      default:
        return never(change);
    }
    this.changed.fire(undefined);
    this.pump();
  }

  dispose(): void {
    this.store.dispose();
  }

  private get session(): Session {
    return this.parts.conversation.session;
  }

  private get isBusy(): boolean {
    return this.sending !== undefined || this.session.isBusy;
  }

  private enqueue(message: Outgoing, interrupts: boolean): void {
    const id = this.queue.add(message, { isFirst: interrupts });
    this.changed.fire(undefined);
    if (!interrupts) return;
    this.interrupting = id;
    // A run that is about to start is stopped once it has started.
    this.session.stop();
  }

  private get isInterrupted(): boolean {
    return this.interrupting !== undefined && this.interrupting === this.queue.first;
  }

  private runEnded({ type }: RunOutcome): void {
    // A user who stopped it wants to see what happened before more happens.
    if (type !== 'done' && !this.isInterrupted) this.wait();
    this.pump();
  }

  /** Keeps a rejected message until a page takes it. */
  private hold({ text, images, instead }: Outgoing): void {
    this.held = [...this.held, { text, ...(instead && { instead }) }];
    this.parts.images.putBack(images, instead !== undefined);
  }

  private wait(): void {
    this.interrupting = undefined;
    this.queue.isWaiting = this.queue.shown.length > 0;
    this.changed.fire(undefined);
  }

  /** Sends the next message of the queue if it may be sent now. */
  private pump(): void {
    const message = this.isBusy ? undefined : this.queue.take(this.interrupting);
    if (message) void this.sendQueued(message);
  }

  private async sendQueued(message: Outgoing): Promise<void> {
    const { session } = this;
    let isTaken = false;
    try {
      isTaken = await this.deliver(message);
    } catch (error) {
      this.parts.onError(error);
    }
    if (!isTaken && this.session !== session) this.hold(message);
    else if (!isTaken) {
      this.queue.add(message, { isFirst: true });
      this.wait();
    }
    this.outcomes.fire({ text: message.text, isTaken });
  }

  private async deliver({ text, images, instead }: Outgoing): Promise<boolean> {
    const { session } = this;
    const isRunning = (): boolean => session.transcript.running;
    if (this.isBusy || (instead && !isAmong(instead, session.transcript.entries))) return false;
    const entry = instead?.entry;
    const stop = new AbortController();
    const { signal } = stop;
    this.sending = { text, stop };
    this.changed.fire(undefined);
    try {
      if (entry !== undefined && !(await this.parts.confirmRewind(entry))) return false;
      const message = { transcript: session.transcript, images, entry };
      const reading = this.parts.attachments.attachmentsFor(text, message, signal);
      const attachments = await unlessAborted(reading, signal);
      // The user may have switched sessions while a question was open, or restored files that the message names.
      if (!attachments || signal.aborted || this.session !== session || session.isBusy) return false;
      if (entry !== undefined && !session.rewind(entry)) return false;
      void session.send(text, attachments);
      // From here on the session has them.
      if (isRunning()) this.parts.images.forget(images);
      if (this.isInterrupted) session.stop();
      return isRunning();
    } finally {
      this.sending = undefined;
      // Without a run, there is no end that the others could wait for.
      if (isRunning()) this.changed.fire(undefined);
      else this.wait();
    }
  }
}

interface SendOptions {
  /** The message that it replaces. */
  readonly instead?: EarlierMessage | undefined;
  readonly interrupts?: boolean | undefined;
}
