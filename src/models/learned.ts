import type { Model, ModelDelta, ModelFailure, ModelRequest } from '../core/words/model';

/** What an endpoint has said about thoughts in a history, with its own 400. */
export interface Lessons {
  /** Every message of the model has to have its thoughts, be they empty. */
  readonly wantsThoughts?: true;
  readonly refusesThoughts?: true;
  /** Calls have to have a signature, and there is one for foreign ones. */
  readonly wantsSignatures?: true;
  /** It takes those back no more that it has sent. */
  readonly refusesSignatures?: true;
}

/** Keeps what an endpoint has said, so that it is asked in vain only once. */
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

/** What a profile says in the place of what its endpoint has said about thoughts. */
export function echoFrom({ wantsThoughts, refusesThoughts }: Lessons): 'echo' | 'drop' | undefined {
  if (wantsThoughts) return 'echo';
  return refusesThoughts ? 'drop' : undefined;
}

const THOUGHTS = '(?:reasoning_content|reasoning_details|thinking_blocks|[\'"`.]reasoning[\'"`])';

/** Told apart by what stands around the name of the field; how DeepSeek, Kimi, vLLM and gateways say it. */
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

/** What the text of an error teaches beyond what is known; nothing where it is about another matter, or known already. */
export function lessonOf(said: string, known: Lessons): Lessons | undefined {
  const found = PATTERNS.find(([pattern]) => pattern.test(said))?.[1];
  if (!found || Object.keys(found).every((name) => name in known)) return undefined;
  // Whoever changes its mind is believed: the last word counts.
  if (found.wantsThoughts) return { ...without(known, 'refusesThoughts'), ...found };
  if (found.refusesThoughts) return { ...without(known, 'wantsThoughts'), ...found };
  return { ...known, ...found };
}

function without(lessons: Lessons, name: keyof Lessons): Lessons {
  const { [name]: _, ...others } = lessons;
  return others;
}

/** How often one request goes out anew because its endpoint has said what is wrong with the thoughts in it. */
const LESSONS = 2;

/**
 * The model, whose request goes out once more, otherwise, where the endpoint refuses it for the thoughts in it. Such an
 * answer is no work of a model, so nothing is asked of one twice.
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
    // What a server has taken is never sent again by itself; the lesson counts for the next try.
    if (lessons && !isTaken) continue;
    yield { type: 'failure', failure };
    return;
  }
}

interface Refusal {
  readonly failure: ModelFailure;
  /** The server had accepted the request before it said so. */
  readonly isTaken: boolean;
}

/** Passes on what arrives; gives back a refusal that came before anything of a reply. */
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
