import type { Model, ModelDelta, ModelRequest } from '../core/words/model';

/** Milliseconds after which a server has finished with a request that was stopped. */
const FINISHED = 300_000;

/** Which servers may still be at work on a request that the user has stopped: some finish the prompt that they read. */
export class StoppedRequests {
  private readonly since = new Map<string, number>();

  /** `now` is in milliseconds since any moment. */
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
 * The model of a server that works on one request after another. The first request after one that was stopped says that the
 * server is busy, until it takes it.
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
      // It is at work on this one, or on none.
      stopped.forget(baseUrl);
      hasEnded ||= delta.type === 'end' || delta.type === 'failure';
      yield delta;
    }
  } finally {
    if (signal.aborted && !hasEnded) stopped.note(baseUrl);
  }
}
