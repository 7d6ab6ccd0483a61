import type { JsonObject } from '../../base/json';
import type { ModelFailure, ModelRequest } from '../../core/words/model';
import type { Api } from '../apis/api-name';
import type { Fact, Quirks } from '../fact-types';
import { attempt, layer, type Layer } from '../layer';
import { adaptedBody, mayBeAboutImages, newTexts, quirksAfter } from './quirks';

/** How often one request is sent again after refusals; each of them teaches something new. */
const ATTEMPTS_MORE = 8;

const TRIED_WITHOUT_IMAGES =
  'The endpoint failed on a request with images, so it is sent again without them.';

/** What is known of an endpoint for one model that was opened. */
export class QuirkLearner {
  /** The endpoint failed with images, without saying why. */
  private isWithoutImages = false;

  constructor(
    private readonly known: Fact<Quirks>,
    readonly api: Api = 'chat',
  ) {}

  /** The endpoint takes the key as a bearer token. */
  learnBearer(): void {
    this.known.write({ ...this.known.read(), isBearer: true });
  }

  /** What applies to requests now. */
  read(): Quirks {
    const known = this.known.read();
    const { rules = [] } = known;
    if (!this.isWithoutImages || rules.includes('no-images')) return known;
    return { ...known, rules: [...rules, 'no-images'] };
  }

  /**
   * Learns from the failure of a request that was sent with some quirks: sentences about what changed, for people, or
   * nothing if the request would fail again.
   */
  learn(failure: ModelFailure, body: JsonObject, before: Quirks): readonly string[] | undefined {
    const sent = adaptedBody(body, before, this.api);
    if (quirksAfter(failure, sent, before, this.api)) {
      // Another request may have been refused for the same meanwhile.
      const found = quirksAfter(
        failure,
        adaptedBody(body, this.read(), this.api),
        this.known.read(),
        this.api,
      );
      if (found) this.known.write(found);
      return newTexts(before, this.read());
    }
    // A failure of the server for another reason is possible, so this is not kept.
    if (this.isWithoutImages || !mayBeAboutImages(failure, sent)) return undefined;
    this.isWithoutImages = true;
    return [TRIED_WITHOUT_IMAGES];
  }
}

/**
 * A request that the endpoint refuses for one of its fields or the order of its messages is sent again as the endpoint
 * takes it. Such a response is no work of a model, so nothing is requested twice. `bodyOf`: the body of a request before
 * anything learned is applied.
 */
export function learnQuirks(learner: QuirkLearner, bodyOf: (request: ModelRequest) => JsonObject): Layer {
  return layer(async function* (next, request, signal) {
    for (let more = 0; ; more++) {
      const before = learner.read();
      const failed = yield* attempt(next, request, signal);
      if (!failed) return;
      const { failure, isTaken } = failed;
      const isOver = more >= ATTEMPTS_MORE || signal.aborted;
      const texts = isOver ? undefined : learner.learn(failure, bodyOf(request), before);
      for (const message of texts ?? []) yield { type: 'notice', code: 'learned', message };
      // A request that a server has accepted is never sent again automatically.
      if (texts && !isTaken) continue;
      yield { type: 'failure', failure };
      return;
    }
  });
}

interface Failed {
  readonly type: 'failure';
  readonly failure: ModelFailure;
}

/** The same for a body that is forwarded: sends it until the endpoint takes it, or refuses it for something else. */
export async function sendAdapted<Taken extends { readonly type: string }>(
  learner: QuirkLearner,
  body: JsonObject,
  signal: AbortSignal,
  send: (body: JsonObject) => Promise<Taken | Failed>,
): Promise<Taken | Failed> {
  for (let more = 0; ; more++) {
    const before = learner.read();
    const sent = await send(adaptedBody(body, before));
    if (!('failure' in sent) || more >= ATTEMPTS_MORE || signal.aborted) return sent;
    if (!learner.learn(sent.failure, body, before)) return sent;
  }
}
