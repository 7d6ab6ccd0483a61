import type { Model, ModelDelta, ModelRequest } from '../core/words/model';

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
 * Wraps a model whose server handles one request after another. The first request after a stopped one reports that
 * the server is busy, until it is accepted.
 */
export function sayingBusy(model: Model, baseUrl: string, stopped: StoppedRequests): Model {
  return { name: model.name, stream: (request, signal) => stream(model, baseUrl, stopped, request, signal) };
}

async function* stream(
  model: Model,
  baseUrl: string,
  stopped: StoppedRequests,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, void, undefined> {
  if (stopped.has(baseUrl)) yield { type: 'progress', stage: 'busy' };
  let hasEnded = false;
  try {
    for await (const delta of model.stream(request, signal)) {
      // The server works on this request, or on none.
      stopped.forget(baseUrl);
      hasEnded ||= delta.type === 'end' || delta.type === 'failure';
      yield delta;
    }
  } finally {
    if (signal.aborted && !hasEnded) stopped.note(baseUrl);
  }
}
