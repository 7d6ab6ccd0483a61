import type { Model, ModelDelta, ModelFailure, ModelRequest } from '../core/words/model';

/** First responses of a server that was restarted, perhaps with another window. */
const DOUBTFUL: readonly ModelFailure['code'][] = ['unreachable', 'too-long'];

/** Wraps a model; calls `doubt` if a request fails as if the known server facts were outdated. */
export function doubting(model: Model, doubt: () => void): Model {
  return { name: model.name, stream: (request, signal) => stream(model, doubt, request, signal) };
}

async function* stream(
  model: Model,
  doubt: () => void,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, void, undefined> {
  for await (const delta of model.stream(request, signal)) {
    if (delta.type === 'failure' && DOUBTFUL.includes(delta.failure.code)) doubt();
    yield delta;
  }
}
