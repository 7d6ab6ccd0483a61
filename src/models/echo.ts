import type { JsonObject } from '../base/json';
import type { ProviderMetadata } from '../core/words/provider-metadata';
import type { ChatMessage } from '../core/words/model';
import type { ReasoningRequirements } from './fact-types';

/**
 * Whether reasoning is sent back: `auto` by the rules of each model family, `echo` always, with an empty one if it is
 * missing, `drop` never.
 */
export type ReasoningEcho = 'auto' | 'echo' | 'drop';

/** Which reasoning is sent back with a history, and to whom. */
export interface EchoRules {
  readonly baseUrl: string;
  readonly model: string;
  readonly reasoning: ReasoningEcho;
  /** What the endpoint itself has required. */
  readonly requirements: ReasoningRequirements;
}

type Assistant = ChatMessage & { readonly role: 'assistant' };

/** Fields sent back with one message of a model. */
export interface Echo {
  readonly content: string | readonly JsonObject[];
  /** Fields of the message. */
  readonly fields: JsonObject;
  /** Fields of each of its calls. */
  readonly calls: readonly JsonObject[];
}

/**
 * These refuse a history in which a message with calls has no reasoning; for foreign messages an empty text is
 * enough.
 */
const NEEDS_REASONING = /deepseek|kimi|moonshot/i;
/** These refuse calls without a signature. */
const NEEDS_SIGNATURES = /gemini|generativelanguage\.googleapis\.com/i;
/** These show no reasoning and have no fields for it. */
const HIDES_REASONING = /^https:\/\/(?:api\.openai\.com|api\.x\.ai|[^/]+\.openai\.azure\.com)(?:[:/]|$)/i;

/** Google's documented value for calls made by another model. */
const FOREIGN_SIGNATURE: JsonObject = {
  extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
};

/** Plain-text fields, which no endpoint needs without calls. */
const PLAIN = ['reasoning_content', 'reasoning'];

/** The reasoning sent back with a message of a model. */
export function echoOf(message: Assistant, rules: EchoRules): Echo {
  const { content, toolCalls = [] } = message;
  const { reasoning, requirements } = rules;
  const own = isOwn(message.carried, rules) ? message.carried : undefined;
  const calls = toolCalls.map(({ extra }, number) => {
    if (own && extra && reasoning !== 'drop' && !requirements.refusesSignatures) return extra;
    const isForeign = number === 0 && !toolCalls.some((call) => own && call.extra);
    const isSkipped = number === 0 && requirements.refusesSignatures === true;
    return (isForeign || isSkipped) && needsSignatures(rules) ? FOREIGN_SIGNATURE : {};
  });
  if (reasoning === 'drop') return { content, fields: {}, calls };
  return {
    content: own?.lead === undefined ? content : withLead(own.lead, content),
    fields: requirements.refusesReasoning ? {} : fieldsOf(own?.fields ?? {}, toolCalls.length > 0, rules),
    calls,
  };
}

function fieldsOf(carried: JsonObject, hasCalls: boolean, rules: EchoRules): JsonObject {
  const { requirements } = rules;
  const isWanted = requirements.needsReasoning === true || rules.reasoning === 'echo';
  const kept = Object.entries(carried).filter(
    ([name]) =>
      (hasCalls || isWanted || !PLAIN.includes(name)) &&
      !(requirements.refusesSignatures && name !== 'reasoning_content' && name !== 'reasoning'),
  );
  const fields: JsonObject = Object.fromEntries(kept);
  const isNeeded = isWanted || (hasCalls && needsReasoning(rules));
  if (!isNeeded || fields['reasoning_content'] !== undefined) return fields;
  const { reasoning = '', ...others } = fields;
  // Under the name that the endpoint requires, if a gateway sent another.
  return isWanted || reasoning === ''
    ? { ...others, reasoning_content: typeof reasoning === 'string' ? reasoning : '' }
    : fields;
}

/** Whether a reply came from this endpoint and model. */
export function isOwn(carried: ProviderMetadata | undefined, { baseUrl, model }: EchoRules): boolean {
  return carried !== undefined && carried.origin === new URL(baseUrl).origin && carried.model === model;
}

function needsReasoning({ baseUrl, model }: EchoRules): boolean {
  return NEEDS_REASONING.test(model) || NEEDS_REASONING.test(new URL(baseUrl).hostname);
}

function needsSignatures({ baseUrl, model, requirements }: EchoRules): boolean {
  if (HIDES_REASONING.test(baseUrl)) return false;
  return (
    requirements.needsSignatures === true || NEEDS_SIGNATURES.test(model) || NEEDS_SIGNATURES.test(baseUrl)
  );
}

/** Unchanged: the blanks between reasoning and answer are stored only here. */
function withLead(lead: NonNullable<ProviderMetadata['lead']>, content: string): Echo['content'] {
  if (typeof lead !== 'string') return content === '' ? lead : [...lead, { type: 'text', text: content }];
  const tags = lead.trimEnd();
  return /^\s/.test(content) ? tags + content : lead + content;
}
