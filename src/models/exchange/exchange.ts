import type { Fetch } from '../../base/transport';
import { boundedEvents } from '../bounded';
import { asEvents } from './unstreamed';
import type { Watchdog } from './watchdog';

/** An error response. Its body may contain a key that the server echoed. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly body: string,
  ) {
    super('refused');
  }
}

/** The status of a response that an error is about. */
export function statusOf(error: unknown): number | undefined {
  const cause = error instanceof Error && error.cause instanceof Refusal ? error.cause : error;
  return cause instanceof Refusal ? cause.status : undefined;
}

/** Progress of a request. */
export type Progress =
  /** No connection yet. */
  | 'out'
  /** The connection is established. */
  | 'connected'
  /** An answer with a status below 300 has come. A server that has taken a request is never sent it again. */
  | 'taken';

/** One request of the client, followed from the connection to the end of its response. */
export class Exchange {
  private reached: Progress = 'out';

  constructor(
    private readonly send: Fetch,
    private readonly watchdog: Watchdog,
  ) {}

  get progress(): Progress {
    return this.reached;
  }

  /**
   * Passed to the client. Throws for responses that are not a reply, because the client would read them completely.
   */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const response = await this.send(url, {
      ...init,
      onConnect: () => {
        if (this.reached === 'out') this.reached = 'connected';
        this.watchdog.connected();
      },
      onBytes: () => this.watchdog.heard(),
    });
    if (!response.ok) throw new Refusal(response.status, response.headers, await beginning(response));
    this.reached = 'taken';
    const { body, status, statusText, headers } = response;
    const events = body?.pipeThrough(boundedEvents()).pipeThrough(asEvents()) ?? null;
    return new Response(events, { status, statusText, headers });
  };
}

/** Bytes of an error that are read; the rest is ignored. */
const ERROR_BYTES = 64 * 1024;

export async function beginning({ body }: Response): Promise<string> {
  if (!body) return '';
  const decoder = new TextDecoder();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  let text = '';
  try {
    for (let size = 0; size < ERROR_BYTES;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    // The connection was lost; the status and the data so far are enough.
    if (error instanceof TypeError) return text;
    throw error;
  }
  // The end of the rest does not matter.
  reader.cancel().catch(() => undefined);
  return text;
}
