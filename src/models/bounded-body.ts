/** MiB that one event of a stream, or an answer that is no stream, may hold. */
const EVENT = 4;

const MIB = 1024 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** What reading a body ends with when it holds more than it may. */
export class TooLarge extends Error {}

/** A `fetch` for streams, whose answers cannot fill the memory of whoever waits for the end of an event, or of an error. */
export async function fetchStream(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  return through(response, response.ok ? boundedEvents() : boundedWhole());
}

/** A `fetch` for answers that are taken in as a whole: to one that never ends, empty lines are bytes like others. */
export async function fetchWhole(input: string | URL, init?: RequestInit): Promise<Response> {
  return through(await fetch(input, init), boundedWhole());
}

function through(response: Response, bound: TransformStream<Bytes, Bytes>): Response {
  const { body, status, statusText, headers } = response;
  return body ? new Response(body.pipeThrough(bound), { status, statusText, headers }) : response;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Lets a stream through until one event, the bytes between two empty lines, is too long. */
export function boundedEvents(): TransformStream<Bytes, Bytes> {
  let event = 0;
  let isEmptyLine = true;
  return bounded((piece) => {
    for (let at = 0; at < piece.length;) {
      const found = piece.indexOf(LINE_FEED, at);
      const end = found < 0 ? piece.length : found;
      const length = end - at;
      if (length > 1 || (length === 1 && piece[at] !== CARRIAGE_RETURN)) isEmptyLine = false;
      event += length;
      if (event > EVENT * MIB) return false;
      if (found >= 0) {
        if (isEmptyLine) event = 0;
        isEmptyLine = true;
      }
      at = end + 1;
    }
    return true;
  });
}

function boundedWhole(): TransformStream<Bytes, Bytes> {
  let size = 0;
  return bounded((piece) => (size += piece.length) <= EVENT * MIB);
}

function bounded(mayPass: (piece: Bytes) => boolean): TransformStream<Bytes, Bytes> {
  return new TransformStream<Bytes, Bytes>({
    transform(piece, controller) {
      if (mayPass(piece)) controller.enqueue(piece);
      else controller.error(new TooLarge(`More than ${EVENT} MiB without an end.`));
    },
  });
}
