import { layer, type Layer } from './layer';

/** Milliseconds after which a server has finished with a stopped request. */
const FINISHED = 300_000;

/** Servers that may still work on a stopped request: some finish reading its prompt. */
export class StoppedRequests {
  private readonly since = new Map<string, number>();

  /** `now` is in monotonic milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  note(baseUrl: string): void {
    this.since.set(new URL(baseUrl).origin, this.now());
  }

  forget(baseUrl: string): void {
    this.since.delete(new URL(baseUrl).origin);
  }

  has(baseUrl: string): boolean {
    const since = this.since.get(new URL(baseUrl).origin);
    return since !== undefined && this.now() - since < FINISHED;
  }
}

/**
 * For a server that handles one request after another. The first request after a stopped one reports that the server
 * is busy, until it is accepted.
 */
export function sayingBusy(baseUrl: string, stopped: StoppedRequests): Layer {
  return layer(async function* (next, request, signal) {
    if (stopped.has(baseUrl)) yield { type: 'progress', stage: 'busy' };
    let hasEnded = false;
    try {
      for await (const delta of next.stream(request, signal)) {
        // The server works on this request, or on none.
        stopped.forget(baseUrl);
        hasEnded ||= delta.type === 'end' || delta.type === 'failure';
        yield delta;
      }
    } finally {
      if (signal.aborted && !hasEnded) stopped.note(baseUrl);
    }
  });
}
