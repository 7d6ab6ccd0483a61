import { attempt, layer, type Layer } from './layer';

/** Why an expected key is missing, in a sentence for the user. Never contains the output of a command. */
export interface KeyProblem {
  readonly problem: string;
}

/** Gets another key in place of the refused one; `false` if there is none. */
export type RefreshKey = (signal: AbortSignal) => Promise<boolean>;

/** Sends a request again with another key if the endpoint refuses the first. */
export function refreshKey(refresh: RefreshKey): Layer {
  return layer(async function* (next, request, signal) {
    const isStopped = (): boolean => signal.aborted;
    const failed = yield* attempt(next, request, signal);
    if (!failed || isStopped()) return;
    const { failure } = failed;
    const isRefreshed = failure.code === 'unauthorized' && (await refresh(signal));
    if (isStopped()) return;
    if (isRefreshed) yield* next.stream(request, signal);
    else yield { type: 'failure', failure };
  });
}
