import { createParser } from 'eventsource-parser';
import { parseContainer } from '../../base/json';

/** One event of a stream of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface StreamEvent {
  readonly name?: string;
  /** Its `data` lines, joined with line feeds. */
  readonly data: string;
}

/** Splits a stream into its events, in pieces of any length. Comments and events without data are left out. Never throws. */
export class EventSplitter {
  private events: StreamEvent[] = [];
  private hasBegun = false;
  private readonly parser = createParser({
    onEvent: ({ event: name, data }) => this.events.push({ ...(name !== undefined && { name }), data }),
  });

  push(text: string): readonly StreamEvent[] {
    if (text === '') return [];
    // The package knows the byte order mark only as bytes.
    this.parser.feed(this.hasBegun ? text : text.replace(/^\ufeff/, ''));
    this.hasBegun = true;
    return this.take();
  }

  /** Some servers leave out the empty line after their last event. */
  end(): readonly StreamEvent[] {
    return this.push('\n\n');
  }

  private take(): readonly StreamEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}

/** The events of a response that arrived together. Leaving the loop cancels the response. */
export async function* streamEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<readonly StreamEvent[], void, undefined> {
  const decoder = new TextDecoder();
  const splitter = new EventSplitter();
  for await (const piece of body) yield splitter.push(decoder.decode(piece, { stream: true }));
  yield [...splitter.push(decoder.decode()), ...splitter.end()];
}

/** Whether the event is the last of the stream. */
export function isLastEvent({ data }: StreamEvent): boolean {
  return data.trimStart().startsWith('[DONE]');
}

/**
 * The JSON objects and lists in an event. Anything else only keeps the connection alive: blank data, words, numbers.
 * Some servers leave out the empty lines between their events. Never throws.
 */
export function jsonValues({ data }: StreamEvent): readonly object[] {
  const whole = parseContainer(data);
  if (whole !== undefined || !data.includes('\n')) return asObjects(whole);
  return data.split('\n').flatMap((line) => asObjects(parseContainer(line)));
}

function asObjects(value: unknown): readonly object[] {
  return typeof value === 'object' && value !== null ? [value] : [];
}
