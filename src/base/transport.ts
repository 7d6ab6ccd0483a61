/** Signs of life of a request, for the code that waits for its answer. */
export interface LifeSigns {
  /** The connection is established; the request is being sent. */
  readonly onConnect?: () => void;
  /** Bytes of the answer have arrived, including meaningless ones, such as the comments of a stream. */
  readonly onBytes?: () => void;
}

/**
 * A `fetch` that reports signs of life. It follows no redirects and rejects with a `TypeError` whose `cause` says why.
 */
export type Fetch = (url: string, init: RequestInit & LifeSigns) => Promise<Response>;

/** The platform's own. It cannot report the connection, and gives up after five minutes of silence. */
export const plainFetch: Fetch = async (url, { onConnect, onBytes, ...init }) => {
  onConnect?.();
  const response = await fetch(url, { ...init, redirect: 'manual' });
  onBytes?.();
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      onBytes?.();
      controller.enqueue(piece);
    },
  });
  return new Response(body.pipeThrough(heard), { status, statusText, headers });
};
