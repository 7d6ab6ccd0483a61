import type { HttpDefinition } from './definition';
import { ServerProblem, type McpLimits } from './ports';

/** A fetch whose responses fail if one message exceeds the limit: a whole body, or one event of a stream. */
export function boundedFetch(
  fetchFrom: typeof fetch,
  {
    mcpFrameBytes: most,
    mcpMessagesPerSecond: perSecond,
  }: Pick<McpLimits, 'mcpFrameBytes' | 'mcpMessagesPerSecond'>,
): typeof fetch {
  return async (input, init) => {
    const response = await fetchFrom(input, init);
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const counter = new TransformStream<Uint8Array, Uint8Array>(
      isStream ? eventCounter(most, perSecond) : bodyCounter(most),
    );
    const bounded = new Response(response.body.pipeThrough(counter), response);
    // A new response cannot take over the URL of another.
    Object.defineProperty(bounded, 'url', { value: response.url });
    return bounded;
  };
}

interface Counter {
  readonly transform: (
    chunk: Uint8Array,
    controller: TransformStreamDefaultController<Uint8Array>,
  ) => void | Promise<void>;
}

function bodyCounter(most: number): Counter {
  let size = 0;
  return {
    transform: (chunk, controller) => {
      size += chunk.length;
      if (size > most) controller.error(tooLarge(most));
      else controller.enqueue(chunk);
    },
  };
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** An event ends with an empty line. Servers that send faster than anyone needs are read no faster. */
function eventCounter(most: number, perSecond: number): Counter {
  let size = 0;
  let isLineEmpty = true;
  let second = { begun: 0, events: 0 };
  return {
    transform: async (chunk, controller) => {
      for (const byte of chunk) {
        size++;
        if (byte === LINE_FEED) {
          if (isLineEmpty) {
            size = 0;
            second.events++;
          }
          isLineEmpty = true;
        } else if (byte !== CARRIAGE_RETURN) isLineEmpty = false;
        if (size > most) {
          controller.error(tooLarge(most));
          return;
        }
      }
      controller.enqueue(chunk);
      const now = performance.now();
      if (now - second.begun > 1_000) second = { begun: now, events: 0 };
      if (second.events <= perSecond) return;
      await new Promise<void>((resolve) => {
        setTimeout(resolve, second.begun + 1_000 - now).unref();
      });
    },
  };
}

function tooLarge(most: number): Error {
  return new Error(`The server sent a message of more than ${most / 1024 ** 2} MiB.`);
}

/**
 * A fetch for one server and its sign-in addresses. Its headers may contain keys, so they are sent only to its own
 * origin; other origins need https, unless both are on this machine.
 */
export function serverFetch(
  fetchFrom: typeof fetch,
  { url, headers }: Pick<HttpDefinition, 'url' | 'headers'>,
): typeof fetch {
  const server = new URL(url);
  return async (input, init) => {
    const request = new URL(input instanceof Request ? input.url : input);
    if (request.origin !== server.origin) {
      if (request.protocol !== 'https:' && !(isThisMachine(request) && isThisMachine(server))) {
        throw new ServerProblem(
          `It leads to ${request.origin}, which is not https. Parley does not go there.`,
        );
      }
      return fetchFrom(input, init);
    }
    const all = new Headers(headers);
    // Headers of the connection, such as a sign-in, take precedence.
    new Headers(init?.headers).forEach((value, name) => all.set(name, value));
    return fetchFrom(input, { ...init, headers: all });
  };
}

export function isThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
