import type { EndReason, ModelDelta } from '../core/model';
import type { ReplyEvent } from '../core/protocol';
import type { Grammar, ReaderOptions } from './text-parser';
import { TextParser } from './text-parser';

/** Nothing of it is a call of its own. */
const plain: Grammar = {
  id: 'native',
  openers: [],
  resultOpeners: [],
  *block() {
    return false;
  },
};

/**
 * The text beside native calls: reasoning and control tokens are told apart as everywhere, and calls that a server
 * handed over as text may be recovered, unless it also read calls itself.
 */
export class NativeText {
  private readonly parser: TextParser;
  /** All text until the first native call, to give back what was recovered before that. */
  private readonly seen: string[] = [];
  /** Everything from the first recovered call on; it counts only if no native call comes. */
  private held: ReplyEvent[] | undefined;
  private gaveWay = false;

  constructor(options: ReaderOptions) {
    const recovers = (): boolean => (options.recover ?? false) && !this.gaveWay;
    this.parser = new TextParser(plain, {
      ...options,
      get recover() {
        return recovers();
      },
    });
  }

  push(delta: ModelDelta & { readonly type: 'text' }): readonly ReplyEvent[] {
    if (!this.gaveWay) this.seen.push(delta.text);
    return this.pass(this.parser.push(delta));
  }

  /** Other pieces of the reply count for the positions in it. */
  skip(count: number): void {
    this.parser.skip(count);
  }

  /** A native call has come: what looked like calls before was only text. */
  giveWay(): readonly ReplyEvent[] {
    if (this.gaveWay) return [];
    this.gaveWay = true;
    const { held = [] } = this;
    this.held = undefined;
    const text = held.length > 0 ? this.seen.join('') : '';
    this.seen.length = 0;
    return held.flatMap((event): ReplyEvent[] => {
      if (event.type === 'call-start') return [];
      if (event.type !== 'call-end') return [event];
      return [{ type: 'text', text: text.slice(event.call.start, event.call.end) }];
    });
  }

  end(reason: EndReason | 'cut'): readonly ReplyEvent[] {
    const events = [...(this.held ?? []), ...this.parser.end(reason)];
    this.held = undefined;
    return events;
  }

  private pass(events: readonly ReplyEvent[]): readonly ReplyEvent[] {
    const first = this.held ? 0 : events.findIndex(({ type }) => type === 'call-start');
    if (first < 0) return events;
    this.held = [...(this.held ?? []), ...events.slice(first)];
    return events.slice(0, first);
  }
}
