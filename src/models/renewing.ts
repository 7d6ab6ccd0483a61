import type { Model, ModelDelta, ModelFailure, ModelRequest } from '../core/words/model';

/** Why there is no key although one should be there, in a sentence for people. Never holds what a command has printed. */
export interface KeyProblem {
  readonly problem: string;
}

/** Gets another key in the place of the one that was refused; `false` where there is none. */
export type RenewKey = (signal: AbortSignal) => Promise<boolean>;

/** The model, whose request goes out once more with another key where the endpoint refuses the first. */
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

/** Passes on what arrives; gives back the failure where the key was refused. */
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
