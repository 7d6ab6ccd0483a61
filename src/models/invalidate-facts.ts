import type { ModelFailure } from '../core/words/model';
import { mapDeltas, type Layer } from './layer';

/** First responses of a server that was restarted, perhaps with another window. */
const SIGNS: readonly ModelFailure['code'][] = ['unreachable', 'too-long'];

/** Calls `invalidate` if a request fails as if the facts of the server were outdated. */
export function invalidateFacts(invalidate: () => void): Layer {
  return mapDeltas(() => (delta) => {
    if (delta.type === 'failure' && SIGNS.includes(delta.failure.code)) invalidate();
    return delta;
  });
}
