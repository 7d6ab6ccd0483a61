import type { Disposable } from '../../base/disposable';
import type { Attachment, Image } from '../words/attachment';
import { appendEvent, type AgentEvent } from '../words/events';

/** Milliseconds between two deliveries: a page cannot show more, and every message has a cost. */
const PACE = 1000 / 30;

/**
 * Delivers events a few times a second and joins pieces of the same text, so that a page gets one delta instead of
 * every token.
 */
export class EventFeed implements Disposable {
  private pending: AgentEvent[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deliver: (events: readonly AgentEvent[]) => void) {}

  add(event: AgentEvent): void {
    appendEvent(this.pending, forPage(event));
    this.timer ??= setTimeout(() => this.flush(), PACE);
  }

  /** Delivers the waiting events. */
  flush(): void {
    const events = this.pending;
    this.clear();
    if (events.length > 0) this.deliver(events);
  }

  /** Drops the events that were not delivered yet. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pending = [];
  }

  dispose(): void {
    this.clear();
  }
}

/**
 * Without what the page does not need: it has the text already; raw replies, attachments' contents and carried fields
 * are for the log and the history.
 */
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

/** The output of a call is shown without keys. Its arguments are shown as they would run. */
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

/** A page shows only the label, except for `editor`: its text is the names of the open files. */
function withoutContent(attachment: Attachment): Attachment {
  if (attachment.type === 'image') return { ...attachment, image: withoutData(attachment.image) };
  return attachment.type === 'text' && attachment.source !== 'editor'
    ? { ...attachment, text: '' }
    : attachment;
}

function withoutData(image: Image): Image {
  return { ...image, data: '' };
}
