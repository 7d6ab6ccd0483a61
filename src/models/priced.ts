import type { Model, ModelDelta, ModelRequest } from '../core/model';

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** The model, whose usage says what it has cost. */
export function priced(model: Model, price: Price): Model {
  return { name: model.name, stream: (request, signal) => stream(model, price, request, signal) };
}

async function* stream(
  model: Model,
  price: Price,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, void, undefined> {
  for await (const delta of model.stream(request, signal)) {
    if (delta.type !== 'usage') {
      yield delta;
      continue;
    }
    const { inputTokens, outputTokens } = delta.usage;
    const cost = (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
    yield { type: 'usage', usage: { ...delta.usage, cost } };
  }
}
