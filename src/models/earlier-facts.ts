import { isJsonObject } from '../base/json';
import type { ContextFacts } from '../core/context/known-window';
import { noCounts, sumOfCounts } from '../core/words/call-counts';
import {
  versionOf,
  type FormSupports,
  type ProtocolCounts,
  type ReasoningRequirements,
  type StoredFacts,
} from './fact-types';
import { findProfile, modelKey, type ModelProfile } from './profiles';
import type { ServerKind } from './server-facts';

/** Where they kept it: in each a record, by a JSON list of what was known of the model. */
const KEYS = {
  counts: 'parley.callCounts',
  requirements: 'parley.reasoningLessons',
  context: 'parley.learnedContext',
  forms: 'parley.forcedForms',
} as const;

interface EarlierFacts {
  readonly facts: Readonly<Record<string, StoredFacts>>;
  /** What is not needed any more. */
  readonly keys: readonly string[];
}

/** What earlier versions have stored. They named some models by the ids of `profiles`. */
export function earlierFacts(
  memory: { get(key: string): unknown },
  profiles: readonly ModelProfile[],
): EarlierFacts {
  const facts = new Map<string, StoredFacts>();
  const add = (key: string | undefined, merge: (before: StoredFacts) => StoredFacts): void => {
    if (key === undefined) return;
    const before = facts.get(key) ?? {};
    // Added again at the end: the last ones are the most recent.
    facts.delete(key);
    facts.set(key, merge(before));
  };
  const byId = (id: string, baseUrl: string, model: string): string | undefined => {
    const { provider = baseUrl === '' ? undefined : 'openai' } = findProfile(profiles, id) ?? {};
    return provider && keyOf(provider, baseUrl, model);
  };
  // SAFETY, for the values below: each key holds what the earlier version has stored there.
  for (const [[id = '', baseUrl = '', model = '', protocol = ''], value] of entries(memory, KEYS.counts)) {
    const counts = value as ProtocolCounts;
    add(byId(id, baseUrl, model), (before) => ({
      ...before,
      counts: { ...before.counts, [protocol]: sumOf(before.counts?.[protocol], counts) },
    }));
  }
  for (const [[id = '', baseUrl = '', model = ''], value] of entries(memory, KEYS.requirements)) {
    const requirements = renamed(value as EarlierRequirements);
    add(byId(id, baseUrl, model), (before) => ({ ...before, requirements }));
  }
  for (const [[provider = '', baseUrl = '', model = ''], value] of entries(memory, KEYS.context))
    add(keyOf(provider, baseUrl, model), (before) => ({ ...before, context: value as ContextFacts }));
  for (const [[provider = '', baseUrl = '', model = '', kind, number], value] of entries(
    memory,
    KEYS.forms,
  )) {
    const version = versionOf({
      ...(kind !== undefined && { kind: kind as ServerKind }),
      ...(number !== undefined && { version: number }),
    });
    add(keyOf(provider, baseUrl, model), ({ version: _, ...before }) => {
      return { ...before, forms: value as FormSupports, ...(version !== undefined && { version }) };
    });
  }
  return {
    facts: Object.fromEntries(facts),
    keys: Object.values(KEYS).filter((key) => memory.get(key) !== undefined),
  };
}

type Parts = readonly (string | undefined)[];

function entries(memory: { get(key: string): unknown }, key: string): readonly (readonly [Parts, unknown])[] {
  const stored = memory.get(key);
  if (!isJsonObject(stored)) return [];
  return Object.entries(stored).map(([name, value]) => {
    // SAFETY: these names are lists of texts, in which an unknown one is `null`.
    const parts = JSON.parse(name) as readonly (string | null)[];
    return [parts.map((part) => part ?? undefined), value];
  });
}

function keyOf(provider: string, baseUrl: string, model: string): string {
  // SAFETY: there were no other providers.
  const known = provider as ModelProfile['provider'];
  return modelKey({ provider: known, model, ...(baseUrl !== '' && { baseUrl }) });
}

/** Two profiles of one model were counted apart. */
function sumOf(one: ProtocolCounts | undefined, other: ProtocolCounts): ProtocolCounts {
  const { before, last } = one ?? { before: noCounts, last: noCounts };
  return { before: sumOfCounts(before, other.before), last: sumOfCounts(last, other.last) };
}

interface EarlierRequirements {
  readonly wantsThoughts?: true;
  readonly refusesThoughts?: true;
  readonly wantsSignatures?: true;
}

function renamed({
  wantsThoughts,
  refusesThoughts,
  wantsSignatures,
}: EarlierRequirements): ReasoningRequirements {
  return {
    ...(wantsThoughts && { needsReasoning: true }),
    ...(refusesThoughts && { refusesReasoning: true }),
    ...(wantsSignatures && { needsSignatures: true }),
  };
}
