import type { Model, ModelDelta, ModelFailure, ModelRequest } from '../core/words/model';

/** Why an expected key is missing, in a sentence for the user. Never contains the output of a command. */
export interface KeyProblem {
  readonly problem: string;
}

/** Gets another key in place of the refused one; `false` if there is none. */
export type RenewKey = (signal: AbortSignal) => Promise<boolean>;

/** Wraps a model: sends a request again with another key if the endpoint refuses the first. */
export function renewing(model: Model, renew: RenewKey): Model {
  return { name: model.name, stream: (request, signal) => stream(model, renew, request, signal) };
}

async function* stream(
  model: Model,
  renew: RenewKey,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, void, undefined> {
  const isStopped = (): boolean => signal.aborted;
  const refusal = yield* tryOnce(model, request, signal);
  if (!refusal || isStopped()) return;
  const isRenewed = await renew(signal);
  if (isStopped()) return;
  if (isRenewed) yield* model.stream(request, signal);
  else yield { type: 'failure', failure: refusal };
}

/** Passes on what arrives; returns the failure if the key was refused. */
async function* tryOnce(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, ModelFailure | undefined, undefined> {
  for await (const delta of model.stream(request, signal)) {
    if (delta.type === 'failure' && delta.failure.code === 'unauthorized') return delta.failure;
    yield delta;
  }
  return undefined;
}
