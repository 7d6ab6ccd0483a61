import type { Model, ModelDelta, ModelFailure, ModelRequest } from '../core/words/model';

/** What an endpoint requires about reasoning in a history, learned from a 400. */
export interface Lessons {
  /** Every message of the model needs its reasoning, even if empty. */
  readonly wantsThoughts?: true;
  readonly refusesThoughts?: true;
  /** Calls need a signature, and there is one for foreign calls. */
  readonly wantsSignatures?: true;
  /** It no longer accepts the reasoning it has sent. */
  readonly refusesSignatures?: true;
}

/** Remembers the requirements of an endpoint, so that each costs only one failed request. */
export interface LessonBook {
  read(): Lessons;
  write(lessons: Lessons): void;
}

/** For as long as it lives. */
export function emptyBook(): LessonBook {
  let kept: Lessons = {};
  return {
    read: () => kept,
    write: (lessons) => {
      kept = lessons;
    },
  };
}

/** Setting of a profile that overrides the endpoint's requirements about reasoning. */
export function echoFrom({ wantsThoughts, refusesThoughts }: Lessons): 'echo' | 'drop' | undefined {
  if (wantsThoughts) return 'echo';
  return refusesThoughts ? 'drop' : undefined;
}

const THOUGHTS = '(?:reasoning_content|reasoning_details|thinking_blocks|[\'"`.]reasoning[\'"`])';

/** Distinguished by the text around the field name, as DeepSeek, Kimi, vLLM and gateways write it. */
const PATTERNS: readonly (readonly [RegExp, Lessons])[] = [
  [/corrupted thought signature|invalid.{0,20}signature.{1,40}thinking/i, { refusesSignatures: true }],
  [
    /missing.{0,5}(?:a )?.?thought_?signature|thought_?signature.{0,40}(?:missing|required)/i,
    { wantsSignatures: true },
  ],
  [
    new RegExp(
      `${THOUGHTS}.{0,60}(?:missing|passed back|required|must be (?:provided|present|included))`,
      'is',
    ),
    { wantsThoughts: true },
  ],
  [new RegExp(`missing.{0,20}${THOUGHTS}`, 'is'), { wantsThoughts: true }],
  [
    new RegExp(
      `${THOUGHTS}.{0,60}(?:not (?:allowed|supported|permitted|accepted)|forbidden|unexpected|unknown|unrecognized|extra)`,
      'is',
    ),
    { refusesThoughts: true },
  ],
  [
    new RegExp(
      `(?:not (?:allow|support|accept)|unexpected|unknown|unrecognized|extra|unsupported).{0,60}${THOUGHTS}`,
      'is',
    ),
    { refusesThoughts: true },
  ],
];

/** What the text of an error adds to the known requirements; nothing if it is unrelated or already known. */
export function lessonOf(said: string, known: Lessons): Lessons | undefined {
  const found = PATTERNS.find(([pattern]) => pattern.test(said))?.[1];
  if (!found || Object.keys(found).every((name) => name in known)) return undefined;
  // The latest requirement counts.
  if (found.wantsThoughts) return { ...without(known, 'refusesThoughts'), ...found };
  if (found.refusesThoughts) return { ...without(known, 'wantsThoughts'), ...found };
  return { ...known, ...found };
}

function without(lessons: Lessons, name: keyof Lessons): Lessons {
  const { [name]: _, ...others } = lessons;
  return others;
}

/** How often one request is sent again after its endpoint complained about the reasoning in it. */
const LESSONS = 2;

/**
 * Wraps a model: a request that the endpoint refuses for its reasoning is sent again with changes. Such a response is
 * no work of a model, so nothing is requested twice.
 */
export function learning(model: Model, book: LessonBook): Model {
  return { name: model.name, stream: (request, signal) => stream(model, book, request, signal) };
}

async function* stream(
  model: Model,
  book: LessonBook,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, void, undefined> {
  for (let learned = 0; ; learned++) {
    const refusal = yield* tryOnce(model, request, signal);
    if (!refusal) return;
    const { failure, isTaken } = refusal;
    const lessons = learned < LESSONS && !signal.aborted && lessonOf(failure.message, book.read());
    if (lessons) book.write(lessons);
    // A request that a server has accepted is never sent again automatically; the requirement counts for the next
    // attempt.
    if (lessons && !isTaken) continue;
    yield { type: 'failure', failure };
    return;
  }
}

interface Refusal {
  readonly failure: ModelFailure;
  /** The server had accepted the request before it reported this. */
  readonly isTaken: boolean;
}

/** Passes on what arrives; returns a refusal that came before any part of a reply. */
async function* tryOnce(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, Refusal | undefined, undefined> {
  let hasBegun = false;
  let isTaken = false;
  for await (const delta of model.stream(request, signal)) {
    if (delta.type === 'failure' && !hasBegun) return { failure: delta.failure, isTaken };
    isTaken ||= delta.type === 'progress' && delta.stage === 'taken';
    hasBegun ||= delta.type !== 'progress';
    yield delta;
  }
  return undefined;
}
