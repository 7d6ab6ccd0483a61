import type { QueuedMessage } from '../../../contract/chat';
import type { EarlierMessage } from '../../../core/transcript/references';
import type { ImageAttachment } from '../../../core/words/attachment';

interface Queued extends Outgoing {
  readonly id: number;
}

/** Messages that wait for the end of a run. A message that is being edited holds back those behind it. */
export class MessageQueue {
  private messages: readonly Queued[] = [];
  private count = 0;
  private held: number | undefined;

  /** They wait for the user to continue. */
  isWaiting = false;

  get shown(): readonly QueuedMessage[] {
    return this.messages.map(({ id, text, images }) => ({ id, text, images: images.length }));
  }

  /** Number of the next message to send. */
  get first(): number | undefined {
    return this.messages[0]?.id;
  }

  /** Adds a message at the end, or at the front. Returns its number. A paused queue stays paused. */
  add(message: Outgoing, { isFirst = false } = {}): number {
    const queued = { ...message, id: this.count++ };
    if (this.messages.length === 0) this.isWaiting = false;
    this.messages = isFirst ? [queued, ...this.messages] : [...this.messages, queued];
    return queued.id;
  }

  /** Message to send now. An urgent one is sent even if the queue is paused. */
  take(urgent?: number): Outgoing | undefined {
    const [first, ...others] = this.messages;
    if (!first || first.id === this.held || (this.isWaiting && first.id !== urgent)) return undefined;
    this.messages = others;
    return first;
  }

  takeAll(): readonly Outgoing[] {
    const all = this.messages;
    this.messages = [];
    this.isWaiting = false;
    return all;
  }

  /** The removed message; nothing if it no longer waits. */
  remove(id: number): Outgoing | undefined {
    const removed = this.messages.find((each) => each.id === id);
    this.messages = this.messages.filter((each) => each !== removed);
    return removed;
  }

  hold(id: number): void {
    this.held = id;
  }

  release(id: number, text?: string): void {
    if (this.held === id) this.held = undefined;
    if (text === undefined) return;
    this.messages = this.messages.map((each) => (each.id === id ? { ...each, text } : each));
  }

  /** There is no page left that could edit a message. Returns whether one was being edited. */
  releaseAll(): boolean {
    const wasHeld = this.messages.some(({ id }) => id === this.held);
    this.held = undefined;
    return wasHeld;
  }
}

/** A message from the user. */
export interface Outgoing {
  readonly text: string;
  /** Images pasted for it. */
  readonly images: readonly ImageAttachment[];
  /** The message that it replaces. */
  readonly instead?: EarlierMessage;
}

/** Result of sending: its run has started, or it was not accepted. */
export interface SendOutcome {
  readonly text: string;
  readonly isTaken: boolean;
}
