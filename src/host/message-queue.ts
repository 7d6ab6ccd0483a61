import type { QueuedMessage } from '../contract/chat';
import type { Outgoing } from './outbox';

interface Queued extends Outgoing {
  readonly id: number;
}

/** Messages that wait for the end of a run. One that the user is changing holds up those behind it. */
export class MessageQueue {
  private messages: readonly Queued[] = [];
  private count = 0;
  private held: number | undefined;

  /** They wait for a word of the user. */
  isWaiting = false;

  get shown(): readonly QueuedMessage[] {
    return this.messages.map(({ id, text, images }) => ({ id, text, images: images.length }));
  }

  /** The last one, or the first. Whoever adds one means to have them sent. */
  add(message: Outgoing, { isFirst = false } = {}): void {
    const queued = { ...message, id: this.count++ };
    this.messages = isFirst ? [queued, ...this.messages] : [...this.messages, queued];
    this.isWaiting = false;
  }

  /** What is to be sent now. */
  take(): Outgoing | undefined {
    const [first, ...others] = this.messages;
    if (!first || this.isWaiting || first.id === this.held) return undefined;
    this.messages = others;
    return first;
  }

  remove(id: number): void {
    this.messages = this.messages.filter((each) => each.id !== id);
  }

  hold(id: number): void {
    this.held = id;
  }

  release(id: number, text?: string): void {
    if (this.held === id) this.held = undefined;
    if (text === undefined) return;
    this.messages = this.messages.map((each) => (each.id === id ? { ...each, text } : each));
  }

  /** No page is there any more in which something could be changed. */
  releaseAll(): void {
    this.held = undefined;
  }
}
