import type { QueuedMessage } from '../../contract/chat';
import type { EarlierMessage } from '../../core/transcript/references';
import type { ImageAttachment } from '../../core/words/attachment';

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

  /** The number of the next one to be sent. */
  get first(): number | undefined {
    return this.messages[0]?.id;
  }

  /** The last one, or the first. Gives its number. What waits for a word waits on, and those behind it. */
  add(message: Outgoing, { isFirst = false } = {}): number {
    const queued = { ...message, id: this.count++ };
    if (this.messages.length === 0) this.isWaiting = false;
    this.messages = isFirst ? [queued, ...this.messages] : [...this.messages, queued];
    return queued.id;
  }

  /** What is to be sent now. The urgent one goes also where the others wait for a word. */
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

  /** What was taken away; nothing where it waits no more. */
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

  /** No page is there any more in which something could be changed. Whether something was. */
  releaseAll(): boolean {
    const wasHeld = this.messages.some(({ id }) => id === this.held);
    this.held = undefined;
    return wasHeld;
  }
}

/** What the user wants to say. */
export interface Outgoing {
  readonly text: string;
  /** What they pasted for it. */
  readonly images: readonly ImageAttachment[];
  /** The message in whose place it comes. */
  readonly instead?: EarlierMessage;
}

/** What has become of a message: its run has begun, or it was not taken. */
export interface Settled {
  readonly text: string;
  readonly isTaken: boolean;
}
