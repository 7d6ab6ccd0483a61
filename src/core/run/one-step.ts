import type { ReplyEvent } from '../words/protocol';

/** Keeps a reply to one step: a thought and one call. What follows the call is dropped, and never runs. */
export class OneStep {
  private hasCalled = false;
  private hasMore = false;

  /** Something was written behind the call, so that the request can be closed. */
  get isOver(): boolean {
    return this.hasMore;
  }

  /** The events that belong to the step. */
  within(events: readonly ReplyEvent[]): readonly ReplyEvent[] {
    return events.filter((event) => this.belongs(event));
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
