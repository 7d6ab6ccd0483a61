import type { Fact, ReasoningRequirements } from './fact-types';
import { attempt, layer, type Layer } from './layer';

/** Setting of a profile that overrides the endpoint's requirements about reasoning. */
export function echoFrom({
  needsReasoning,
  refusesReasoning,
}: ReasoningRequirements): 'echo' | 'drop' | undefined {
  if (needsReasoning) return 'echo';
  return refusesReasoning ? 'drop' : undefined;
}

const FIELDS = '(?:reasoning_content|reasoning_details|thinking_blocks|[\'"`.]reasoning[\'"`])';

/** Distinguished by the text around the field name, as DeepSeek, Kimi, vLLM and gateways write it. */
const PATTERNS: readonly (readonly [RegExp, ReasoningRequirements])[] = [
  [/corrupted thought signature|invalid.{0,20}signature.{1,40}thinking/i, { refusesSignatures: true }],
  [
    /missing.{0,5}(?:a )?.?thought_?signature|thought_?signature.{0,40}(?:missing|required)/i,
    { needsSignatures: true },
  ],
  [
    new RegExp(
      `${FIELDS}.{0,60}(?:missing|passed back|required|must be (?:provided|present|included))`,
      'is',
    ),
    { needsReasoning: true },
  ],
  [new RegExp(`missing.{0,20}${FIELDS}`, 'is'), { needsReasoning: true }],
  [
    new RegExp(
      `${FIELDS}.{0,60}(?:not (?:allowed|supported|permitted|accepted)|forbidden|unexpected|unknown|unrecognized|extra)`,
      'is',
    ),
    { refusesReasoning: true },
  ],
  [
    new RegExp(
      `(?:not (?:allow|support|accept)|unexpected|unknown|unrecognized|extra|unsupported).{0,60}${FIELDS}`,
      'is',
    ),
    { refusesReasoning: true },
  ],
];

/** What the text of an error adds to the known requirements; nothing if it is unrelated or already known. */
export function requirementsAfter(
  said: string,
  known: ReasoningRequirements,
): ReasoningRequirements | undefined {
  const found = PATTERNS.find(([pattern]) => pattern.test(said))?.[1];
  if (!found || Object.keys(found).every((name) => name in known)) return undefined;
  // The latest requirement counts.
  if (found.needsReasoning) return { ...without(known, 'refusesReasoning'), ...found };
  if (found.refusesReasoning) return { ...without(known, 'needsReasoning'), ...found };
  return { ...known, ...found };
}

function without(known: ReasoningRequirements, name: keyof ReasoningRequirements): ReasoningRequirements {
  const { [name]: _, ...others } = known;
  return others;
}

/** How often one request is sent again after its endpoint complained about the reasoning in it. */
const ATTEMPTS_MORE = 2;

/**
 * A request that the endpoint refuses for its reasoning is sent again with changes. Such a response is no work of a
 * model, so nothing is requested twice.
 */
export function learnRequirements(known: Fact<ReasoningRequirements>): Layer {
  return layer(async function* (next, request, signal) {
    for (let more = 0; ; more++) {
      const before = known.read();
      const failed = yield* attempt(next, request, signal);
      if (!failed) return;
      const { failure, isTaken } = failed;
      const isNew =
        more < ATTEMPTS_MORE && !signal.aborted && requirementsAfter(failure.message, before) !== undefined;
      // Another request may have been refused for the same meanwhile.
      const found = isNew && requirementsAfter(failure.message, known.read());
      if (found) known.write(found);
      // A request that a server has accepted is never sent again automatically; the requirement counts for the next
      // attempt.
      if (isNew && !isTaken) continue;
      yield { type: 'failure', failure };
      return;
    }
  });
}
