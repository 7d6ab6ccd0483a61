import type { Model, ModelDelta, ModelFailure, ModelRequest } from '../core/words/model';

/** What a server that was started anew, perhaps with another window, says or does first. */
const DOUBTFUL: readonly ModelFailure['code'][] = ['unreachable', 'too-long'];

/** The model; `doubt` is called where a request fails as if the server were no longer what was known of it. */
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
