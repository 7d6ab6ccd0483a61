import type { ReplyEvent } from '../words/protocol';

/** Characters of a step, about 500 tokens, without the texts that a call writes. */
const LONGEST = 2_000;

/** Arguments that hold parts of files, which may be long. */
const CONTENTS: readonly string[] = ['content', 'old', 'new', 'lines', 'edits'];

/** Keeps a reply to one step: a thought and one call. What follows the call is dropped, and never runs. */
export class OneStep {
  private hasCalled = false;
  private hasMore = false;
  private isOpen = false;
  private length = 0;

  /** Something was written behind the call, so that the request can be closed. */
  get isOver(): boolean {
    return this.hasMore;
  }

  /** A call has begun and not ended. */
  get isInCall(): boolean {
    return this.isOpen;
  }

  /** A small model that writes so much does not come to an end. */
  get isTooLong(): boolean {
    return this.length > LONGEST;
  }

  /** The events that belong to the step. */
  within(events: readonly ReplyEvent[]): readonly ReplyEvent[] {
    for (const event of events) this.measure(event);
    return events.filter((event) => this.belongs(event));
  }

  private measure(event: ReplyEvent): void {
    const isCounted =
      event.type === 'text' ||
      event.type === 'reasoning' ||
      (event.type === 'call-delta' && !CONTENTS.includes(event.key));
    if (isCounted) this.length += event.text.length;
    if (event.type === 'call-start') this.isOpen = true;
    if (event.type === 'call-end' || event.type === 'malformed') this.isOpen = false;
  }

  private belongs(event: ReplyEvent): boolean {
    switch (event.type) {
      case 'call-end':
      case 'malformed': {
        const isFirst = !this.hasCalled && event.index === 0;
        this.hasCalled = true;
        if (!isFirst) this.hasMore = true;
        return isFirst;
      }
      case 'call-start':
      case 'call-delta':
        if (event.index > 0) this.hasMore = true;
        return event.index === 0;
      case 'text':
        if (!this.hasCalled || !/\S/.test(event.text)) return true;
        this.hasMore = true;
        return false;
      case 'reasoning':
      case 'reasoning-end':
      case 'warning':
        return !this.hasMore;
    }
  }
}
