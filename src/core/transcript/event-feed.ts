import type { Disposable } from '../../base/disposable';
import type { Attachment, Image } from '../words/attachment';
import { appendEvent, type AgentEvent } from '../words/events';

/** Milliseconds between two deliveries: a page cannot show more, and every message has its price. */
const PACE = 1000 / 30;

/** Delivers events a few times a second, pieces of the same text joined, so that a page gets deltas and not every token. */
export class EventFeed implements Disposable {
  private pending: AgentEvent[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deliver: (events: readonly AgentEvent[]) => void) {}

  add(event: AgentEvent): void {
    appendEvent(this.pending, forPage(event));
    this.timer ??= setTimeout(() => this.flush(), PACE);
  }

  /** Delivers what waits. */
  flush(): void {
    const events = this.pending;
    this.clear();
    if (events.length > 0) this.deliver(events);
  }

  /** Forgets what was not delivered yet. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pending = [];
  }

  dispose(): void {
    this.clear();
  }
}

/** The page has the text already; the raw reply is for the log and the history, and so is what went along or is carried. */
export function forPage(event: AgentEvent): AgentEvent {
  if (event.type === 'sub-agent') return { ...event, event: forPage(event.event) };
  if (event.type === 'run-start' && event.attachments)
    return { ...event, attachments: event.attachments.map(withoutContent) };
  if (event.type === 'tool-end' && event.result.images)
    return { ...event, result: { ...event.result, images: event.result.images.map(withoutData) } };
  if (event.type !== 'reply-end') return event;
  const { carried: _, ...shown } = event;
  return { ...shown, raw: '' };
}

/** What came out of a call is shown without keys. What it asks for is shown as it would run. */
export function redactEvent(event: AgentEvent, redact: (text: string) => string): AgentEvent {
  switch (event.type) {
    case 'sub-agent':
      return { ...event, event: redactEvent(event.event, redact) };
    case 'tool-output':
      return { ...event, text: redact(event.text) };
    case 'tool-end':
      return { ...event, result: { ...event.result, result: redact(event.result.result) } };
    default:
      return event;
  }
}

/** A page shows that it went along; only what is open in the editor has no other name. */
function withoutContent(attachment: Attachment): Attachment {
  if (attachment.type === 'image') return { ...attachment, image: withoutData(attachment.image) };
  return attachment.type === 'text' && attachment.source !== 'editor'
    ? { ...attachment, text: '' }
    : attachment;
}

function withoutData(image: Image): Image {
  return { ...image, data: '' };
}
