import { appendEvent, type AgentEvent } from '../../core/words/events';

/** Characters of text in the first portion. */
const FIRST = 2_048;
const LEAST = 512;
const MOST = 8_192;

/** Cost in characters of an event that is not growing text. */
const LIKE_TEXT = 32;

/** Milliseconds a frame may take in total before the next portion shrinks. */
const LONG_FRAME = 16;
const SHORT_FRAME = 8;

/** Measures a frame and calls back once it was drawn. */
interface Clock {
  readonly now: () => number;
  readonly later: (work: () => void) => void;
}

const browserClock: Clock = {
  now: () => performance.now(),
  later: (work) => void setTimeout(work),
};

/**
 * Passes on events in order, at most once per frame and no more than a frame can draw, so keys and clicks are handled
 * even under load.
 */
export class FrameFeed {
  private readonly waiting: (AgentEvent[] | (() => void))[] = [];
  private portion = FIRST;
  private isScheduled = false;

  constructor(
    private readonly take: (events: readonly AgentEvent[]) => void,
    private readonly clock: Clock = browserClock,
  ) {}

  add(events: readonly AgentEvent[]): void {
    const last = this.waiting.at(-1);
    const list = Array.isArray(last) ? last : [];
    if (list !== last && events.length > 0) this.waiting.push(list);
    for (const event of events) appendEvent(list, event);
    this.schedule();
  }

  /** Runs once everything that arrived before is passed on; at once if nothing waits. */
  then(work: () => void): void {
    if (this.waiting.length === 0) work();
    else this.waiting.push(work);
  }

  /** Drops what was not passed on yet. */
  clear(): void {
    this.waiting.length = 0;
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      const start = this.clock.now();
      this.isScheduled = false;
      this.handOn();
      if (this.waiting.length === 0) return;
      // A separate task runs after the frame was drawn.
      this.clock.later(() => {
        this.adapt(this.clock.now() - start);
        this.schedule();
      });
    });
  }

  private handOn(): void {
    let room = this.portion;
    for (let next = this.waiting[0]; next !== undefined && room > 0; next = this.waiting[0]) {
      if (typeof next === 'function') {
        this.waiting.shift();
        next();
        continue;
      }
      const events: AgentEvent[] = [];
      while (room > 0 && next.length > 0) {
        const [now, later] = cut(next[0]!, room);
        if (later) next[0] = later;
        else next.shift();
        events.push(now);
        room -= sizeOf(now);
      }
      if (next.length === 0) this.waiting.shift();
      this.take(events);
    }
  }

  private adapt(took: number): void {
    if (took > LONG_FRAME) this.portion = Math.max(LEAST, Math.floor(this.portion / 2));
    else if (took < SHORT_FRAME) this.portion = Math.min(MOST, this.portion * 2);
  }
}

/** Splits text that grows by a number of characters. */
type Growing = Extract<AgentEvent, { readonly type: 'text' | 'reasoning' | 'call-delta' }>;

function isGrowing(event: AgentEvent): event is Growing {
  return event.type === 'text' || event.type === 'reasoning' || event.type === 'call-delta';
}

function sizeOf(event: AgentEvent): number {
  if (event.type === 'sub-agent') return sizeOf(event.event);
  return isGrowing(event) ? Math.max(1, event.text.length) : LIKE_TEXT;
}

/** Splits a text that is too long into two, without cutting a character. */
function cut(event: AgentEvent, room: number): readonly [AgentEvent, AgentEvent?] {
  if (event.type === 'sub-agent') {
    const [now, later] = cut(event.event, room);
    return later
      ? [
          { ...event, event: now },
          { ...event, event: later },
        ]
      : [event];
  }
  if (!isGrowing(event) || event.text.length <= room) return [event];
  const { text } = event;
  const at = /[\uD800-\uDBFF]/.test(text.charAt(room - 1)) ? room + 1 : room;
  if (at >= text.length) return [event];
  return [
    { ...event, text: text.slice(0, at) },
    { ...event, text: text.slice(at) },
  ];
}
