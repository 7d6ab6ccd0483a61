import type { Model, ModelDelta, ModelFailure, ModelRequest } from '../core/words/model';

/** What stands between a model and those who use it: the same requests and replies, with something added. */
export type Layer = (next: Model) => Model;

type Stream = (next: Model, request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelDelta>;

/** A layer that decides itself how a request is answered. */
export function layer(stream: Stream): Layer {
  return (next) => ({ name: next.name, stream: (request, signal) => stream(next, request, signal) });
}

/**
 * A layer that looks at deltas or changes them, one by one. `start` is called for each reply. A failure in place of
 * another delta ends the reply.
 */
export function mapDeltas(start: () => (delta: ModelDelta) => ModelDelta): Layer {
  return layer(async function* (next, request, signal) {
    const map = start();
    for await (const delta of next.stream(request, signal)) {
      const mapped = map(delta);
      yield mapped;
      if (mapped.type === 'failure') return;
    }
  });
}

/** A failure before any part of a reply. */
export interface FailedAttempt {
  readonly failure: ModelFailure;
  /** The server had accepted the request before it reported this. */
  readonly isTaken: boolean;
}

/** What is said about the request and its server is not part of the reply. */
const ABOUT_THE_REQUEST: readonly ModelDelta['type'][] = ['progress', 'unforced', 'retry', 'notice'];

/** Passes on what arrives; returns a failure that came before any part of a reply, so that it can be tried again. */
export async function* attempt(
  next: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, FailedAttempt | undefined, undefined> {
  let hasBegun = false;
  let isTaken = false;
  for await (const delta of next.stream(request, signal)) {
    if (delta.type === 'failure' && !hasBegun) return { failure: delta.failure, isTaken };
    isTaken ||= delta.type === 'progress' && delta.stage === 'taken';
    hasBegun ||= !ABOUT_THE_REQUEST.includes(delta.type);
    yield delta;
  }
  return undefined;
}
