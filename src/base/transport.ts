/** Signs of life of a request, for the part that waits for its answer. */
export interface LifeSigns {
  /** The connection stands; what was sent is on its way. */
  readonly onConnect?: () => void;
  /** Any bytes of the answer have come, also such as mean nothing, like the comments of a stream. */
  readonly onBytes?: () => void;
}

/** A `fetch` that tells of signs of life. It follows no redirect and rejects with a `TypeError` whose `cause` says why. */
export type Fetch = (url: string, init: RequestInit & LifeSigns) => Promise<Response>;

/** The platform's own. It knows one sign of life too few, and gives up by itself after five minutes of silence. */
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
